// Explores a program that is started once for each execution.
#pragma once

#include <lightcone/error.h>
#include <lightcone/explore/exploration_report.h>
#include <lightcone/progress.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace lightcone::cli {

/// What to explore, and how.
struct ExplorePlan {
  std::vector<std::string> command;
  std::string out;              ///< the directory for recordings of failing executions; absolute
  std::string first;            ///< the recording to begin with; empty: any execution
  std::string properties;       ///< a property file; empty: none
  std::uint64_t most_runs = 0;  ///< 0: all
  std::size_t jobs = 1;         ///< so many executions at a time
  std::uint32_t empty_polls = 1;
  bool fifo = false;        ///< messages from one process to another come in order
  bool unbuffered = false;  ///< sends that may be buffered wait for their receives
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  bool shows_output = false;  ///< what the program prints goes to standard error
  Progress progress = {};
};

/// What came of it; an error is returned as such.
[[nodiscard]] Expected<ExplorationReport> explore_launched(const ExplorePlan& plan);

}  // namespace lightcone::cli
