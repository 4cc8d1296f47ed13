// A program that is started once for each execution, as processes of the operating system.
#pragma once

#include <lightcone/error.h>
#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/controller.h>
#include <lightcone/explore/explorable_program.h>
#include <lightcone/recording.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// Starts programs, one at a time, and ends them.
class ProgramStarter {
 public:
  virtual ~ProgramStarter() = default;
  [[nodiscard]] virtual Expected<void> start(const RunOrders& orders) = 0;
  /// Returns its exit status, as a shell tells it, if it ends within this time.
  [[nodiscard]] virtual std::optional<int> wait(std::chrono::milliseconds longest) = 0;
  /// Ends it, and all that it started. It may take so long to say what it has found.
  virtual void end(std::chrono::milliseconds time_to_report) = 0;
  /// Returns what it has printed, after it was ended; nothing if that was not kept.
  [[nodiscard]] virtual std::optional<std::string> printed() { return std::nullopt; }
};

/// What is the same for all runs of a program.
struct LaunchPlan {
  std::vector<std::string> command;
  std::string out;              ///< the directory for recordings of failing executions; absolute
  std::string first = {};       ///< the recording to begin with; empty: any execution
  std::uint64_t most_runs = 0;  ///< of a program that explores itself; 0: all
  std::uint32_t empty_polls = 1;
  bool unbuffered = false;  ///< sends that may be buffered wait for their receives
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  /// Judges a trace; empty: there is nothing to check.
  std::function<Expected<RunVerdict>(const std::string& trace)> check = {};
  /// Writes the description of a recording.
  std::function<Expected<void>(const Recording& recording, const std::string& directory)> describe =
      {};
};

/// What all that run one program learn of it.
struct LaunchKnowledge {
  std::atomic<bool> acknowledges = false;  ///< receivers are to tell senders what they take
  std::atomic<bool> uses_lightcone = false;
  std::atomic<bool> is_first = true;  ///< the next run is that of the first execution
};

/// Runs a program under a controller. A program on a simulated network goes through all its
/// executions by itself, in one run.
class LaunchedProgram final : public ExplorableProgram {
 public:
  /// Works in a folder of its own, with a short name.
  [[nodiscard]] static Expected<std::unique_ptr<LaunchedProgram>> make(const LaunchPlan& plan,
                                                                       LaunchKnowledge& known,
                                                                       ProgramStarter& starter,
                                                                       std::string folder);

  [[nodiscard]] Expected<ProgramRun> run(NamedExploration& exploration,
                                         const std::function<bool()>& is_over) override;
  [[nodiscard]] Expected<RunVerdict> verdict() override;
  [[nodiscard]] Expected<void> keep(const NamedGuide& guide, const std::string& why,
                                    const std::string& directory) override;

 private:
  LaunchedProgram(const LaunchPlan& plan, LaunchKnowledge& known, ProgramStarter& starter,
                  std::string folder, ControlSocket controller)
      : plan_(plan),
        known_(known),
        starter_(starter),
        folder_(std::move(folder)),
        controller_(std::move(controller)) {}
  [[nodiscard]] std::string recording() const { return folder_ + "/run"; }
  [[nodiscard]] RunOrders orders(bool is_first) const;
  [[nodiscard]] ControlledEnd control(Controller& controller, const std::function<bool()>& is_over);
  [[nodiscard]] ProgramRun run_of(const ControlledEnd& end) const;
  void answer_checks();
  [[nodiscard]] Expected<void> describe(const std::string& why, const std::string& directory) const;
  [[nodiscard]] Expected<void> describe(ExplorationReport& report);

  const LaunchPlan& plan_;
  LaunchKnowledge& known_;
  ProgramStarter& starter_;
  std::string folder_;
  ControlSocket controller_;
  std::optional<ControlSocket> checker_;  // where a simulation asks
  std::optional<ControlChannel> asker_;
  std::optional<Error> check_error_;
  bool unknown_ = false;
  std::optional<int> status_;  // of the last run
};

}  // namespace lightcone
