// Runs a simulated program once, or through all its executions.
#include <lightcone/simulation.h>

#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/exploration_driver.h>
#include <lightcone/explore/recorded_guide.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/live/simulation/explorable_simulation.h>
#include <lightcone/recording.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

void say(const std::string& text) { std::fputs((text + '\n').c_str(), stderr); }

[[nodiscard]] int run_alone(const SimulatedProgram& program, SimulationOptions options) {
  SimulatedNetwork network(std::move(options));
  program.set_up(network);
  const SimulationOutcome outcome = network.run();
  std::optional<std::string> why;
  if (outcome.end != SimulationOutcome::End::finished) {
    why = outcome.text();
  } else if (program.verdict) {
    why = program.verdict(outcome);
  }
  if (why) say(*why);
  return why ? EXIT_FAILURE : EXIT_SUCCESS;
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

/// Processes that find their files there would be later incarnations of those before them.
void make_empty(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  std::filesystem::create_directories(folder, ignored);
}

/// Returns what the checker says of a recording, if it is something.
[[nodiscard]] std::optional<std::string> ask(ControlChannel& checker, const std::string& folder) {
  if (!checker.say(control::Checks{folder})) return std::nullopt;
  const auto answer = checker.hear();
  const auto* const checked = answer ? std::get_if<control::Checked>(&*answer) : nullptr;
  if (checked == nullptr || checked->wrong.empty()) return std::nullopt;
  return checked->wrong;
}

/// Each execution is recorded, and a checker asked what is wrong with it.
[[nodiscard]] Expected<void> add_check(SimulatedProgram& program, SimulationOptions& options,
                                       const ExploreOrders& orders) {
  auto channel = ControlChannel::connect(orders.checker);
  if (!channel) return failure(channel.error());
  const auto checker = std::make_shared<ControlChannel>(std::move(*channel));
  const std::string folder = orders.reports + "/checked";
  options.run = RunOrders{folder, RecordOrders{}};
  program.set_up = [folder, set_up = program.set_up](SimulatedNetwork& network) {
    make_empty(folder);
    set_up(network);
  };
  program.verdict = [checker, folder, verdict = program.verdict](
                        const SimulationOutcome& outcome) -> std::optional<std::string> {
    std::optional<std::string> why = verdict ? verdict(outcome) : std::nullopt;
    return why ? why : ask(*checker, folder);
  };
  return {};
}

[[nodiscard]] Expected<ExplorationReport> explore_as(const ExploreOrders& orders,
                                                     SimulatedProgram program,
                                                     SimulationOptions options) {
  constexpr std::uint64_t most_failures = 100, most_shrinking_runs = 1'000'000;
  DriverOptions driver{.most_failures = most_failures,
                       .most_shrinking_runs = most_shrinking_runs,
                       .out = orders.failures,
                       .is_over = [] { return is_interrupted != 0; }};
  if (orders.most_runs != 0) driver.most_runs = orders.most_runs;
  if (!orders.first.empty()) {
    auto first = recorded_guide(orders.first);
    if (!first) return failure(first.error());
    driver.first = std::move(*first);
  }
  options.run.reset();
  if (!orders.checker.empty()) {
    if (auto added = add_check(program, options, orders); !added) return failure(added.error());
  }
  ExplorableSimulation simulation(
      std::move(program), {.simulation = std::move(options), .empty_polls = orders.empty_polls});
  driver.exploration = simulation.exploration_options();
  return ExplorationDriver(std::move(driver), {&simulation}).run();
}

/// Explores a program, and leaves a report of it.
[[nodiscard]] int explore_and_report(const ExploreOrders& orders, const SimulatedProgram& program,
                                     SimulationOptions options) {
  note_interruptions();
  auto report = explore_as(orders, program, std::move(options));
  if (!report) report = ExplorationReport{.error = report.error().text()};
  const auto written = report->write(orders.reports);
  if (!written) say(written.error().text());
  return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int run_simulated(const SimulatedProgram& program, SimulationOptions options) {
  auto orders = Surroundings::here().orders();
  if (!orders) {
    say(orders.error().text());
    return EXIT_FAILURE;
  }
  const ExploreOrders* const explored = *orders ? (*orders)->explore() : nullptr;
  if (explored == nullptr) return run_alone(program, std::move(options));
  return explore_and_report(*explored, program, std::move(options));
}

}  // namespace lightcone
