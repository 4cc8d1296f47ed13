// Snapshots of running programs through a monitor: what they show, and what they do not know.
#include "monitor/asked_program.h"
#include "monitor/monitor_process.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <lightcone/live/simulation/process_random.h>
#include <lightcone/snapshot.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "lightcone_monitor.grpc.pb.h"
#include "snapshot/snapshot_answer.h"
#include "snapshot/snapshot_text.h"
#include "system/json/json_schema.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using nlohmann::json;

class SnapshotOfProgram : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() + "/rules.prop")
        << "watch often : possibly count(seen > 3) >= 2\n";
  }
  void start_monitor(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {folder_.path() + "/rules.prop", "--listen", "127.0.0.1:0",
                                      "--http", "127.0.0.1:0"};
    words.insert(words.end(), more.begin(), more.end());
    monitor_ = std::make_unique<MonitorProcess>(folder_.path(), words);
    ASSERT_NE(monitor_->port(), 0) << monitor_->errors();
    ASSERT_NE(monitor_->web_port(), 0) << monitor_->errors();
  }
  void start_program(const std::string& mode, const std::string& token = {}) {
    std::vector<std::string> words = {LIGHTCONE_SNAPSHOT_PROGRAM, mode,
                                      std::to_string(monitor_->port()), folder_.path()};
    if (!token.empty()) words.push_back(token);
    program_ = std::make_unique<StartedProgram>(words, folder_.path() + "/program");
  }
  [[nodiscard]] Said ask(const std::string& patience = "20",
                         const std::vector<std::string>& more = {"--json"}) const {
    std::vector<std::string> words = {LIGHTCONE_MONITOR_PROGRAM, "snapshot",
                                      "127.0.0.1:" + std::to_string(monitor_->web_port()),
                                      "--patience", patience};
    words.insert(words.end(), more.begin(), more.end());
    return said_by(words, folder_.path() + "/snapshot");
  }
  /// Asks until the snapshot is as wanted; what is stable comes, however slow the machine is.
  [[nodiscard]] Said ask_until(const std::function<bool(const json&)>& is_wanted,
                               const std::vector<std::string>& more = {"--json"}) const {
    Said said;
    for (int i = 0; i < 200; ++i) {
      said = ask("20", more);
      if (said.document.is_object() && is_wanted(said.document)) return said;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ADD_FAILURE() << said.output << said.errors << contents_of(folder_.path() + "/program.err");
    return said;
  }
  [[nodiscard]] static bool has_all(const json& document) {
    return document["complete"] == true && document["processes"].size() == 3;
  }
  /// All three have seen their last token.
  [[nodiscard]] static bool is_quiet(const json& document) {
    if (document["processes"].size() < 2) return false;
    for (const json& process : document["processes"]) {
      if (process["vars"].value("seen", 0) != 5) return false;
    }
    return true;
  }
  void expect_valid(const json& document) const {
    EXPECT_EQ(JsonSchema("snapshot").problem(document), "") << document;
  }
  /// The number of one of the three processes.
  [[nodiscard]] int number_of(std::size_t place) const {
    std::ifstream file(folder_.path() + "/pids");
    int number = 0;
    for (std::size_t i = 0; i <= place; ++i) file >> number;
    return number;
  }

  TemporaryFolder folder_;
  std::unique_ptr<MonitorProcess> monitor_;
  std::unique_ptr<StartedProgram> program_;
};

TEST_F(SnapshotOfProgram, TerminationIsFound) {
  start_monitor();
  start_program("terminates");
  const Said said = ask_until([](const json& document) { return document["terminated"] == "yes"; });
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.document["deadlock"], "no");
  EXPECT_EQ(said.document["processes"].size(), 3U);
  EXPECT_TRUE(is_quiet(said.document)) << said.output;
  EXPECT_EQ(said.document["in_transit"], json::array());
  EXPECT_EQ(said.document["processes"][1]["state"], "seen 5");
  expect_valid(said.document);
  const Said text = ask("20", {});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.output.find("Terminated: yes."), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("is idle"), std::string::npos) << text.output;
}

