// The properties of live processes, ready to be watched.
#pragma once

#include <lightcone/error.h>
#include <lightcone/process.h>
#include <lightcone/property/automata/compiled.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// What all processes of a program watch, if they agree.
struct WatchedProperties {
  CompiledProperties compiled;
  std::uint64_t agreement = 0;  ///< what all of them must agree on, as one number

  /// From the options' text or file; an error, if one of them cannot be decided.
  [[nodiscard]] static Expected<WatchedProperties> of(const ProcessOptions& options);
};

/// The names of properties that one process cannot decide: those about global states.
[[nodiscard]] std::vector<std::string> unwatched(const CompiledProperties& properties);

}  // namespace lightcone
