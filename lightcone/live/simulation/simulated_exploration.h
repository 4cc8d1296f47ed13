// All executions of a program on a simulated network, each once; those that fail can be had again,
// and made simpler.
#pragma once

#include <lightcone/base/error.h>
#include <lightcone/base/progress.h>
#include <lightcone/explore/explorer.h>
#include <lightcone/live/simulation/simulated_network.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// A program that can be run again and again.
struct ExploredProgram {
  /// Spawns the processes, once for each execution. What they share begins anew.
  std::function<void(SimulatedNetwork&)> set_up;
  /// Called after an execution in which nothing went wrong by itself: why it is wrong, or nothing.
  std::function<std::optional<std::string>(const SimulationOutcome&)> verdict = {};
};

struct SimulatedExplorationOptions {
  SimulationOptions simulation = {};  ///< no chooser; rates say only which faults there may be
  std::uint32_t empty_polls = 1;      ///< in a row, of one process, that find nothing at any time
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();  ///< at most
  NamedGuide first = {};               ///< the first execution follows it
  std::function<bool()> is_over = {};  ///< asked between executions: no more are wanted
  Progress progress = {};
};

/// An execution that went wrong: a process threw, some wait for ever, there was no end within the
/// limit, or the verdict was against it.
struct FailedExecution {
  std::uint64_t execution = 0;  ///< its number, counted from 1; 0 for none
  std::string why;
  NamedGuide guide;
};

struct SimulatedExploration {
  std::uint64_t executions = 0;
  bool complete = false;  ///< there are no others
  std::vector<FailedExecution> failures = {};
};

/// Runs a program once for each of its executions that differ in a choice of some process: which
/// message it takes, whether it finds one, how it decides. How long anything takes does not matter:
/// a message may come later than anything else, and time is what a process knows of it. When a
/// process throws, the others go on. It is an error if two processes read one mailbox, or what a
/// process does depends on more than its choices.
[[nodiscard]] Expected<SimulatedExploration> explore(
    const ExploredProgram& program, const SimulatedExplorationOptions& options = {});

/// One execution.
struct GuidedExecution {
  SimulationOutcome outcome;
  std::optional<std::string> why = {};  ///< it is wrong
  NamedGuide guide = {};                ///< all choices that were made
  bool followed = false;                ///< it is as the guide says
};

/// Runs a program once, as a guide says; where it says nothing, like the first of all executions.
[[nodiscard]] Expected<GuidedExecution> run_guided(const ExploredProgram& program,
                                                   const NamedGuide& guide,
                                                   const SimulatedExplorationOptions& options = {});

/// A failure made simple.
struct ShrunkFailure {
  FailedExecution failure;
  NamedGuide flips;         ///< what to choose where not the first that there is
  std::uint64_t count = 0;  ///< of flips
  std::uint64_t runs = 0;   ///< that it took
};

/// Of the choices of an execution that fails, finds few that make the program fail the same way
/// when all others are the first that there are: without any one of them it does not.
[[nodiscard]] Expected<ShrunkFailure> shrink(const ExploredProgram& program,
                                             const NamedGuide& guide,
                                             const SimulatedExplorationOptions& options = {});

}  // namespace lightcone
