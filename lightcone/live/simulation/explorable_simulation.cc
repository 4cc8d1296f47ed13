// One run is one network.
#include <lightcone/live/simulation/explorable_simulation.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace lightcone {

SimulationOutcome ExplorableSimulation::run_once(SimulationOptions options,
                                                 NamedExploration& exploration) const {
  options.chooser = nullptr;
  options.exploration = &exploration;
  SimulatedNetwork network(std::move(options));
  program_.set_up(network);
  return network.run();
}

Expected<ProgramRun> ExplorableSimulation::run(NamedExploration& exploration,
                                               const std::function<bool()>&) {
  using End = SimulationOutcome::End;
  outcome_ = run_once(options_.simulation, exploration);
  if (outcome_.end == End::finished) return ProgramRun();
  return ProgramRun{.end = ProgramRun::End::failed,
                    .text = outcome_.why(),
                    .cut_short = outcome_.end == End::limit};
}

Expected<RunVerdict> ExplorableSimulation::verdict() {
  return RunVerdict{.why = program_.verdict ? program_.verdict(outcome_) : std::nullopt};
}

Expected<void> ExplorableSimulation::keep(const NamedGuide& guide, const std::string&,
                                          const std::string& directory) {
  std::error_code error;
  std::filesystem::remove_all(directory, error);
  std::filesystem::create_directories(directory, error);
  if (error) return failure("cannot be made: " + error.message(), directory);
  SimulationOptions recorded = options_.simulation;
  recorded.run = RunOrders{directory, RecordOrders{}};
  NamedExploration exploration(exploration_options(), guide);
  static_cast<void>(exploration.exploration().begin());
  static_cast<void>(run_once(std::move(recorded), exploration));
  return {};
}

}  // namespace lightcone
