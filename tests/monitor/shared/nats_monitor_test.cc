// Monitors that share a stream of a real nats-server: they tell what `check` finds, whoever of them
// or of the server is killed.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"
#include "monitor/monitor_process.h"
#include "monitor/ring_trace.h"
#include "monitor/shared/nats_server.h"
#include "monitor/shared/streamed_verdicts.h"
#include "monitor/shuffled_lines.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/monitor.h>
#include <lightcone/process.h>

#include <fstream>

#include "nats/nats_monitor.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using service::NatsMonitor;
using service::StreamNames;

[[nodiscard]] std::unique_ptr<NatsMonitor> start_shared(const std::string& url,
                                                        const std::string& name,
                                                        const PropertyFile& properties) {
  service::NatsMonitorOptions options;
  options.url = url;
  options.names = StreamNames(name);
  options.partitions = 3;
  options.takeover = std::chrono::milliseconds(400);
  options.worker.partition.note = [](const std::string&) {};
  auto monitor = NatsMonitor::start(properties, std::move(options));
  if (!monitor) RC_FAIL(monitor.error().text());
  return std::move(*monitor);
}

/// Sends some lines at a time to any of the monitors; what must come first is stored first.
void send_to_any(const ShuffledLines& lines, const std::string& execution,
                 std::vector<service::ArrivalTaker*> takers, std::mt19937_64& random) {
  std::istringstream text(lines.sent());
  std::string first, piece;
  std::vector<std::string> pieces;
  for (std::string line; std::getline(text, line);) {
    const bool is_first =
        line.starts_with("{\"lightcone\"") || line.find("\"kind\": \"init\"") != std::string::npos;
    (is_first ? first : piece) += line + '\n';
    if (random() % 5 == 0 && !piece.empty()) pieces.push_back(std::exchange(piece, {}));
  }
  pieces.push_back(piece);
  const auto send = [&](const std::string& bytes, service::ArrivalTaker& taker) {
    const std::string heading = "{\"lightcone\": 1, \"execution\": \"" + execution + "\"}\n";
    send_in_pieces(heading + bytes, random, std::make_shared<QuietSource>(),
                   [&](service::Arrival arrival) { taker.offer(std::move(arrival)); });
  };
  send(first, *takers.front());
  takers.front()->settle();
  for (const std::string& bytes : pieces) send(bytes, *takers[random() % takers.size()]);
  for (service::ArrivalTaker* taker : takers) taker->settle();
  send("{\"lightcone\": 1, \"end\": true}\n", *takers.back());
}

/// Two monitors share the executions of one random computation. Returns how much was found.
[[nodiscard]] std::size_t share_runs(const NatsServer& server, const Computation& c,
                                     const Properties& syntax) {
  static int runs = 0;
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const PropertyFile properties(syntax);
  const std::string name = "run" + std::to_string(++runs);
  const auto a = start_shared(server.url(), name, properties);
  const auto b = start_shared(server.url(), name, properties);
  std::vector<ShuffledLines> lines;
  for (int i = 0; i < 4; ++i) {
    lines.emplace_back(c, random);
    send_to_any(lines.back(), "execution " + std::to_string(i), {&a->intake(), &b->intake()},
                random);
  }
  std::size_t found = 0;
  StreamedVerdicts verdicts(server.url(), name, 3);
  for (int i = 0; i < 4; ++i) {
    const std::string execution = "execution " + std::to_string(i);
    RC_ASSERT(verdicts.wait_for_end(execution, properties.size()));
    const ToldVerdicts& told = verdicts.told[execution];
    expect_agreement(told, syntax, lines[static_cast<std::size_t>(i)]);
    for (const auto& [property, places] : told.places) found += places.size();
    for (const auto& [property, count] : told.globals) found += count;
  }
  return found;
}

