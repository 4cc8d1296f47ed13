// Runs all executions of a program on a simulated network, each once. Failing executions can be run
// again, and made simpler.
#pragma once

#include <lightcone/error.h>
#include <lightcone/explore/explorer.h>
#include <lightcone/live/simulation/simulated_network.h>
#include <lightcone/progress.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// A program that can be run several times.
struct ExploredProgram {
  /// Spawns the processes, once per execution. It must also create what they share.
  std::function<void(SimulatedNetwork&)> set_up;
  /// Called after an execution in which nothing else went wrong. Returns why it is wrong, or
  /// nothing.
  std::function<std::optional<std::string>(const SimulationOutcome&)> verdict = {};
};

struct SimulatedExplorationOptions {
  SimulationOptions simulation = {};  ///< no chooser; rates only say which faults are possible
  std::uint32_t empty_polls = 1;      ///< how many polls in a row may find nothing, per process
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();  ///< at most
  NamedGuide first = {};               ///< the first execution follows it
  std::function<bool()> is_over = {};  ///< called between executions; true ends the exploration
  Progress progress = {};
};

/// An execution that failed: a process threw, some wait for ever, it did not end within the limit,
/// or the verdict gave a reason.
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

/// Runs a program once for each execution that differs in a choice of some process: which message
/// it takes, whether it finds one, what it chooses. Durations do not matter: a message may come
/// later than anything else. If a process throws, the others continue. It is an error if two
/// processes read one mailbox, or if what a process does depends on more than its choices.
[[nodiscard]] Expected<SimulatedExploration> explore(
    const ExploredProgram& program, const SimulatedExplorationOptions& options = {});

/// One execution.
struct GuidedExecution {
  SimulationOutcome outcome;
  std::optional<std::string> why = {};  ///< why it failed
  NamedGuide guide = {};                ///< all choices that were made
  bool followed = false;                ///< whether it followed the guide
};

/// Runs a program once as a guide says. Other choices are made as in the first of all executions.
[[nodiscard]] Expected<GuidedExecution> run_guided(const ExploredProgram& program,
                                                   const NamedGuide& guide,
                                                   const SimulatedExplorationOptions& options = {});

/// A failure that was made simpler.
struct ShrunkFailure {
  FailedExecution failure;
  NamedGuide flips;         ///< the choices that differ from the first alternative
  std::uint64_t count = 0;  ///< the number of flips
  std::uint64_t runs = 0;   ///< the number of runs that were needed
};

/// Finds few choices of a failing execution that make the program fail in the same way, with all
/// other choices being the first alternative. Without any one of them it does not fail.
[[nodiscard]] Expected<ShrunkFailure> shrink(const ExploredProgram& program,
                                             const NamedGuide& guide,
                                             const SimulatedExplorationOptions& options = {});

}  // namespace lightcone
