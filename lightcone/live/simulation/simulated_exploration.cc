// Runs a program again and again, each time on a fresh network.
#include <lightcone/simulation.h>

#include <lightcone/explore/explorer.h>
#include <lightcone/explore/shrinking.h>

#include <utility>

namespace lightcone {
namespace {

using End = SimulationOutcome::End;

[[nodiscard]] ExplorationOptions options_of(const SimulatedExplorationOptions& options) {
  return {.fifo = options.simulation.fifo, .empty_polls = options.empty_polls};
}

/// Runs the program once; the exploration has begun an execution.
[[nodiscard]] Expected<SimulationOutcome> run_once(const SimulatedProgram& program,
                                                   SimulationOptions options, Explorer& explorer) {
  options.chooser = nullptr;
  options.explorer = &explorer;
  SimulatedNetwork network(std::move(options));
  program.set_up(network);
  SimulationOutcome outcome = network.run();
  explorer.exploration().end(outcome.end == End::limit);
  if (explorer.exploration().trouble()) {
    return failure(explorer.trouble(), {}, 0, "explore a program without that");
  }
  return outcome;
}

[[nodiscard]] std::optional<std::string> judge(const SimulatedProgram& program,
                                               const SimulationOutcome& outcome) {
  if (outcome.end != End::finished) return outcome.why();
  return program.verdict ? program.verdict(outcome) : std::nullopt;
}

}  // namespace

Expected<SimulatedExploration> explore(const SimulatedProgram& program,
                                       const SimulatedExplorationOptions& options) {
  SimulatedExploration found;
  Explorer explorer(options_of(options), options.first);
  while (found.executions < options.runs && explorer.exploration().begin()) {
    const auto outcome = run_once(program, options.simulation, explorer);
    if (!outcome) return failure(outcome.error());
    ++found.executions;
    if (auto why = judge(program, *outcome)) {
      found.failures.push_back({found.executions, std::move(*why), explorer.guide()});
    }
    if (options.progress) options.progress("exploring executions", found.executions, 0);
    if (options.is_over && options.is_over()) break;
  }
  found.complete = explorer.exploration().complete();
  return found;
}

Expected<GuidedExecution> run_guided(const SimulatedProgram& program, const NamedGuide& guide,
                                     const SimulatedExplorationOptions& options) {
  Explorer explorer(options_of(options), guide);
  static_cast<void>(explorer.exploration().begin());
  auto outcome = run_once(program, options.simulation, explorer);
  if (!outcome) return failure(outcome.error());
  GuidedExecution execution{.outcome = std::move(*outcome)};
  execution.why = judge(program, execution.outcome);
  execution.guide = explorer.guide();
  execution.followed = follows(execution.guide.guide, guide.guide);
  return execution;
}

Expected<ShrunkFailure> shrink(const SimulatedProgram& program, const NamedGuide& guide,
                               const SimulatedExplorationOptions& options) {
  const auto run = [&](const Guide& tried) -> Expected<std::optional<FailedRun>> {
    auto execution = run_guided(program, {guide.names, tried}, options);
    if (!execution) return failure(execution.error());
    if (!execution->why) return std::nullopt;
    return FailedRun{*execution->why, execution->guide.guide};
  };
  auto shrunk = shrink(guide.guide, run, options.runs);
  if (!shrunk) return failure(shrunk.error());
  auto best = run_guided(program, {guide.names, shrunk->run.guide}, options);
  if (!best) return failure(best.error());
  return ShrunkFailure{{0, best->why.value_or(std::string()), best->guide},
                       {guide.names, shrunk->flips},
                       shrunk->count,
                       shrunk->runs};
}

}  // namespace lightcone