TEST_F(SnapshotOfProgram, DeadlockIsFound) {
  start_monitor();
  start_program("deadlocks");
  const Said said = ask_until([](const json& document) { return document["deadlock"] == "yes"; });
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.document["deadlocked"], (json{"a", "b", "c"}));
  EXPECT_EQ(said.document["terminated"], "no");
  expect_valid(said.document);
  // How many messages are in transit is known, though nobody takes them.
  ASSERT_EQ(said.document["in_transit"].size(), 1U) << said.output;
  EXPECT_EQ(said.document["in_transit"][0]["from"], "c");
  EXPECT_EQ(said.document["in_transit"][0]["to"], "a");
  EXPECT_EQ(said.document["in_transit"][0]["messages"], 1);
  const Said text =
      said_by({LIGHTCONE_PROGRAM, "snapshot", "127.0.0.1:" + std::to_string(monitor_->web_port()),
               "--patience", "20"},
              folder_.path() + "/snapshot");
  EXPECT_EQ(text.status, 1) << text.errors;
  EXPECT_NE(text.output.find("these wait forever: a, b, c."), std::string::npos) << text.output;
}

TEST_F(SnapshotOfProgram, AProgramThatRunsHasNeitherTerminatedNorADeadlock) {
  start_monitor();
  start_program("runs");
  std::int64_t before = -1;
  for (int i = 0; i < 5; ++i) {
    const Said said = ask_until(has_all);
    EXPECT_EQ(said.status, 0) << said.output;
    EXPECT_EQ(said.document["terminated"], "no");
    EXPECT_EQ(said.document["deadlock"], "no");
    expect_valid(said.document);
    // There is one token: who has seen it last tells where it is.
    std::vector<std::int64_t> seen;
    for (const json& process : said.document["processes"]) {
      seen.push_back(process["vars"]["seen"].get<std::int64_t>());
    }
    EXPECT_TRUE(seen[1] >= seen[2] && seen[2] >= seen[0] && seen[1] - seen[0] <= 1) << said.output;
    EXPECT_GE(seen[0], before);
    before = seen[0];
  }
}

TEST_F(SnapshotOfProgram, AProcessThatDoesNotAnswerIsNamedAlsoWhenItDies) {
  start_monitor();
  start_program("silent");
  const auto has_others = [](const json& document) {
    return document["complete"] == false && document["missing"].size() == 1 && is_quiet(document);
  };
  Said said;
  for (int i = 0; i < 100; ++i) {
    said = ask("1");
    if (said.document.is_object() && has_others(said.document)) break;
  }
  EXPECT_EQ(said.status, 3) << said.output;
  EXPECT_EQ(said.document["terminated"], "unknown");
  EXPECT_EQ(said.document["deadlock"], "unknown");
  EXPECT_EQ(said.document["missing"][0]["process"], "c");
  EXPECT_EQ(said.document["missing"][0]["why"],
            "it has not come to a place where its state is saved");
  expect_valid(said.document);

  const std::string output = folder_.path() + "/during";
  StartedProgram asking({LIGHTCONE_MONITOR_PROGRAM, "snapshot",
                         "127.0.0.1:" + std::to_string(monitor_->web_port()), "--patience", "6"},
                        output);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ::kill(number_of(2), SIGKILL);
  EXPECT_EQ(asking.wait(), 3);
  EXPECT_NE(contents_of(output).find("Missing: c: its connection has ended."), std::string::npos)
      << contents_of(output) << contents_of(output + ".err");
  EXPECT_NE(contents_of(output).find("Terminated: unknown."), std::string::npos);
}

TEST_F(SnapshotOfProgram, AProcessThatDoesNotTellWhetherItWaitsLeavesTheAnswerUnknown) {
  start_monitor();
  start_program("untold");
  const Said said =
      ask_until([](const json& document) { return has_all(document) && is_quiet(document); });
  EXPECT_EQ(said.status, 3);
  EXPECT_EQ(said.document["terminated"], "unknown");
  EXPECT_EQ(said.document["deadlock"], "unknown");
  EXPECT_EQ(said.document["not_told"], json{"c"});
  expect_valid(said.document);
}

TEST_F(SnapshotOfProgram, WhoHasTakenAMessageIsNotIdle) {
  start_monitor();
  start_program("holds");
  const Said said = ask_until([](const json& document) {
    // Then a has sent its last message, and c has taken it.
    return has_all(document) && is_quiet(document) && document["in_transit"].empty() &&
           document["processes"][0]["waits"]["for"] == "idle";
  });
  EXPECT_EQ(said.document["processes"][2]["waits"]["for"], "nothing") << said.output;
  EXPECT_EQ(said.document["terminated"], "no");
}

TEST_F(SnapshotOfProgram, AProcessThatHasEndedTakesPartByItsLastState) {
  start_monitor();
  start_program("ends");
  const Said said = ask_until([](const json& document) { return document["terminated"] == "yes"; });
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.document["processes"][2]["ended"], true) << said.output;
  EXPECT_EQ(said.document["processes"][2]["vars"]["seen"], 5);
  expect_valid(said.document);
}