TEST(SharedStream, TellsWhatTheRecordedRunsShow) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "there is no nats-server";
  const TemporaryFolder folder;
  const NatsServer server(folder.path());
  std::size_t places = 0;
  arbitrary::for_all_computations("shared streams", 40, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto text = arbitrary::random_properties(random, arbitrary::property_options(c));
    const auto syntax = parse_property_syntax(text, "random");
    if (!syntax || !Monitor::can_check(PropertyFile(*syntax))) return;
    places += share_runs(server, c, *syntax);
  });
  EXPECT_GT(places, 40U);
}

TEST(SharedStream, TellsTheGlobalPropertiesOfTheRecordedRuns) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "there is no nats-server";
  const TemporaryFolder folder;
  const NatsServer server(folder.path());
  std::size_t found = 0;
  arbitrary::for_all_globals("shared globals", 30,
                             [&](const Computation& c, const Properties& properties) {
                               found += share_runs(server, c, properties);
                             });
  EXPECT_GT(found, 10U);
}

/// The program, with a stream instead of a folder.
class SharedMonitors : public testing::Test {
 protected:
  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "there is no nats-server";
    std::ofstream(props()) << ring_rules;
    server_ = std::make_unique<NatsServer>(folder_.path());
  }
  [[nodiscard]] std::string props() const { return folder_.path() + "/rules.prop"; }
  [[nodiscard]] std::unique_ptr<MonitorProcess> start(const std::string& name, int port,
                                                      std::vector<std::string> more = {}) const {
    const std::string folder = folder_.path() + "/" + name;
    std::filesystem::create_directories(folder);
    std::vector<std::string> arguments = {props(), "--json",   "--takeover",
                                          "1",     "--listen", "127.0.0.1:" + std::to_string(port)};
    if (std::ranges::find(more, "--nats") == more.end()) {
      arguments.insert(arguments.end(), {"--nats", server_->url()});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::make_unique<MonitorProcess>(folder, arguments);
  }

  TemporaryFolder folder_;
  std::unique_ptr<NatsServer> server_;
};

TEST_F(SharedMonitors, DecideEachEventOnceThoughTheyAndTheServerAreKilled) {
  const int kills = kills_wanted();
  constexpr std::size_t rings = 4;
  std::vector<RingTrace> traces;
  for (std::size_t i = 0; i < rings; ++i) {
    traces.emplace_back(static_cast<std::size_t>(150 + 100 * kills), 20 + i);
  }
  std::vector<std::unique_ptr<MonitorProcess>> monitors;
  std::vector<std::atomic<int>> ports(2);
  for (std::size_t i = 0; i < 2; ++i) {
    monitors.push_back(start("m" + std::to_string(i), 0));
    ASSERT_NE(monitors[i]->port(), 0) << monitors[i]->errors();
    ports[i] = monitors[i]->port();
  }
  std::atomic<bool> gives_up = false;
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < rings; ++i) {
    for (std::size_t p = 0; p < 3; ++p) {
      // The processes of an execution speak to different monitors.
      clients.emplace_back([&, i, p] {
        StubbornClient client(traces[i], p, ports[(i + p) % 2], "ring-" + std::to_string(i),
                              std::chrono::milliseconds(150));
        client.run(gives_up);
      });
    }
  }
  std::mt19937_64 random(11);
  for (int i = 0; i < kills && !gives_up; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 700));
    if (i % 3 == 2) {
      server_->kill();
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 300));
      gives_up = !server_->start();
      continue;
    }
    const std::size_t one = random() % 2;
    monitors[one]->kill();
    if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // taken over
    monitors[one] = start("m" + std::to_string(one), ports[one]);
    gives_up = monitors[one]->port() == 0;
  }
  EXPECT_FALSE(gives_up) << monitors[0]->errors() << monitors[1]->errors();
  for (std::thread& client : clients) client.join();
  for (std::size_t i = 0; i < rings; ++i) {
    LineClient last(monitors[i % 2]->port());
    last.send("{\"lightcone\": 1, \"execution\": \"ring-" + std::to_string(i) +
              "\", \"end\": true}\n");
    last.finish();
    while (!last.line(10'000).empty()) {
    }
  }
  StreamedVerdicts verdicts(server_->url(), "lightcone", 16);
  for (std::size_t i = 0; i < rings; ++i) {
    const std::string execution = "ring-" + std::to_string(i);
    ASSERT_TRUE(verdicts.wait_for_end(execution, 3))
        << execution << '\n'
        << monitors[0]->errors() << monitors[1]->errors();
    const ToldVerdicts& told = verdicts.told[execution];
    const ToldVerdicts expected = expected_of_ring(traces[i]);
    EXPECT_EQ(told.trouble, "");
    EXPECT_EQ(told.finals, expected.finals) << execution;
    EXPECT_EQ(told.places, expected.places) << execution;
    EXPECT_GT(told.places.at("stale").size(), 10U);
  }
  EXPECT_EQ(monitors[0]->end(), 0) << monitors[0]->errors();
  EXPECT_EQ(monitors[1]->end(), 0) << monitors[1]->errors();
}

