// Which names occur in a trace, and whether those of a property file are among them.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/property/language/syntax.h>

#include <string>
#include <vector>

namespace lightcone {

/// The event labels that occur in a computation.
[[nodiscard]] std::vector<std::string> event_labels(const Computation& computation);

/// The names that occur in a trace.
struct TraceNames {
  std::vector<std::string> labels, variables, processes;
  std::vector<std::string> texts = {};  ///< the variables that have a text as a value somewhere
  bool has_times = false;               ///< some state has a time
};

[[nodiscard]] TraceNames names_of(const Computation& computation);

/// Checks that the names in the properties mean something in this trace: an unknown process or
/// variable is an error. The warnings are about labels that no state carries, about texts where
/// numbers are expected, and about times that no state has.
[[nodiscard]] Expected<std::vector<std::string>> check_names(const Properties& properties,
                                                             TraceNames names);
[[nodiscard]] Expected<std::vector<std::string>> check_names(const Properties& properties,
                                                             const Computation& computation);

}  // namespace lightcone
