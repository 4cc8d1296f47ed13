// Runs a program under the order of a recording, and reads what it did as a trace.
#pragma once

#include <lightcone/trace.h>

#include <string>
#include <vector>

#include "run/replay_verdict.h"

namespace lightcone::cli {

/// A program that was run again.
struct ReplayedTrace {
  Reading reading;  ///< cut off, if it did not follow the recording to its end
  ReplayVerdict verdict;
};

/// Runs COMMAND so that it follows the recording as far as it does. What it prints goes to standard
/// error. `patience`: in seconds, as for `replay`.
[[nodiscard]] Expected<ReplayedTrace> replay_traced(const std::string& recording,
                                                    const std::vector<std::string>& command,
                                                    double patience);

}  // namespace lightcone::cli
