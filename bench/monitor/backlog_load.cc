// Fills a stream of NATS, and measures how long one monitor and two take to decide what is in it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "load_trace.h"
#include "nats/nats_link.h"
#include "nats/partition_names.h"
#include "started_monitor.h"

namespace lightcone::load {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t partitions = 16;

struct BacklogOptions {
  std::string program;
  std::uint64_t events = 3'000'000, odd = 200;
  std::uint32_t executions = 32;
  double most_memory = 0;  // MB; 0: no limit
  bool on_one_core = false;

  [[nodiscard]] std::uint64_t rounds() const {
    return events / (std::uint64_t{processes} * per_round * executions);
  }
  /// The first round has no receives.
  [[nodiscard]] std::uint64_t all() const {
    return executions * (rounds() * processes * per_round - processes);
  }
};

void publish(service::NatsLink& link, const std::string& execution, std::string text) {
  const std::uint32_t partition = service::partition_of(execution, partitions);
  service::OutgoingMessage message;
  message.subject = link.names().events_of(partition);
  message.bytes =
      fmt::format("{{\"lightcone\": 1, \"execution\": \"{}\"}}\n{}", execution, std::move(text));
  if (auto published = link.publish(message); !published) {
    fmt::print(stderr, "{}\n", published.error().text());
    std::exit(1);
  }
}

/// Some rounds of each execution in turn, in messages as large as a monitor makes them for busy
/// clients.
void fill(service::NatsLink& link, const BacklogOptions& options) {
  constexpr std::uint64_t at_a_time = 16;
  const auto name_of = [](std::uint32_t execution) { return fmt::format("load-{}", execution); };
  for (std::uint32_t e = 0; e < options.executions; ++e) {
    publish(link, name_of(e), beginning(name_of(e)));
  }
  const std::uint64_t rounds = options.rounds();
  for (std::uint64_t first = 0; first < rounds; first += at_a_time) {
    const std::uint64_t end = std::min(rounds, first + at_a_time);
    for (std::uint32_t e = 0; e < options.executions; ++e) {
      std::string text;
      for (std::uint64_t round = first; round < end; ++round) {
        for (std::uint32_t p = 0; p < processes; ++p) add_round(text, p, round, options.odd);
      }
      publish(link, name_of(e), std::move(text));
    }
  }
}

/// What it took to decide the backlog.
struct Decided {
  double seconds = 0, monitors = 0, server = 0;  // the latter: of processors
  double most_memory = 0;                        // of one monitor, in MB
  std::vector<double> each = {};
};

/// Waits until all is decided.
[[nodiscard]] double watch(const Monitors& monitors, double all) {
  double memory = 0;
  for (double decided = 0; decided < all;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    decided = 0;
    for (const auto& monitor : monitors) {
      const std::string text = monitor->metrics();
      decided += metric(text, "lightcone_events_decided_total");
      memory = std::max(memory, metric(text, "lightcone_memory_bytes") / 1e6);
    }
  }
  return memory;
}

/// The monitors have their parts of the stream before it is filled. They stand still meanwhile.
[[nodiscard]] Decided decide_by(std::size_t count, const BacklogOptions& options) {
  const StartedNats nats;
  Monitors monitors;
  for (std::size_t i = 0; i < count; ++i) {
    monitors.push_back(std::make_unique<StartedMonitor>(
        options.program, properties,
        std::vector<std::string>{"--listen", "127.0.0.1:0", "--nats", nats.url(), "--takeover",
                                 "2"},
        options.on_one_core ? std::optional(static_cast<int>(i)) : std::nullopt));
  }
  auto link = service::NatsLink::connect(nats.url(), service::StreamNames());
  if (!link || !have_parts(monitors)) std::exit(1);
  for (const auto& monitor : monitors) monitor->program().pause();
  fill(**link, options);
  Decided result;
  for (const auto& monitor : monitors) {
    result.each.push_back(-monitor->program().processor_seconds());
  }
  result.server = -nats.program().processor_seconds();
  const auto began = Clock::now();
  for (const auto& monitor : monitors) monitor->program().go_on();
  result.most_memory = watch(monitors, static_cast<double>(options.all()));
  result.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  result.server += nats.program().processor_seconds();
  for (std::size_t i = 0; i < count; ++i) {
    result.each[i] += monitors[i]->program().processor_seconds();
    result.monitors += result.each[i];
  }
  return result;
}

[[nodiscard]] bool print(const Decided& decided, const BacklogOptions& options) {
  const auto all = static_cast<double>(options.all());
  static_cast<void>(print_row("events per second", all / decided.seconds, ""));
  static_cast<void>(print_row("seconds", decided.seconds, "s"));
  for (const double seconds : decided.each) {
    static_cast<void>(print_row("processor seconds of a monitor", seconds, "s"));
  }
  static_cast<void>(print_row("processor seconds of nats-server", decided.server, "s"));
  static_cast<void>(
      print_row("events per processor second of the monitors", all / decided.monitors, ""));
  return print_row("most memory of a monitor", decided.most_memory, "MB", options.most_memory);
}

/// However well two monitors share, the cores have to do the work of the server, too.
void compare(const Decided& one, const Decided& two) {
  const double cores = static_cast<double>(std::thread::hardware_concurrency());
  fmt::print("\n");
  static_cast<void>(print_row("two monitors are faster by", one.seconds / two.seconds, ""));
  static_cast<void>(print_row("their work, of the work of one", two.monitors / one.monitors, ""));
  const double work = one.monitors + one.server;
  static_cast<void>(
      print_row("cores in use by one monitor and the server", work / one.seconds, ""));
  static_cast<void>(print_row("what the cores would allow", one.seconds * cores / work, ""));
}

[[nodiscard]] int run(const BacklogOptions& options) {
  fmt::print("-- one monitor\n");
  const Decided one = decide_by(1, options);
  bool is_good = print(one, options);
  fmt::print("-- two monitors\n");
  const Decided two = decide_by(2, options);
  is_good &= print(two, options);
  compare(one, two);
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace lightcone::load

int main(int argc, char** argv) {
  lightcone::load::BacklogOptions options;
  CLI::App app("Fills a stream, and measures how long one monitor and two take to decide it.");
  app.add_option("PROGRAM", options.program, "lightcone-monitor")->required();
  app.add_option("--events", options.events, "how many");
  app.add_option("--executions", options.executions, "among which they are divided");
  app.add_option("--odd", options.odd, "a verdict for one in so many rounds");
  app.add_option("--most-memory", options.most_memory, "fail beyond so many MB");
  app.add_flag("--one-core", options.on_one_core, "let each monitor run on a core of its own");
  CLI11_PARSE(app, argc, argv);
  return lightcone::load::run(options);
}