TEST_F(SharedMonitors, QuietExecutionsEndAndProcessesReportToAnyMonitor) {
  const auto monitor = start("m", 0, {"--quiet", "2", "--http", "127.0.0.1:0"});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  {
    ProcessOptions options;
    options.name = "a";
    options.report_to = "127.0.0.1:" + std::to_string(monitor->port());
    options.report_execution = "live";
    auto process = Process::start(options, {.variables = {{"state", std::int64_t{0}}}});
    ASSERT_TRUE(process);
    for (const char* label : {"write", "read", "sync"}) (*process)->event({.labels = {label}});
  }
  StreamedVerdicts verdicts(server_->url(), "lightcone", 16);
  ASSERT_TRUE(verdicts.wait_for_end("live", 3)) << monitor->errors();
  const ToldVerdicts& told = verdicts.told["live"];
  EXPECT_EQ(told.trouble, "");
  EXPECT_EQ(told.finals.at("stale"), "fail 1");
  EXPECT_EQ(told.finals.at("fed"), "pass 1");
  const std::string metrics = web_get(monitor->web_port(), "/metrics");
  EXPECT_NE(metrics.find("lightcone_partitions_owned 16"), std::string::npos) << metrics;
  EXPECT_NE(metrics.find("lightcone_events_accepted_total 3"), std::string::npos) << metrics;
  EXPECT_NE(web_get(monitor->web_port(), "/status").find("\"monitors\":1"), std::string::npos);
  EXPECT_EQ(web_get(monitor->web_port(), "/healthz"), "ok\n");
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
}

TEST_F(SharedMonitors, WhatCannotBeSharedIsRefused) {
  const auto first = start("first", 0, {"--partitions", "5"});
  ASSERT_NE(first->port(), 0) << first->errors();
  const auto expect_refused = [&](const std::vector<std::string>& more, const std::string& why) {
    const auto other = start("other", 0, more);
    EXPECT_EQ(other->port(), 0);
    EXPECT_NE(other->errors().find(why), std::string::npos) << other->errors();
  };
  expect_refused({"--partitions", "6"}, "the stream has 5 partitions, not 6");
  expect_refused({"--state", folder_.path() + "/s"}, "--nats and --state do not go together");
  expect_refused({"--nats-name", "a.b"}, "is not a name for --nats-name");
  expect_refused({"--nats", "nats://10.1.2.3:4222"}, "nothing protects what is sent there");
  expect_refused({"--nats", "nats://127.0.0.1:1"}, "nats-server has to run with JetStream");
  std::ofstream(props()) << "forbid other : some flow contains x\n";
  expect_refused({}, "its monitors decide other properties");
  EXPECT_EQ(first->end(), 0) << first->errors();
}

}  // namespace
}  // namespace lightcone
