// Random programs whose every choice goes through the door: to record, replay and compare.
#pragma once

#include <lightcone/live/process.h>
#include <lightcone/live/taking.h>
#include <lightcone/live/world.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A few processes that do what their random numbers, the time and what they received say.
class Wanderers {
 public:
  static constexpr std::array<const char*, 3> names = {"a", "b", "c"};

  Wanderers(RunOrders orders, int steps) : orders_(std::move(orders)), steps_(steps) {}

  /// One process, from its beginning to its end.
  template <Network N>
  void wander(N& network, const std::string& name) {
    ProcessOptions options;
    options.name = name;
    options.members = {"a", "b"};  // and c, who is not known from the beginning
    options.run = orders_;
    options.on_report = [this](const RunReport& report) {
      const std::lock_guard lock(mutex_);
      reports_[report.process] = report;
    };
    options.on_error = [this](const Error& error) {
      const std::lock_guard lock(mutex_);
      errors_.push_back(error.text());
    };
    auto started = Process::start(options);
    if (!started) {
      options.on_error(started.error());
      return;
    }
    Process& process = **started;
    std::uint64_t state = 1;
    for (int step = 0; step < steps_; ++step) {
      switch ((process.random() + state) % 6) {
        case 0: make_event(process, state); break;
        case 1:
        case 2: send_on(network, process, state); break;
        case 3: use(process, poll(network, process), state); break;
        default: use(process, take_within(std::chrono::milliseconds(3), network, process), state);
      }
    }
  }

  [[nodiscard]] const std::map<std::string, RunReport>& reports() const { return reports_; }
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  /// All that a process was given, for comparison.
  [[nodiscard]] const std::map<std::string, std::string>& given() const { return given_; }

 private:
  void make_event(Process& process, std::uint64_t& state) {
    static constexpr std::array<std::string_view, 3> labels = {"red", "green", "blue"};
    state = state * 31 + process.choose(3);
    const auto time = static_cast<std::int64_t>(process.time() % 1000);
    const std::string outside =
        process.read([] { return std::to_string(World::here().random() % 7); });
    note(process, outside);
    process.event({.labels = {labels[state % 3]}, .variables = {{"time", time}}});
  }
  template <Network N>
  void send_on(N& network, Process& process, std::uint64_t state) {
    const std::string to = names[process.random() % names.size()];
    send(network, process, to, std::to_string(state % 1000),
         {.variables = {{"state", static_cast<std::int64_t>(state % 1000)}}});
  }
  void use(Process& process, const std::optional<Parcel>& parcel, std::uint64_t& state) {
    if (!parcel) return;
    for (const char c : parcel->content) state = state * 31 + static_cast<unsigned char>(c);
    note(process, parcel->from + parcel->content);
    process.receive(parcel->tag);
  }
  void note(const Process& process, const std::string& what) {
    const std::lock_guard lock(mutex_);
    given_[std::string(process.name())] += what + ' ';
  }

  RunOrders orders_;
  int steps_;
  std::mutex mutex_;
  std::map<std::string, RunReport> reports_;
  std::vector<std::string> errors_;
  std::map<std::string, std::string> given_;
};

}  // namespace lightcone
