// What programs and tests call to explore a simulated program.
#include <lightcone/simulation.h>

#include <lightcone/explore/exploration_driver.h>
#include <lightcone/live/simulation/explorable_simulation.h>

#include <utility>

namespace lightcone {

Expected<SimulatedExploration> explore(const SimulatedProgram& program,
                                       const SimulatedExplorationOptions& options) {
  ExplorableSimulation simulation(program, options);
  ExplorationDriver driver({.exploration = simulation.exploration_options(),
                            .first = options.first,
                            .most_runs = options.runs,
                            .is_over = options.is_over,
                            .progress = options.progress},
                           {&simulation});
  auto report = driver.run();
  if (!report) return failure(report.error());
  return SimulatedExploration{report->executions, report->complete, std::move(report->failures)};
}

Expected<GuidedExecution> run_guided(const SimulatedProgram& program, const NamedGuide& guide,
                                     const SimulatedExplorationOptions& options) {
  ExplorableSimulation simulation(program, options);
  NamedExploration exploration(simulation.exploration_options(), guide);
  static_cast<void>(exploration.exploration().begin());
  auto judged = ExplorationDriver::run_once(simulation, exploration);
  if (!judged) return failure(judged.error());
  GuidedExecution execution{.outcome = simulation.outcome()};
  execution.why = std::move(judged->verdict.why);
  execution.guide = exploration.guide();
  execution.followed = follows(execution.guide.guide, guide.guide);
  return execution;
}

Expected<ShrunkFailure> shrink(const SimulatedProgram& program, const NamedGuide& guide,
                               const SimulatedExplorationOptions& options) {
  ExplorableSimulation simulation(program, options);
  return ExplorationDriver::shrink(simulation, guide, simulation.exploration_options(),
                                   options.runs);
}

}  // namespace lightcone
