// Runs a program again, and watches its processes until nothing more happens.
#pragma once

#include <lightcone/error.h>
#include <lightcone/recording.h>

#include <optional>
#include <string>
#include <vector>

#include "run/journal_summary.h"
#include "run/replay_verdict.h"

namespace lightcone::cli {

/// What to run.
struct ReplayPlan {
  std::vector<std::string> command;
  std::string directory;  ///< the recording
  ReplayOrders orders;
  std::vector<JournalSummary> recorded;  ///< of those that are to run
  std::string debugger = {};             ///< to be started where the process stops; empty: none
  std::string alone = {};                ///< the MPI of one process without the others; or empty
  bool keep_output = false;              ///< what it prints goes to standard error
};

/// How it went.
struct ReplayOutcome {
  ReplayVerdict verdict;
  bool stopped = false;            ///< where it was told to, and someone has looked at it
  std::optional<int> exit;         ///< of the program; nothing if it did not end by itself
  std::optional<int> interrupted;  ///< the signal by which someone ended the replay
};

/// Runs it. No process of it is left when this returns.
[[nodiscard]] Expected<ReplayOutcome> run_replay(const ReplayPlan& plan);

}  // namespace lightcone::cli