TEST_F(SnapshotOfProgram, WhoAsksNeedsAToken) {
  const std::string tokens = folder_.path() + "/tokens";
  std::ofstream(tokens) << "0123456789abcdef0123 ring\nfedcba98765432100123 other\n";
  ::chmod(tokens.c_str(), 0600);
  start_monitor({"--tokens", tokens});
  start_program("terminates", "0123456789abcdef0123");
  const Said refused = ask();
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output, "");
  EXPECT_NE(refused.errors.find("the token is missing or not known"), std::string::npos)
      << refused.errors;
  const std::string token = folder_.path() + "/token";
  std::ofstream(token) << "0123456789abcdef0123\n";
  const auto is_terminated = [](const json& document) { return document["terminated"] == "yes"; };
  EXPECT_EQ(ask_until(is_terminated, {"--json", "--token", token}).status, 0);
  // Another client does not speak for a process of this one.
  LineClient other(monitor_->port());
  other.send(
      "{\"lightcone\": 1, \"token\": \"fedcba98765432100123\", \"execution\": \"ring\", "
      "\"process\": \"b\", \"from\": 1, \"snapshots\": true}\n"
      "{\"lightcone\": 1, \"process\": \"b\", \"snapshot\": {\"first\": 1, \"events\": 1, "
      "\"sent\": [], \"received\": []}}\n");
  static_cast<void>(other.line(5000));
  const Said after = ask("20", {"--json", "--token", token});
  EXPECT_EQ(after.document["terminated"], "yes") << after.output;
}

