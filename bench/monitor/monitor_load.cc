// Sends events to a monitor as fast as it takes them, or at a rate, and measures what it does; or
// to several monitors that share a stream.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "load_trace.h"
#include "started_monitor.h"

namespace lightcone::load {
namespace {

using Clock = std::chrono::steady_clock;

struct LoadOptions {
  std::string program;
  std::uint64_t events = 1'000'000, rate = 0, odd = 200;
  std::uint32_t clients = 4, executions = 1, shared = 0;
  double most_memory = 0, most_lag = 0, most_delay = 0;  // MB, s, ms; 0: no limit
  bool stores = false;

  [[nodiscard]] std::uint64_t rounds() const {
    return events / (std::uint64_t{processes} * per_round * executions);
  }
};

[[nodiscard]] std::string name_of(std::uint32_t execution) {
  return fmt::format("load-{}", execution);
}

/// Sends at the rate of all clients together.
class PacedSocket {
 public:
  PacedSocket(const LoadOptions& options, std::uint16_t port)
      : options_(options), socket_(connected_socket(port)) {}
  PacedSocket(const PacedSocket&) = delete;
  PacedSocket& operator=(const PacedSocket&) = delete;
  ~PacedSocket() { ::close(socket_); }

  /// `part` of all events has been added to the text.
  void send(std::string& text, double part, bool is_last) {
    constexpr std::size_t enough = 64 << 10;
    const bool is_paced = options_.rate != 0;
    if (!is_paced && text.size() < enough && !is_last) return;
    send_all(socket_, text);
    text.clear();
    if (!is_paced) return;
    const double due =
        part * static_cast<double>(options_.events) / static_cast<double>(options_.rate);
    std::this_thread::sleep_until(
        began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(due)));
  }

 private:
  const LoadOptions& options_;
  int socket_;
  Clock::time_point began_ = Clock::now();
};

/// Some of the processes of the only execution, round by round.
void send_processes(const LoadOptions& options, std::uint16_t port, std::uint32_t client) {
  PacedSocket socket(options, port);
  std::string text = fmt::format("{{\"lightcone\": 1, \"execution\": \"{}\"}}\n", name_of(0));
  const std::uint64_t rounds = options.rounds();
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint32_t p = client; p < processes; p += options.clients) {
      add_round(text, p, round, options.odd);
    }
    socket.send(text, static_cast<double>(round) / static_cast<double>(rounds),
                round + 1 == rounds);
  }
}

/// Some of the executions, some rounds of each in turn.
void send_executions(const LoadOptions& options, std::uint16_t port, std::uint32_t client) {
  constexpr std::uint64_t at_a_time = 16;
  PacedSocket socket(options, port);
  std::string text;
  const std::uint64_t rounds = options.rounds();
  for (std::uint64_t first = 0; first < rounds; first += at_a_time) {
    const std::uint64_t end = std::min(rounds, first + at_a_time);
    for (std::uint32_t e = client; e < options.executions; e += options.clients) {
      text += fmt::format("{{\"lightcone\": 1, \"execution\": \"{}\"}}\n", name_of(e));
      for (std::uint64_t round = first; round < end; ++round) {
        for (std::uint32_t p = 0; p < processes; ++p) add_round(text, p, round, options.odd);
      }
    }
    socket.send(text, static_cast<double>(end) / static_cast<double>(rounds), end == rounds);
  }
}

