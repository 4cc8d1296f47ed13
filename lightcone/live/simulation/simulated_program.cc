// Runs a simulated program once, or through all its executions.
#include <lightcone/simulation.h>

#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/recorded_guide.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/live/simulation/exploration_report.h>
#include <lightcone/recording.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

void say(const std::string& text) { std::fputs((text + '\n').c_str(), stderr); }

[[nodiscard]] std::optional<std::string> verdict_on(const SimulatedProgram& program,
                                                    const SimulationOutcome& outcome) {
  if (outcome.end != SimulationOutcome::End::finished) return outcome.text();
  return program.verdict ? program.verdict(outcome) : std::nullopt;
}

[[nodiscard]] int run_once(const SimulatedProgram& program, SimulationOptions options) {
  SimulatedNetwork network(std::move(options));
  program.set_up(network);
  const auto why = verdict_on(program, network.run());
  if (why) say(*why);
  return why ? EXIT_FAILURE : EXIT_SUCCESS;
}

/// How an execution is recorded that fails, or that is to be checked.
[[nodiscard]] RunOrders recording_in(const std::string& directory) {
  return {directory, RecordOrders{}};
}

/// Someone wants the exploration to end.
volatile std::sig_atomic_t is_interrupted = 0;

/// What was found so far is to be told then.
void note_interruptions() {
  struct sigaction noting = {};
  noting.sa_handler = [](int) { is_interrupted = 1; };
  sigemptyset(&noting.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &noting, nullptr);
}

/// One exploration, from its first execution to its report.
class Expedition {
 public:
  Expedition(const SimulatedProgram& program, SimulationOptions options, ExploreOrders orders)
      : orders_(std::move(orders)), program_(program) {
    options_.simulation = std::move(options);
    options_.simulation.run.reset();
    if (orders_.most_runs != 0) options_.runs = orders_.most_runs;
    options_.empty_polls = orders_.empty_polls;
    options_.is_over = [] { return is_interrupted != 0; };
    note_interruptions();
    if (!orders_.checker.empty()) ask_checker();
  }

  [[nodiscard]] int run() {
    auto found = explore_all();
    if (!found) {
      report_.error = found.error().text();
    } else {
      report_.executions = found->executions;
      report_.complete = found->complete;
      report_.failed = found->failures.size();
      for (const FailedExecution& failed : found->failures) {
        if (report_.failures.size() == most_recordings) break;
        keep(failed);
      }
    }
    if (const auto written = report_.write(orders_.reports); !written) {
      say(written.error().text());
      return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
  }

 private:
  [[nodiscard]] Expected<SimulatedExploration> explore_all() {
    if (!orders_.first.empty()) {
      auto first = recorded_guide(orders_.first);
      if (!first) return failure(first.error());
      options_.first = std::move(*first);
    }
    return explore(program_, options_);
  }

  /// Has the properties checked after each execution.
  void ask_checker() {
    auto channel = ControlChannel::connect(orders_.checker);
    if (!channel) return say(channel.error().text());
    checker_.emplace(std::move(*channel));
    const std::string folder = orders_.reports + "/checked";
    empty(folder);
    options_.simulation.run = recording_in(folder);
    program_.verdict = [this, folder, verdict = program_.verdict](
                           const SimulationOutcome& outcome) -> std::optional<std::string> {
      std::optional<std::string> why = verdict ? verdict(outcome) : std::nullopt;
      if (!why) why = ask_of(folder);
      empty(folder);
      return why;
    };
  }

  /// Processes that find their files there would be later incarnations of those before them.
  static void empty(const std::string& folder) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    std::filesystem::create_directories(folder, ignored);
  }

  [[nodiscard]] std::optional<std::string> ask_of(const std::string& folder) {
    if (!checker_->say(control::Checks{folder})) return {};
    const auto answer = checker_->hear();
    const auto* const checked = answer ? std::get_if<control::Checked>(&*answer) : nullptr;
    if (checked == nullptr || checked->wrong.empty()) return std::nullopt;
    return checked->wrong;
  }

  /// Records a failing execution. The first one of each kind is made as simple as it gets.
  void keep(const FailedExecution& failed) {
    ExplorationReport::Failure failure{failed.execution, failed.why, {}};
    NamedGuide guide = failed.guide;
    if (kinds_.insert(failed.why).second && is_interrupted == 0) {
      if (const auto shrunk = shrink(program_, guide, options_)) {
        guide = shrunk->failure.guide;
        failure.flips = shrunk->count;
      }
    }
    report_.failures.push_back(std::move(failure));
    if (orders_.failures.empty()) return;  // no recordings are wanted
    const std::string folder = orders_.failures + "/" + std::to_string(failed.execution);
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    SimulatedExplorationOptions recorded = options_;
    recorded.simulation.run = recording_in(folder);
    SimulatedProgram quiet = program_;
    quiet.verdict = {};
    static_cast<void>(run_guided(quiet, guide, recorded));
  }

  ExploreOrders orders_;
  SimulatedProgram program_;
  SimulatedExplorationOptions options_;
  std::optional<ControlChannel> checker_;
  std::set<std::string> kinds_;
  ExplorationReport report_;
};

}  // namespace

int run_simulated(const SimulatedProgram& program, SimulationOptions options) {
  auto orders = Surroundings::here().orders();
  if (!orders) {
    say(orders.error().text());
    return EXIT_FAILURE;
  }
  const ExploreOrders* const explored = *orders ? (*orders)->explore() : nullptr;
  if (explored == nullptr) return run_once(program, std::move(options));
  return Expedition(program, std::move(options), *explored).run();
}

}  // namespace lightcone
