// A partition that is taken over again and again tells what `check` finds, each verdict once.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"
#include "monitor/shared/taken_over_partition.h"
#include "monitor/shuffled_lines.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/base/wire.h>
#include <lightcone/monitor.h>

#include <map>
#include <optional>

#include "nats/message_writer.h"
#include "nats/partition.h"
#include "nats/partition_names.h"
#include "nats/partition_share.h"

namespace lightcone {
namespace {

using service::Partition;
using service::PartitionState;
using service::StreamMessage;

/// However many executions end, what is remembered of them can be stored.
TEST(PartitionOfShortExecutions, HasAStateThatCanBeStored) {
  service::PartitionOptions options;
  Partition partition(*parse_properties("forbid bad : some flow contains bad\n", "rules"), options,
                      {}, {});
  StreamMessage message;
  int number = 0;
  for (message.sequence = 1; message.sequence <= 500; ++message.sequence) {
    message.bytes.clear();
    for (int i = 0; i < 200; ++i) {
      message.bytes += execution_heading("e" + std::to_string(++number), true);
    }
    partition.take(message);
    static_cast<void>(partition.verdicts());
  }
  const PartitionState state = partition.state(0);
  EXPECT_LE(service::bytes_of(state).size(), std::size_t{900} << 10);
  EXPECT_GT(state.ended.size(), 10'000U);
}

/// Monitors end executions that are quiet by messages of no client.
TEST(PartitionOfClients, IsEndedByThoseWhoTakePartAndByMonitors) {
  Partition partition(*parse_properties("forbid bad : some flow contains bad\n", "rules"), {}, {},
                      {});
  std::uint64_t sequence = 0;
  const auto take = [&](const std::string& client, const std::string& bytes) {
    partition.take({.sequence = ++sequence, .client = client, .bytes = bytes});
    return partition.open_executions();
  };
  const std::string end = execution_heading("run", true);
  const std::string line =
      execution_heading("run") + "{\"process\": \"p\", \"kind\": \"internal\"}\n";
  EXPECT_EQ(take("bob", end), 0U);
  EXPECT_EQ(take("alice", line), 1U);
  EXPECT_EQ(take("bob", end), 1U);
  EXPECT_EQ(take("", end), 0U);
  EXPECT_EQ(take("alice", line), 0U);  // it has ended
}

TEST(PartitionTakeover, AgreesWithTheRecordedRuns) {
  std::size_t places = 0, takeovers = 0;
  arbitrary::for_all_computations("partitions taken over", 40, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto text = arbitrary::random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    if (!properties || !Monitor::can_check(PropertyFile(*properties))) return;
    // Three executions of the same run, which begin and end at different times.
    std::vector<ShuffledLines> lines;
    std::vector<std::vector<std::string>> left;
    for (int i = 0; i < 3; ++i) {
      lines.emplace_back(c, random);
      left.push_back(messages_of(lines.back(), "run-" + std::to_string(i), random));
      std::ranges::reverse(left.back());
    }
    TakenOverPartition partition{PropertyFile(*properties)};
    while (std::ranges::any_of(left, [](const auto& one) { return !one.empty(); })) {
      auto& one = left[random() % 3];
      if (one.empty()) continue;
      std::string message = one.back();
      one.pop_back();
      // Some messages are of two executions.
      if (auto& other = left[random() % 3]; random() % 3 == 0 && !other.empty()) {
        message += other.back();
        other.pop_back();
      }
      partition.publish(std::move(message));
      if (random() % 4 == 0) partition.save();
      if (random() % 5 != 0) continue;
      partition.take_up();
      ++takeovers;
    }
    for (int i = 0; i < 3; ++i) {
      const ToldVerdicts told = partition.told_of("run-" + std::to_string(i));
      expect_agreement(told, *properties, lines[static_cast<std::size_t>(i)]);
      for (const auto& [property, found] : told.places) places += found.size();
    }
  });
  EXPECT_GT(places, 40U / arbitrary::one_in);
  EXPECT_GT(takeovers, 40U / arbitrary::one_in);
}

TEST(PartitionTakeover, WhatCameAfterAnEndOrIsOfAnotherPartitionDecidesNothing) {
  const auto properties = parse_properties("forbid bad : some flow contains bad\n", "rules");
  ASSERT_TRUE(properties);
  const std::string bad = R"({"process": "p", "kind": "internal", "labels": ["bad"]})"
                          "\n";
  TakenOverPartition partition{*properties};
  partition.publish(execution_heading("run") + bad);
  partition.publish(execution_heading("run", true));
  partition.save();
  partition.take_up();
  partition.publish(execution_heading("run") + bad);
  EXPECT_EQ(partition.told_of("run").last, 2U);
  EXPECT_EQ(partition.partition().counts().late, 1U);
  partition.publish("no JSON\n");
  EXPECT_EQ(partition.partition().counts().bad, 1U);

  service::PartitionOptions options;
  options.partitions = 7;
  options.number = (service::partition_of("run", 7) + 1) % 7;
  Partition other(*properties, options, {}, {});
  other.take({1, "", execution_heading("run") + bad});
  EXPECT_TRUE(other.verdicts().empty());
  EXPECT_EQ(other.counts().misplaced, 1U);
}

TEST(PartitionTakeover, DamagedStatesAreRefused) {
  PartitionState state;
  state.next = 70'000;
  state.verdicts = 12;
  state.open["run"] = {69'000, 3, false};
  state.open["trace"] = {69'500, 0, true};
  state.ended[77] = 68'000;
  const std::string bytes = service::bytes_of(state);
  const auto read = service::partition_state_of(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(service::bytes_of(*read), bytes);
  EXPECT_EQ(read->first_needed(), 69'000U);
  EXPECT_TRUE(read->open.at("trace").is_trace);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(service::partition_state_of(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(service::partition_state_of(bytes + '\0'));
}

TEST(PartitionTakeover, StatesOfTheFirstVersionAreRead) {
  WireWriter first;
  for (const std::uint64_t number : {1, 70, 12, 1}) first.number(number);
  first.text("run");
  first.number(60);
  first.number(3);
  first.number(1);
  first.fixed(77, 8);
  first.number(50);
  const auto read = service::partition_state_of(first.bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->next, 70U);
  EXPECT_EQ(read->open.at("run").first, 60U);
  EXPECT_EQ(read->open.at("run").told, 3U);
  EXPECT_FALSE(read->open.at("run").is_trace);
  EXPECT_EQ(read->ended.at(77), 50U);
}

TEST(ToldVerdict, IsRecognisedHoweverManyProcessesItNames) {
  service::ToldVerdict verdict;
  verdict.property = "p";
  verdict.execution = "a \"quoted\" {name}, \\ and more";
  for (Rank i = 0; i < 3000; ++i) verdict.cut.emplace_back("sequence " + std::to_string(i), i);
  verdict.why = "\"sequence\":7,";
  Json line = service::json_of(verdict);
  line["sequence"] = 12;
  const auto name = service::name_in(line.dump() + '\n');
  ASSERT_TRUE(name);
  EXPECT_EQ(name->execution, verdict.execution);
  EXPECT_EQ(name->number, 12U);
  for (const char* text :
       {"", "{}", "x", "{\"sequence\":1}", "{\"execution\":\"a\"}",
        "{\"execution\":1,\"sequence\":2}", "{\"execution\":\"a\",\"sequence\":"}) {
    EXPECT_FALSE(service::name_in(text)) << text;
  }
}

TEST(PartitionNames, HashesAreThoseOfFnv1a) {
  // The values that the authors of FNV publish, modulo the number of partitions.
  constexpr std::size_t many = std::size_t{1} << 32;
  EXPECT_EQ(service::partition_of("", many), 0x811c9dc5U);
  EXPECT_EQ(service::partition_of("a", many), 0xe40c292cU);
  EXPECT_EQ(service::partition_of("foobar", many), 0xbf9cf968U);
  EXPECT_EQ(service::partition_of("foobar", 16), 8U);
}

TEST(PartitionShares, AreFairAndLeaveNothing) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t partitions = 1 + random() % 20, monitors = 1 + random() % 5;
    std::vector<std::set<std::uint32_t>> owned(monitors);
    std::set<std::uint32_t> unowned;
    for (std::uint32_t p = 0; p < partitions; ++p) {
      const std::size_t owner = random() % (monitors + 1);
      (owner == monitors ? unowned : owned[owner]).insert(p);
    }
    for (int turn = 0; turn < 3; ++turn) {
      for (auto& mine : owned) {
        const auto change = service::fair_change(
            {partitions, monitors, mine, std::vector(unowned.begin(), unowned.end())});
        EXPECT_TRUE(change.take.empty() || change.leave.empty());
        for (const std::uint32_t p : change.take) {
          EXPECT_EQ(unowned.erase(p), 1U);
          mine.insert(p);
        }
        for (const std::uint32_t p : change.leave) {
          EXPECT_EQ(mine.erase(p), 1U);
          unowned.insert(p);
        }
      }
    }
    EXPECT_TRUE(unowned.empty());
    for (const auto& mine : owned) {
      EXPECT_LE(mine.size(), (partitions + monitors - 1) / monitors);
    }
  }
}

}  // namespace
}  // namespace lightcone
