// Processes in a ring, and clients that send their events until all are stored.
#pragma once

#include "monitor/monitor_process.h"
#include "monitor/told_verdicts.h"

#include <lightcone/check.h>
#include <lightcone/trace.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lightcone {

inline constexpr const char* ring_rules = R"(
forbid stale : some flow ends with write -> read without sync
require fed : every flow at read contains write
forbid both : possibly count(state == 1) >= 2
)";

/// Three processes that pass messages around and do things in between.
class RingTrace {
 public:
  RingTrace(std::size_t rounds, std::uint64_t seed) : lines_(3) {
    std::mt19937_64 random(seed);
    for (std::size_t p = 0; p < 3; ++p) {
      add(p, R"("kind": "init", "vars": {"state": 0})");
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t p = 0; p < 3; ++p) {
        const std::string message = name(p) + ":" + std::to_string(round);
        static const char* const labels[] = {"write", "read", "sync", "other"};
        add(p, std::string(R"("kind": "internal", "labels": [")") + labels[random() % 4] +
                   R"("], "vars": {"state": )" + std::to_string(random() % 40 == 0 ? 1 : 0) + "}");
        add(p, R"("kind": "send", "message": ")" + message + R"(", "to": ")" + name((p + 1) % 3) +
                   '"');
        if (round > 0) {
          const std::string before = name((p + 2) % 3) + ":" + std::to_string(round - 1);
          add(p, R"("kind": "receive", "message": ")" + before + '"');
        }
      }
    }
  }

  [[nodiscard]] static std::string name(std::size_t p) { return "p" + std::to_string(p); }
  /// The lines of a process, the initial state first: entry k has rank k.
  [[nodiscard]] const std::vector<std::string>& of(std::size_t p) const { return lines_[p]; }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& lines : lines_) {
      for (const std::string& line : lines) text += line;
    }
    return text;
  }

 private:
  void add(std::size_t p, const std::string& rest) {
    lines_[p].push_back("{\"process\": \"" + name(p) + "\", " + rest + "}\n");
  }

  std::vector<std::vector<std::string>> lines_;
};

/// What must be told of a ring.
[[nodiscard]] inline ToldVerdicts expected_of_ring(const RingTrace& trace) {
  const auto reading = read_trace_text(trace.text(), "ring", Format::jsonl);
  const auto properties = parse_properties(ring_rules, "rules");
  const auto report = check(properties.value(), reading.value());
  return expected_of(report.value());
}

/// Sends the lines of one process until all are stored, whatever happens to the monitor.
class StubbornClient {
 public:
  StubbornClient(const RingTrace& trace, std::size_t process, const std::atomic<int>& port,
                 std::string execution = "ring", std::chrono::milliseconds pause = {})
      : trace_(trace),
        process_(process),
        port_(port),
        execution_(std::move(execution)),
        pause_(pause) {}

  void run(const std::atomic<bool>& gives_up) {
    const auto& lines = trace_.of(process_);
    while (stored_ + 1 < lines.size() && !gives_up) {
      LineClient client(static_cast<std::uint16_t>(port_.load()));
      if (!client.is_connected()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        continue;
      }
      speak(client, lines, gives_up);
    }
  }

 private:
  void speak(LineClient& client, const std::vector<std::string>& lines,
             const std::atomic<bool>& gives_up) {
    const std::string name = RingTrace::name(process_);
    std::size_t sent = stored_;
    client.send("{\"lightcone\": 1, \"execution\": \"" + execution_ +
                "\", \"answers\": true, \"process\": \"" + name +
                "\", \"from\": " + std::to_string(stored_ + 1) + "}\n");
    if (stored_ == 0) client.send(lines[0]);
    while (client.is_connected() && stored_ + 1 < lines.size() && !gives_up) {
      std::string batch;
      for (int i = 0; i < 40 && sent + 1 < lines.size() && sent < stored_ + 2000; ++i) {
        batch += lines[++sent];
      }
      if (!batch.empty() && !client.send(batch)) return;
      if (!batch.empty()) std::this_thread::sleep_for(pause_);
      const std::string answer = client.line(batch.empty() ? 50 : 1);
      if (answer.empty()) continue;
      const auto json = nlohmann::json::parse(answer, nullptr, false);
      if (json.contains("stored")) stored_ = json["stored"].value(name, std::uint64_t{0});
    }
  }

  const RingTrace& trace_;
  std::size_t process_;
  const std::atomic<int>& port_;
  std::string execution_;
  std::chrono::milliseconds pause_;  // after each batch
  std::uint64_t stored_ = 0;
};

/// How often something is killed.
[[nodiscard]] inline int kills_wanted(int usually = 6) {
  const char* const wanted = std::getenv("LIGHTCONE_MONITOR_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : usually;
}

}  // namespace lightcone
