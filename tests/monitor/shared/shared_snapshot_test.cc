// Snapshots of programs whose processes report to several monitors, which share a stream.
#include "monitor/asked_program.h"
#include "monitor/monitor_process.h"
#include "monitor/shared/nats_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "nats/nats_link.h"
#include "nats/partition_names.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using nlohmann::json;

class SharedSnapshots : public testing::Test {
 protected:
  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "there is no nats-server";
    std::ofstream(folder_.path() + "/rules.prop")
        << "watch often : possibly count(seen > 3) >= 2\n";
    server_ = std::make_unique<NatsServer>(folder_.path());
    for (const char* name : {"m0", "m1"}) {
      std::filesystem::create_directories(folder_.path() + "/" + name);
      monitors_.push_back(std::make_unique<MonitorProcess>(
          folder_.path() + "/" + name,
          std::vector<std::string>{folder_.path() + "/rules.prop", "--nats", server_->url(),
                                   "--takeover", "1", "--silent", "0.5", "--listen", "127.0.0.1:0",
                                   "--http", "127.0.0.1:0"}));
      ASSERT_NE(monitors_.back()->web_port(), 0) << monitors_.back()->errors();
    }
  }
  /// Its processes report to the two monitors in turn.
  void start_program(const std::string& mode) {
    program_ = std::make_unique<StartedProgram>(
        std::vector<std::string>{
            LIGHTCONE_SNAPSHOT_PROGRAM, mode,
            std::to_string(monitors_[0]->port()) + ',' + std::to_string(monitors_[1]->port()),
            folder_.path()},
        folder_.path() + "/program");
  }
  [[nodiscard]] Said ask(std::size_t monitor, const std::string& patience = "20",
                         const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {LIGHTCONE_MONITOR_PROGRAM,
                                      "snapshot",
                                      "127.0.0.1:" + std::to_string(monitors_[monitor]->web_port()),
                                      "--json",
                                      "--patience",
                                      patience};
    words.insert(words.end(), more.begin(), more.end());
    return said_by(words, folder_.path() + "/snapshot");
  }
  [[nodiscard]] Said ask_until(std::size_t monitor,
                               const std::function<bool(const json&)>& is_wanted) const {
    Said said;
    for (int i = 0; i < 200; ++i) {
      said = ask(monitor);
      if (said.document.is_object() && is_wanted(said.document)) return said;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ADD_FAILURE() << said.output << said.errors << contents_of(folder_.path() + "/program.err")
                  << monitors_[0]->errors() << monitors_[1]->errors();
    return said;
  }
  [[nodiscard]] static std::function<bool(const json&)> says(const char* what, const char* answer) {
    return [=](const json& document) { return document[what] == answer; };
  }

  TemporaryFolder folder_;
  std::unique_ptr<NatsServer> server_;
  std::vector<std::unique_ptr<MonitorProcess>> monitors_;
  std::unique_ptr<StartedProgram> program_;
};

