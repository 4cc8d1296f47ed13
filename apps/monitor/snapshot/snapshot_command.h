// `lightcone-monitor snapshot ADDR`: asks a monitor that runs for a snapshot, and prints it.
#pragma once

#include <string>
#include <vector>

namespace lightcone::service {

/// Runs the words after `snapshot`; returns the exit status.
[[nodiscard]] int run_snapshot(const std::vector<std::string>& words);

}  // namespace lightcone::service
