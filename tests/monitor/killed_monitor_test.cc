// A monitor that is killed again and again under load decides each event once.
#include "monitor/monitor_process.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/trace.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "temporary_folder.h"

namespace lightcone {
namespace {

constexpr const char* rules = R"(
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

/// Sends the lines of one process until all are stored, whatever happens to the monitor.
class StubbornClient {
 public:
  StubbornClient(const RingTrace& trace, std::size_t process, const std::atomic<int>& port)
      : trace_(trace), process_(process), port_(port) {}

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
    client.send("{\"lightcone\": 1, \"execution\": \"ring\", \"answers\": true, \"process\": \"" +
                name + "\", \"from\": " + std::to_string(stored_ + 1) + "}\n");
    if (stored_ == 0) client.send(lines[0]);
    while (client.is_connected() && stored_ + 1 < lines.size() && !gives_up) {
      std::string batch;
      for (int i = 0; i < 40 && sent + 1 < lines.size() && sent < stored_ + 2000; ++i) {
        batch += lines[++sent];
      }
      if (!batch.empty() && !client.send(batch)) return;
      const std::string answer = client.line(batch.empty() ? 50 : 1);
      if (answer.empty()) continue;
      const auto json = nlohmann::json::parse(answer, nullptr, false);
      if (json.contains("stored")) stored_ = json["stored"].value(name, std::uint64_t{0});
    }
  }

  const RingTrace& trace_;
  std::size_t process_;
  const std::atomic<int>& port_;
  std::uint64_t stored_ = 0;
};

[[nodiscard]] int kills_wanted() {
  const char* const wanted = std::getenv("LIGHTCONE_MONITOR_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : 6;
}

TEST(KilledMonitor, DecidesEachEventOnce) {
  const int kills = kills_wanted();
  const TemporaryFolder folder;
  const std::string props = folder.path() + "/rules.prop", state = folder.path() + "/state";
  std::ofstream(props) << rules;
  const RingTrace trace(static_cast<std::size_t>(600 + 200 * kills), 7);
  std::atomic<int> port = 0;
  std::atomic<bool> gives_up = false;
  const auto start = [&] {
    return std::make_unique<MonitorProcess>(
        folder.path(), std::vector<std::string>{props, "--json", "--state", state, "--listen",
                                                "127.0.0.1:" + std::to_string(port.load())});
  };
  auto monitor = start();
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  port = monitor->port();
  std::vector<std::thread> clients;
  for (std::size_t p = 0; p < 3; ++p) {
    clients.emplace_back([&, p] { StubbornClient(trace, p, port).run(gives_up); });
  }
  std::mt19937_64 random(11);
  int killed = 0;
  for (; killed < kills; ++killed) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 150));
    monitor->kill();
    monitor = start();
    if (monitor->port() == 0) {
      gives_up = true;
      break;
    }
  }
  EXPECT_EQ(killed, kills) << monitor->errors();
  for (std::thread& client : clients) client.join();
  if (!gives_up) {
    LineClient last(monitor->port());
    last.send("{\"lightcone\": 1, \"execution\": \"ring\", \"end\": true}\n");
    last.finish();
    while (!last.line(10'000).empty()) {
    }
  }
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();

  ToldVerdicts kept;
  std::ifstream file(state + "/verdicts.jsonl");
  for (std::string line; std::getline(file, line);) kept.add(line);
  EXPECT_EQ(kept.trouble, "");
  const auto reading = read_trace_text(trace.text(), "ring", Format::jsonl);
  ASSERT_TRUE(reading) << reading.error().text();
  const auto properties = parse_properties(rules, "rules");
  ASSERT_TRUE(properties) << properties.error().text();
  const auto report = check(*properties, *reading);
  ASSERT_TRUE(report) << report.error().text();
  const ToldVerdicts expected = expected_of(*report);
  EXPECT_EQ(kept.finals, expected.finals);
  EXPECT_EQ(kept.places["stale"], expected.places.at("stale"));
  EXPECT_GT(kept.places["stale"].size(), 100U);
}

TEST(KilledMonitor, RefusesAStateOfOtherProperties) {
  const TemporaryFolder folder;
  const std::string props = folder.path() + "/rules.prop", state = folder.path() + "/state";
  std::ofstream(props) << rules;
  const std::vector<std::string> arguments = {props, "--state", state, "--listen", "127.0.0.1:0"};
  {
    MonitorProcess first(folder.path(), arguments);
    ASSERT_NE(first.port(), 0) << first.errors();
    MonitorProcess second(folder.path(), arguments);
    EXPECT_EQ(second.port(), 0);
    EXPECT_NE(second.errors().find("another monitor uses this folder"), std::string::npos);
    EXPECT_EQ(first.end(), 0);
  }
  std::ofstream(props) << "forbid other : some flow contains x\n";
  MonitorProcess third(folder.path(), arguments);
  EXPECT_EQ(third.port(), 0);
  EXPECT_NE(third.errors().find("other properties"), std::string::npos) << third.errors();
}

}  // namespace
}  // namespace lightcone
