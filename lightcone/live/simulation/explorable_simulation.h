// A simulated program as explorations run it: each time on a fresh network, in this thread.
#pragma once

#include <lightcone/explore/explorable_program.h>
#include <lightcone/simulation.h>

#include <functional>
#include <string>

namespace lightcone {

class ExplorableSimulation final : public ExplorableProgram {
 public:
  ExplorableSimulation(SimulatedProgram program, SimulatedExplorationOptions options)
      : program_(std::move(program)), options_(std::move(options)) {}

  [[nodiscard]] ExplorationOptions exploration_options() const {
    return {.fifo = options_.simulation.fifo, .empty_polls = options_.empty_polls};
  }
  /// How the last run ended.
  [[nodiscard]] const SimulationOutcome& outcome() const { return outcome_; }

  [[nodiscard]] Expected<ProgramRun> run(NamedExploration& exploration,
                                         const std::function<bool()>& is_over) override;
  [[nodiscard]] Expected<RunVerdict> verdict() override;
  /// Runs it again, and records that.
  [[nodiscard]] Expected<void> keep(const NamedGuide& guide, const std::string& why,
                                    const std::string& directory) override;

 private:
  [[nodiscard]] SimulationOutcome run_once(SimulationOptions options,
                                           NamedExploration& exploration) const;

  SimulatedProgram program_;
  SimulatedExplorationOptions options_;
  SimulationOutcome outcome_;
};

}  // namespace lightcone