void send_events(const LoadOptions& options, const Monitors& monitors) {
  std::vector<std::thread> threads;
  for (std::uint32_t client = 0; client < options.clients; ++client) {
    const std::uint16_t port = monitors[client % monitors.size()]->port_after("listens at");
    threads.emplace_back([&options, port, client] {
      (options.executions == 1 ? send_processes : send_executions)(options, port, client);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Looks at the monitors while they work.
class Watcher {
 public:
  explicit Watcher(const Monitors& monitors)
      : thread_([this, &monitors] {
          while (!ends_) {
            for (const auto& monitor : monitors) {
              const std::string text = monitor->metrics();
              lag_ = std::max(lag_, metric(text, "lightcone_lag_seconds"));
              memory_.push_back(metric(text, "lightcone_memory_bytes"));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
          }
        }) {}
  void end() {
    ends_ = true;
    thread_.join();
  }
  [[nodiscard]] double lag() const { return lag_; }
  /// The most memory of this part of the time, in MB.
  [[nodiscard]] double memory(double from, double to) const {
    const auto at = [&](double part) {
      return memory_.begin() +
             static_cast<std::ptrdiff_t>(part * static_cast<double>(memory_.size()));
    };
    return at(from) == at(to) ? 0 : *std::max_element(at(from), at(to)) / 1e6;
  }

 private:
  double lag_ = 0;
  std::vector<double> memory_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

[[nodiscard]] Monitors start_monitors(const LoadOptions& options, const std::string& nats) {
  Monitors monitors;
  std::vector<std::string> more = {"--listen", "127.0.0.1:0"};
  if (options.shared > 0) {
    more.insert(more.end(), {"--nats", nats, "--takeover", "2"});
  } else {
    more.insert(more.end(), {"--output", "{}/verdicts"});
  }
  if (options.stores) more.insert(more.end(), {"--state", "{}/state"});
  for (std::uint32_t i = 0; i < std::max(options.shared, 1U); ++i) {
    monitors.push_back(std::make_unique<StartedMonitor>(options.program, properties, more));
  }
  return monitors;
}

[[nodiscard]] int run_load(const LoadOptions& options) {
  const auto nats = options.shared > 0 ? std::make_unique<StartedNats>() : nullptr;
  const Monitors monitors = start_monitors(options, nats ? nats->url() : "");
  if (options.shared > 0 && !have_parts(monitors)) return 1;
  const int first = connected_socket(monitors.front()->port_after("listens at"));
  for (std::uint32_t e = 0; e < options.executions; ++e) send_all(first, beginning(name_of(e)));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  // The first round has no receives.
  const std::uint64_t all =
      options.executions * (options.rounds() * processes * per_round - processes);
  Watcher watcher(monitors);
  const auto began = Clock::now();
  send_events(options, monitors);
  const auto sent = Clock::now();
  while (sum(monitors, "lightcone_events_decided_total") < static_cast<double>(all)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  watcher.end();
  ::close(first);
  bool is_good = true;
  static_cast<void>(print_row("events", static_cast<double>(all), ""));
  static_cast<void>(print_row("events per second", static_cast<double>(all) / seconds, ""));
  static_cast<void>(print_row("time to decide the rest after the last was sent",
                              seconds - std::chrono::duration<double>(sent - began).count(), "s"));
  if (options.shared == 0) {
    const std::string text = monitors.front()->metrics();
    is_good &= print_row("largest lag", watcher.lag(), "s", options.most_lag);
    is_good &=
        print_row("99 % of verdicts within", quantile(text, "lightcone_verdict_seconds", 0.99),
                  "ms", options.most_delay);
  }
  is_good &= print_row("most memory", watcher.memory(0, 1), "MB", options.most_memory);
  static_cast<void>(print_row("in the first quarter of the time", watcher.memory(0, 0.25), "MB"));
  static_cast<void>(print_row("in the last quarter", watcher.memory(0.75, 1), "MB"));
  static_cast<void>(print_row("verdicts", sum(monitors, "lightcone_verdicts_total"), ""));
  // An execution that is given up has counted its events, but decided nothing.
  is_good &= print_row("events that were ignored", sum(monitors, "lightcone_events_ignored_total"),
                       "", 0.5);
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace lightcone::load

int main(int argc, char** argv) {
  lightcone::load::LoadOptions options;
  CLI::App app("Sends events to a monitor, and measures what it does.");
  app.add_option("PROGRAM", options.program, "lightcone-monitor")->required();
  app.add_option("--events", options.events, "how many");
  app.add_option("--rate", options.rate, "events per second; 0: as fast as the monitor takes them");
  app.add_option("--clients", options.clients, "connections");
  app.add_option("--executions", options.executions, "each sent by one of the clients");
  app.add_option("--nats", options.shared, "so many monitors that share a stream");
  app.add_option("--odd", options.odd, "a verdict for one in so many rounds");
  app.add_option("--most-memory", options.most_memory, "fail beyond so many MB");
  app.add_option("--most-lag", options.most_lag, "fail beyond so many seconds");
  app.add_option("--most-delay", options.most_delay, "fail beyond so many milliseconds");
  app.add_flag("--state", options.stores, "let the monitor store what it accepts");
  CLI11_PARSE(app, argc, argv);
  return lightcone::load::run_load(options);
}
