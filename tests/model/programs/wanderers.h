// Random programs whose every choice goes through the door: to record, replay and compare.
#pragma once

#include "model/programs/wanderer_memory.h"

#include <lightcone/live/process/surroundings.h>
#include <lightcone/network.h>
#include <lightcone/process.h>
#include <lightcone/riders/tags/peers.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// A few processes that do what their random numbers, the time and what they received say.
class Wanderers {
 public:
  static constexpr std::array<const char*, 3> names = WandererMemory::names;

  Wanderers(std::optional<RunOrders> orders, int steps)
      : orders_(std::move(orders)), steps_(steps) {}

  Channels channels = Channels::any;
  /// They begin snapshots, and whatever they have of one is given here.
  std::function<void(std::string_view part)> on_part = {};
  bool saves = true;

  /// One process, from its beginning to its end.
  template <Network N>
  void wander(N& network, const std::string& name) {
    ProcessOptions options;
    options.name = name;
    options.members = {"a", "b"};  // and c, who is not known from the beginning
    options.run = orders_;
    options.channels = channels;
    Memory memory;
    if (saves) options.save = [&] { return memory.text(); };
    options.restore = [&](std::string_view text) { memory = Memory(text); };
    if (on_part) {
      options.on_snapshot_part = [&](std::string_view part) {
        note(name, std::to_string(Peers::hash_of(part)));
        on_part(part);
      };
    }
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
    bool goes_on = process.restored();  // with what it was about to do
    for (; memory.step < steps_; ++memory.step) {
      if (!std::exchange(goes_on, false)) memory.action = (process.random() + memory.state) % 6;
      switch (memory.action) {
        case 0: make_event(network, process, memory.state); break;
        case 1:
        case 2: send_on(network, process, memory); break;
        case 3: use(process, poll(network, process), memory); break;
        default: use(process, take_within(std::chrono::milliseconds(3), network, process), memory);
      }
    }
  }

  using Memory = WandererMemory;

  [[nodiscard]] const std::map<std::string, RunReport>& reports() const { return reports_; }
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  /// All that a process was given, for comparison.
  [[nodiscard]] const std::map<std::string, std::string>& given() const { return given_; }

 private:
  template <Network N>
  void make_event(N& network, Process& process, std::uint64_t& state) {
    static constexpr std::array<std::string_view, 3> labels = {"red", "green", "blue"};
    state = state * 31 + process.choose(3);
    const auto time = static_cast<std::int64_t>(process.time() % 1000);
    const std::string outside =
        process.read([] { return std::to_string(Surroundings::here().random() % 7); });
    note(process.name(), outside);
    process.event({.labels = {labels[state % 3]}, .variables = {{"time", time}}});
    if (!on_part || state % 2 == 0) return;
    process.begin_snapshot();
    for (const char* to : names) {
      if (channels == Channels::fifo && to != process.name()) send_marker(network, process, to);
    }
  }
  template <Network N>
  void send_on(N& network, Process& process, Memory& memory) {
    const std::string to = names[process.random() % names.size()];
    const auto state = static_cast<std::int64_t>(memory.state % 1000);
    ++memory.sent[to];
    send(network, process, to, std::to_string(state), {.variables = {{"state", state}}});
  }
  void use(Process& process, std::optional<TakenParcel> parcel, Memory& memory) {
    if (!parcel) return;
    for (const char c : parcel->content) {
      memory.state = memory.state * 31 + static_cast<unsigned char>(c);
    }
    ++memory.received[parcel->from];
    note(process.name(), parcel->from + parcel->content);
    process.receive(std::move(parcel->taken));
  }
  void note(std::string_view process, const std::string& what) {
    const std::lock_guard lock(mutex_);
    given_[std::string(process)] += what + ' ';
  }

  std::optional<RunOrders> orders_;
  int steps_;
  std::mutex mutex_;
  std::map<std::string, RunReport> reports_;
  std::vector<std::string> errors_;
  std::map<std::string, std::string> given_;
};

/// What became of the processes, for people.
[[nodiscard]] inline std::string reports_of(const Wanderers& program) {
  std::string out;
  for (const auto& [name, report] : program.reports()) {
    out += name + " " + std::to_string(static_cast<int>(report.why)) + ": " + report.text + "\n";
  }
  for (const std::string& error : program.errors()) out += error + "\n";
  return out;
}

}  // namespace lightcone