TEST_F(SnapshotOfProgram, NamesWhatCannotBeAsked) {
  start_monitor();
  EXPECT_NE(ask().errors.find("no program reports to this monitor"), std::string::npos);
  LineClient client(monitor_->port());
  client.send(
      "{\"lightcone\": 1, \"execution\": \"plain\", \"answers\": true, \"process\": \"p\", "
      "\"from\": 1}\n{\"process\": \"p\", \"kind\": \"internal\"}\n");
  ASSERT_NE(client.line(20'000), "");
  const Said said = ask();
  EXPECT_EQ(said.status, 3) << said.errors;
  EXPECT_EQ(said.document["missing"][0]["process"], "p");
  expect_valid(said.document);
  const Said unknown = ask("1", {"--execution", "elsewhere"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.errors.find("no open execution named elsewhere"), std::string::npos);
}

/// A process that answers over a gRPC stream by hand.
TEST_F(SnapshotOfProgram, ProcessesOverGrpcAreAskedOverTheirStream) {
  start_monitor({"--grpc", "127.0.0.1:0"});
  const std::string said = monitor_->errors();
  const std::size_t at = said.find("takes event streams at ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::string address =
      said.substr(said.find("127", at), said.find('\n', at) - said.find("127", at));
  const auto stub =
      v1::Monitor::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  const auto stream = stub->Report(&context);
  const auto send = [&](const std::string& lines) {
    v1::EventBatch batch;
    batch.set_lines(lines);
    stream->Write(batch);
  };
  send(
      "{\"lightcone\": 1, \"execution\": \"calls\", \"answers\": true, \"process\": \"p\", "
      "\"from\": 1, \"snapshots\": true}\n{\"process\": \"p\", \"kind\": \"internal\"}\n");
  v1::EventAnswer answer;
  ASSERT_TRUE(stream->Read(&answer));
  std::thread answering([&] {
    while (stream->Read(&answer)) {
      const json line = json::parse(answer.line(), nullptr, false);
      if (!line.is_object() || !line.contains("snapshot")) continue;
      const auto reach = line["snapshot"].value("reach", 0);
      send(reach == 0
               ? "{\"lightcone\": 1, \"process\": \"p\", \"snapshot\": {\"colour\": 6}}\n"
               : "{\"lightcone\": 1, \"process\": \"p\", \"snapshot\": {\"first\": 7, \"last\": 7, "
                 "\"events\": 1, \"waits\": {\"for\": \"idle\"}, \"sent\": [], \"received\": "
                 "[]}}\n");
    }
  });
  const Said taken = ask();
  EXPECT_EQ(taken.status, 0) << taken.output << taken.errors;
  EXPECT_EQ(taken.document["snapshot"], 7);
  EXPECT_EQ(taken.document["terminated"], "yes");
  stream->WritesDone();
  answering.join();
  EXPECT_TRUE(stream->Finish().ok());
}

/// All that a process that did not tell may do.
[[nodiscard]] std::vector<json> possible_waits(const std::vector<std::string>& names) {
  std::vector<json> waits = {{{"for", "nothing"}}, {{"for", "idle"}}};
  for (unsigned set = 0; set < 1U << names.size(); ++set) {
    json senders = json::array();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if ((set >> i & 1U) != 0) senders.push_back(names[i]);
    }
    waits.push_back({{"for", "any"}, {"senders", senders}});
    waits.push_back({{"for", "all"}, {"senders", senders}});
  }
  return waits;
}

/// A snapshot of three processes at random.
struct RandomSnapshot {
  explicit RandomSnapshot(std::uint64_t seed) : random(seed) {
    const auto all = possible_waits(names);
    for (std::size_t p = 0; p < names.size(); ++p) {
      json part = {{"events", 1}};
      if (random.below(3) != 0)
        part["waits"] = all[random.below(static_cast<std::uint32_t>(all.size()))];
      if (random.below(3) == 0) part["waits"] = {{"for", "idle"}};
      if (random.below(8) == 0) part["waits"] = {{"for", "no_one"}};
      parts.push_back(part);
      counts.emplace_back();
      if (random.below(8) == 0) counts[p][names[random.below(3)]] = 1;
    }
  }
  [[nodiscard]] GlobalSnapshot with(const std::vector<json>& states) const {
    GlobalSnapshot snapshot(1, names);
    for (std::size_t p = 0; p < names.size(); ++p) {
      const LocalPart part{names[p], {1, 1}, states[p].dump(), counts[p], {}};
      EXPECT_TRUE(snapshot.add(std::make_shared<const LocalPart>(part)));
    }
    return snapshot;
  }
  [[nodiscard]] std::size_t untold() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(parts, [](const json& part) { return !part.contains("waits"); }));
  }

  PortableRandom random;
  std::vector<std::string> names = {"a", "b", "c"};
  std::vector<json> parts;
  std::vector<MessageCounts> counts;  // of messages that were sent, and are in transit
};

/// The definition: what is answered holds whatever the others do.
TEST(StableAnswers, AreThoseThatAllPossibilitiesShare) {
  std::map<std::pair<std::string_view, std::string_view>, int> cases;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const RandomSnapshot drawn(seed);
    if (drawn.untold() > 2) continue;
    std::vector<std::vector<json>> completions = {{}};
    for (const json& part : drawn.parts) {
      std::vector<std::vector<json>> longer;
      const auto choices =
          part.contains("waits") ? std::vector<json>{part["waits"]} : possible_waits(drawn.names);
      for (const auto& begun : completions) {
        for (const json& waits : choices) {
          longer.push_back(begun);
          longer.back().push_back({{"waits", waits}});
        }
      }
      completions = std::move(longer);
    }
    std::set<bool> terminations, deadlocks;
    std::set<std::string> certain(drawn.names.begin(), drawn.names.end());
    for (const auto& states : completions) {
      const GlobalSnapshot snapshot = drawn.with(states);
      const auto waits_for = [](std::string_view, std::string_view state) {
        return *service::awaited_in(*Json::parse(state));
      };
      terminations.insert(is_terminated(snapshot, [&](std::string_view, std::string_view state) {
        const Awaited::For what = waits_for("", state).what;
        return what == Awaited::For::idle || what == Awaited::For::no_one;
      }));
      const auto stuck = deadlocked(snapshot, waits_for);
      deadlocks.insert(!stuck.empty());
      std::erase_if(certain, [&](const std::string& name) {
        return std::ranges::find(stuck, name) == stuck.end();
      });
    }
    const auto word = [](const std::set<bool>& answers) {
      return answers.size() == 2 ? "unknown" : *answers.begin() ? "yes" : "no";
    };
    const service::StableAnswers answers = service::stable_answers(drawn.with(drawn.parts));
    ASSERT_EQ(service::word_of(answers.terminated), word(terminations)) << "seed " << seed;
    ASSERT_EQ(service::word_of(answers.deadlock), word(deadlocks)) << "seed " << seed;
    ASSERT_EQ(std::set<std::string>(answers.deadlocked.begin(), answers.deadlocked.end()), certain);
    ++cases[{service::word_of(answers.terminated), service::word_of(answers.deadlock)}];
  }
  EXPECT_GE(cases.size(), 5U);
}

}  // namespace
}  // namespace lightcone
