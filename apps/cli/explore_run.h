// Runs a program through all its executions that differ, and keeps those that fail.
#pragma once

#include <lightcone/causal/error.h>
#include <lightcone/causal/progress.h>

#include <chrono>
#include <cstdint>
#include <optional>
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
  std::uint32_t empty_polls = 1;
  bool fifo = false;  ///< messages from one process to another come in order
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  bool shows_output = false;  ///< what the program prints goes to standard error
  Progress progress = {};
};

/// What came of it.
struct Explored {
  struct Failure {
    std::uint64_t execution = 0;  ///< counted from 1; the recording has this name
    std::string why;
    std::optional<std::uint64_t> flips = {};  ///< how few choices make it fail, if that is known
  };
  std::uint64_t executions = 0;
  std::uint64_t failed = 0;  ///< of which the first are kept
  bool complete = false;     ///< no other order remains, and all were checked
  std::vector<Failure> failures;
};

[[nodiscard]] Expected<Explored> explore(const ExplorePlan& plan);

}  // namespace lightcone::cli
