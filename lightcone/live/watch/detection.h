// A property that was decided at an event of a live process.
#pragma once

#include <lightcone/property/language/syntax.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// A property that was decided at an event of this process, at the moment of that event.
struct Detection {
  /// The last observed event of a process: an immediate predecessor of the event.
  struct Predecessor {
    std::string process;
    std::uint64_t observed = 0;  ///< which of its labelled events, counted from 1
  };

  std::string property;
  Verb verb = Verb::watch;
  bool failed = false;  ///< forbidden and found, or required and missing
  std::string process;
  std::uint64_t event = 0;  ///< its rank; 0: the initial state
  std::vector<std::string> labels;
  /// For a longest flow: the predecessors that its flows come through. For logic: none.
  std::vector<Predecessor> predecessors;
  std::vector<std::string> variables;  ///< for logic: the variables that are true in the state
  std::string source;                  ///< `file:line` of the call

  /// Returns it in one line of text.
  [[nodiscard]] std::string line() const;
};

}  // namespace lightcone
