// The program `lightcone-monitor`: its command line, and how it runs until it is told to end.
#pragma once

#include <string>
#include <vector>

namespace lightcone::service {

/// Runs one command line, without the program's name; returns the exit status.
[[nodiscard]] int run_monitor(const std::vector<std::string>& arguments);

}  // namespace lightcone::service
