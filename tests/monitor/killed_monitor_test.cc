// A monitor that is killed again and again under load decides each event once.
#include "monitor/monitor_process.h"
#include "monitor/ring_trace.h"
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

TEST(KilledMonitor, DecidesEachEventOnce) {
  const int kills = kills_wanted();
  const TemporaryFolder folder;
  const std::string props = folder.path() + "/rules.prop", state = folder.path() + "/state";
  std::ofstream(props) << ring_rules;
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
  const ToldVerdicts expected = expected_of_ring(trace);
  EXPECT_EQ(kept.finals, expected.finals);
  EXPECT_EQ(kept.places["stale"], expected.places.at("stale"));
  EXPECT_GT(kept.places["stale"].size(), 100U);
}

TEST(KilledMonitor, RefusesAStateOfOtherProperties) {
  const TemporaryFolder folder;
  const std::string props = folder.path() + "/rules.prop", state = folder.path() + "/state";
  std::ofstream(props) << ring_rules;
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