TEST_F(SharedSnapshots, TerminationIsFoundByEachMonitor) {
  start_program("terminates");
  for (const std::size_t monitor : {0, 1}) {
    const Said said = ask_until(monitor, says("terminated", "yes"));
    EXPECT_EQ(said.status, 0);
    EXPECT_EQ(said.document["execution"], "ring");
    EXPECT_EQ(said.document["deadlock"], "no");
    ASSERT_EQ(said.document["processes"].size(), 3U) << said.output;
    for (const json& process : said.document["processes"]) {
      EXPECT_EQ(process["vars"]["seen"], 5) << said.output;
      EXPECT_EQ(process["state"], "seen 5") << said.output;
    }
    EXPECT_EQ(said.document["in_transit"], json::array());
  }
  const Said unknown = ask(0, "2", {"--execution", "elsewhere"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.errors.find("no open execution named elsewhere"), std::string::npos)
      << unknown.errors;
}

TEST_F(SharedSnapshots, DeadlockIsFoundByEachMonitor) {
  start_program("deadlocks");
  for (const std::size_t monitor : {1, 0}) {
    const Said said = ask_until(monitor, says("deadlock", "yes"));
    EXPECT_EQ(said.status, 1);
    EXPECT_EQ(said.document["deadlocked"], (json{"a", "b", "c"}));
    ASSERT_EQ(said.document["in_transit"].size(), 1U) << said.output;
    EXPECT_EQ(said.document["in_transit"][0]["messages"], 1);
  }
}

/// There is one token: who has seen it last tells where it is.
TEST_F(SharedSnapshots, OfAProgramThatRunsAreConsistent) {
  start_program("runs");
  const auto has_all = [](const json& document) {
    return document["complete"] == true && document["processes"].size() == 3;
  };
  std::int64_t before = -1;
  for (std::size_t i = 0; i < 8; ++i) {
    const Said said = ask_until(i % 2, has_all);
    EXPECT_EQ(said.document["terminated"], "no");
    EXPECT_EQ(said.document["deadlock"], "no");
    std::vector<std::int64_t> seen;
    for (const json& process : said.document["processes"]) {
      seen.push_back(process["vars"]["seen"].get<std::int64_t>());
    }
    EXPECT_TRUE(seen[1] >= seen[2] && seen[2] >= seen[0] && seen[1] - seen[0] <= 1) << said.output;
    EXPECT_GE(seen[0], before);
    before = seen[0];
  }
}

/// The last state of c is where it reported to.
TEST_F(SharedSnapshots, AProcessThatHasEndedTakesPartByItsLastState) {
  start_program("ends");
  for (const std::size_t monitor : {1, 0}) {
    const Said said = ask_until(monitor, says("terminated", "yes"));
    EXPECT_EQ(said.document["processes"][2]["ended"], true) << said.output;
  }
}

/// Nothing is concluded without the processes that reported to a monitor that was killed.
TEST_F(SharedSnapshots, OfAMonitorThatDiedProcessesAreMissing) {
  start_program("terminates");
  static_cast<void>(ask_until(0, says("terminated", "yes")));
  monitors_[1]->kill();
  for (int i = 0; i < 100; ++i) {
    const Said said = ask(0, "1");
    if (said.status == 2) {  // it is not known yet that it died
      EXPECT_NE(said.errors.find("not all monitors answer"), std::string::npos) << said.errors;
      continue;
    }
    EXPECT_EQ(said.status, 3) << said.output;
    EXPECT_EQ(said.document["terminated"], "unknown") << said.output;
    ASSERT_EQ(said.document["missing"].size(), 1U) << said.output;
    EXPECT_EQ(said.document["missing"][0]["process"], "b");
    EXPECT_EQ(said.document["missing"][0]["why"], "it does not answer");
    return;
  }
  ADD_FAILURE() << monitors_[0]->errors();
}

/// A program that publishes its events itself answers questions at the subject that they come with.
TEST_F(SharedSnapshots, ProgramsThatPublishThemselvesTakePart) {
  auto link = service::NatsLink::connect(server_->url(), service::StreamNames());
  ASSERT_TRUE(link) << link.error().text();
  const auto answers = [&](const std::string& bytes, const std::string& reply) {
    const json question = json::parse(bytes, nullptr, false);
    if (!question.is_object() || !question.contains("snapshot")) return;
    for (const char* process : {"p", "q"}) {
      json answer = {{"lightcone", 1}, {"execution", "own"}, {"process", process}};
      if (question["snapshot"].contains("reach")) {
        const std::uint64_t reach = question["snapshot"]["reach"];
        answer["snapshot"] = {{"first", reach},        {"last", reach},
                              {"events", 1},           {"waits", {{"for", "idle"}}},
                              {"sent", json::array()}, {"received", json::array()}};
        answer["snapshot"]["waits"]["senders"] = json::array();
      } else {
        answer["snapshot"] = {{"colour", 6}};
      }
      EXPECT_TRUE((*link)->tell(reply, answer.dump()));
    }
  };
  const auto listener = service::NatsListener::start(**link, (*link)->names().snapshots(), answers);
  ASSERT_TRUE(listener) << listener.error().text();
  service::OutgoingMessage events;
  events.subject = (*link)->names().events_of(service::partition_of("own", 16));
  events.bytes =
      "{\"lightcone\": 1, \"execution\": \"own\"}\n"
      "{\"process\": \"p\", \"kind\": \"internal\"}\n{\"process\": \"q\", \"kind\": "
      "\"internal\"}\n";
  ASSERT_TRUE((*link)->publish(events));
  for (const std::size_t monitor : {0, 1}) {
    const Said said = ask_until(monitor, says("terminated", "yes"));
    EXPECT_EQ(said.document["snapshot"], 7) << said.output;
    EXPECT_EQ(said.document["processes"].size(), 2U);
  }
}

/// Also a monitor that shares a stream says who is waited for, and since when.
TEST_F(SharedSnapshots, WhoIsWaitedForIsSaidInTheStatus) {
  LineClient client(monitors_[0]->port());
  client.send(
      "{\"lightcone\": 1, \"execution\": \"held\"}\n"
      "{\"process\": \"dead\", \"kind\": \"internal\"}\n"
      "{\"process\": \"living\", \"kind\": \"receive\", \"message\": \"dead:1\"}\n");
  std::string status;
  for (int i = 0; i < 400; ++i) {
    status.clear();
    for (const auto& monitor : monitors_) status += web_get(monitor->web_port(), "/status");
    if (status.find("\"sender\":\"dead\"") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_NE(status.find("\"message\":\"dead:1\""), std::string::npos) << status;
  EXPECT_NE(status.find("\"process\":\"dead\",\"since\":"), std::string::npos) << status;
  EXPECT_NE(status.find("\"sender\":\"dead\""), std::string::npos) << status;
}

}  // namespace
}  // namespace lightcone
