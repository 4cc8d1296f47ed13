// What open executions take together has a limit. Beyond it the largest is given up, and says so.
#include "monitor/shared/taken_over_partition.h"
#include "monitor/shuffled_lines.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/monitor.h>
#include <malloc.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "accept/line_cutter.h"
#include "decide/execution_memory.h"
#include "monitor_service.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using service::ExecutionMemory;
using service::MonitorService;

constexpr const char* memory_rules =
    "forbid bad  : some flow contains bad\n"
    "watch  next : every longest flow contains send\n"
    "forbid both : possibly count(busy == 1) >= 2\n";

[[nodiscard]] std::string process_name(std::size_t p) { return "r" + std::to_string(p); }

/// A ring: what is sent in one round is received in the next, or never.
[[nodiscard]] std::string ring_rounds(std::size_t processes, std::size_t first, std::size_t rounds,
                                      bool receives) {
  std::string text;
  for (std::size_t round = first; round < first + rounds; ++round) {
    for (std::size_t p = 0; p < processes; ++p) {
      const std::string begin = "{\"process\": \"" + process_name(p) + "\", ";
      const std::string before = process_name((p + processes - 1) % processes);
      if (receives && round > 0) {
        text += begin + "\"kind\": \"receive\", \"message\": \"" + before + ':' +
                std::to_string(round - 1) + "\"}\n";
      }
      text += begin + "\"kind\": \"send\", \"labels\": [\"send\"], \"message\": \"" +
              process_name(p) + ':' + std::to_string(round) + "\", \"to\": \"" +
              process_name((p + 1) % processes) + "\"}\n";
    }
  }
  return text;
}

constexpr const char* ring_begin = R"({"process": "r0", "kind": "init", "vars": {"busy": 0}})"
                                   "\n"
                                   R"({"process": "r1", "kind": "init", "vars": {"busy": 0}})"
                                   "\n";

/// A check that is told lines.
struct ToldMonitor {
  explicit ToldMonitor(std::size_t redelivery_bytes)
      : monitor(parse_properties(memory_rules, "rules").value(),
                {.redelivery_bytes = redelivery_bytes}),
        lines(monitor) {}
  void add(const std::string& text) {
    service::LinePiece piece;
    piece.original = text;
    piece.parse();
    for (const JsonlLine& line : piece.lines.lines) {
      ASSERT_TRUE(lines.add(piece.lines, line).has_value());
    }
  }
  Monitor monitor;
  GrowingLines lines;
};

/// What is counted is about what is allocated, for messages that are complete, and for those in
/// transit.
TEST(ExecutionMemory, IsAboutWhatIsAllocated) {
  for (const bool receives : {true, false}) {
    for (const std::size_t processes : {2, 16, 64}) {
      const auto allocated = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
      ToldMonitor one(64 << 20);
      one.add(ring_begin);
      one.add(ring_rounds(processes, 0, 1, receives));
      const std::size_t counted_before = one.monitor.bytes_kept(), before = allocated();
      std::string text = ring_rounds(processes, 1, 20'000 / processes, receives);
      one.add(text);
      text = {};
      text.shrink_to_fit();
      const double counted = static_cast<double>(one.monitor.bytes_kept() - counted_before);
      const double taken = static_cast<double>(allocated()) - static_cast<double>(before);
      EXPECT_GT(counted, 0.6 * taken) << processes << ' ' << receives;
      EXPECT_LT(counted, 2.0 * taken) << processes << ' ' << receives;
    }
  }
}

/// Names may be long.
TEST(ExecutionMemory, CountsLongNames) {
  constexpr std::size_t length = 100'000, messages = 100;
  ToldMonitor one(1 << 20);
  one.add(ring_begin);
  const auto send = [&](std::size_t number) {
    return "{\"process\": \"r0\", \"kind\": \"send\", \"message\": \"" + std::string(length, 'm') +
           std::to_string(number) + "\", \"to\": \"r1\"}\n";
  };
  for (std::size_t i = 0; i < messages; ++i) one.add(send(i));
  EXPECT_GT(one.monitor.bytes_kept(), messages * length);
  // An event that waits, with the names of whom it sends to.
  std::string waits =
      "{\"process\": \"r1\", \"kind\": \"receive\", \"message\": \"never\"}\n"
      "{\"process\": \"r1\", \"kind\": \"send\", \"message\": \"later\", \"to\": [\"r0\"";
  for (int i = 0; i < 1000; ++i) waits += ", \"" + std::string(4000, 'n') + std::to_string(i) + '"';
  const std::size_t before = one.monitor.bytes_kept();
  one.add(waits + "]}\n");
  EXPECT_GT(one.monitor.bytes_kept(), before + 4'000'000);
}

/// Each event has another label.
TEST(ExecutionMemory, CountsLabels) {
  constexpr std::size_t length = 10'000, events = 500;
  ToldMonitor one(1 << 20);
  one.add(ring_begin);
  const std::size_t before = one.monitor.bytes_kept();
  for (std::size_t i = 0; i < events; ++i) {
    one.add("{\"process\": \"r0\", \"kind\": \"internal\", \"labels\": [\"" +
            std::string(length, 'l') + std::to_string(i) + "\"]}\n");
  }
  EXPECT_GT(one.monitor.bytes_kept(), before + events * length);
  EXPECT_LT(one.monitor.bytes_kept(), before + 2 * events * length);
}

TEST(ExecutionMemory, MessagesThatAllHaveReceivedTakeNoMoreThanAllowed) {
  for (const std::size_t processes : {2, 16, 64}) {
    ToldMonitor one(1 << 20);
    one.add(ring_begin);
    one.add(ring_rounds(processes, 0, 100'000 / processes, true));
    EXPECT_LT(one.monitor.bytes_kept(), 1'500'000U) << processes;
    // A message that comes again soon is still known.
    const std::size_t last = 100'000 / processes - 2;
    one.add("{\"process\": \"r1\", \"kind\": \"receive\", \"duplicate\": true, \"message\": \"r0:" +
            std::to_string(last) + "\"}\n");
    const auto report = one.monitor.finish();
    ASSERT_TRUE(report.has_value());
    EXPECT_FALSE(report->wholeness.incomplete);
  }
}

[[nodiscard]] std::unique_ptr<MonitorService> start_with(std::size_t bytes,
                                                         const std::string& state,
                                                         std::map<std::string, ToldVerdicts>& told,
                                                         std::string* notes = nullptr) {
  service::ServiceOptions options;
  options.state = state;
  options.identity = memory_rules;
  options.execution_bytes = bytes;
  options.show = [&told, numbers = std::make_shared<std::map<std::string, std::uint64_t>>()](
                     const service::VerdictLog::Line& line) {
    auto json = nlohmann::json::parse(line.json);
    json["sequence"] = ++(*numbers)[line.execution];
    told[line.execution].add(json.dump());
  };
  if (notes != nullptr) options.note = [notes](const std::string& note) { *notes += note + '\n'; };
  auto service = MonitorService::start(parse_properties(memory_rules, "rules").value(), options);
  return service ? std::move(*service) : nullptr;
}

void send_to(MonitorService& service, const std::string& text) {
  service::LineCutter cutter(std::make_shared<QuietSource>(), "none", {});
  ASSERT_TRUE(
      cutter.add(text, [&](service::Arrival arrival) { service.offer(std::move(arrival)); }));
  service.settle();
}

[[nodiscard]] std::string ring_name(std::size_t i) { return "ring-" + std::to_string(i); }

/// Each of 40 executions has some messages in transit; one has far more.
void send_rings(MonitorService& service) {
  for (std::size_t i = 0; i < 40; ++i)
    send_to(service, execution_heading(ring_name(i)) + ring_begin);
  for (std::size_t piece = 0; piece < 10; ++piece) {
    for (std::size_t i = 0; i < 40; ++i) {
      const std::size_t rounds = i == 7 ? 200 : 1;
      send_to(service,
              execution_heading(ring_name(i)) + ring_rounds(16, piece * rounds, rounds, i != 7));
    }
  }
}

[[nodiscard]] double figure(const MonitorService& service, const std::string& name) {
  const std::string text = service.metrics();
  const std::size_t at = text.find('\n' + name + ' ');
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

TEST(ExecutionMemory, TheLargestExecutionIsGivenUpAndTheOthersAreDecided) {
  constexpr std::size_t most = 15'000'000;
  std::map<std::string, ToldVerdicts> told;
  std::string notes;
  const auto service = start_with(most, "", told, &notes);
  ASSERT_NE(service, nullptr);
  send_rings(*service);
  EXPECT_LT(figure(*service, "lightcone_executions_bytes"), 1.2 * most);
  EXPECT_TRUE(service->stop(true));
  ASSERT_EQ(told.size(), 40U);
  for (const auto& [execution, verdicts] : told) {
    EXPECT_EQ(verdicts.trouble, "");
    EXPECT_EQ(verdicts.finals.size(), 3U) << execution;
    const bool is_given_up = execution == ring_name(7);
    EXPECT_EQ(verdicts.finals.at("bad"), is_given_up ? "unknown 0" : "pass 0") << execution;
  }
  EXPECT_NE(told[ring_name(7)].why.find("there is no memory left for it"), std::string::npos);
  EXPECT_NE(notes.find("execution `ring-7` is given up"), std::string::npos) << notes;
}

/// With room for all, nothing is given up.
TEST(ExecutionMemory, NothingIsGivenUpWhereThereIsRoom) {
  std::map<std::string, ToldVerdicts> told;
  const auto service = start_with(1'000'000'000, "", told);
  send_rings(*service);
  EXPECT_TRUE(service->stop(true));
  for (const auto& [execution, verdicts] : told) {
    EXPECT_EQ(verdicts.finals.at("bad"), "pass 0") << execution;
  }
}

/// Whoever is started again gives up the same execution at the same place, also if it may take more
/// memory now.
TEST(ExecutionMemory, WhatWasGivenUpStaysSoAfterAnotherStart) {
  const TemporaryFolder folder;
  const std::string state = folder.path() + "/state";
  std::map<std::string, ToldVerdicts> told, later;
  {
    const auto service = start_with(15'000'000, state, told);
    ASSERT_NE(service, nullptr);
    send_rings(*service);
    EXPECT_TRUE(service->stop(false));
  }
  EXPECT_EQ(told[ring_name(7)].finals.size(), 3U);
  {
    const auto service = start_with(1'000'000'000, state, later);
    ASSERT_NE(service, nullptr);
    send_to(*service, execution_heading(ring_name(7)) +
                          R"({"process": "x", "kind": "internal", "labels": ["bad"]})"
                          "\n");
    EXPECT_TRUE(service->stop(true));
  }
  EXPECT_EQ(later.count(ring_name(7)), 0U);
  EXPECT_EQ(later.size(), 39U);
}

/// Partitions that are taken over: each verdict once, and given up is given up.
TEST(ExecutionMemory, PartitionsThatAreTakenOverGiveUpTheSame) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    std::mt19937_64 random(seed);
    service::PartitionOptions options;
    options.memory = std::make_shared<ExecutionMemory>(5'000'000);
    TakenOverPartition partition{parse_properties(memory_rules, "rules").value(), options};
    for (std::size_t i = 0; i < 10; ++i) {
      partition.publish(execution_heading(ring_name(i)) + ring_begin);
    }
    for (std::size_t piece = 0; piece < 12; ++piece) {
      for (std::size_t i = 0; i < 10; ++i) {
        const std::size_t rounds = i == 3 ? 40 : 2;
        partition.dies_when_it_gives_up = random() % 2 == 0;
        partition.publish(execution_heading(ring_name(i)) +
                          ring_rounds(16, piece * rounds, rounds, i != 3));
        if (random() % 8 == 0 && partition.is_there()) partition.save();
        if (random() % 10 == 0 || !partition.is_there()) partition.take_up();
      }
    }
    partition.dies_when_it_gives_up = false;
    partition.take_up();
    for (std::size_t i = 0; i < 10; ++i) {
      partition.publish(execution_heading(ring_name(i), true));
      const ToldVerdicts told = partition.told_of(ring_name(i));
      EXPECT_EQ(told.trouble, "");
      EXPECT_EQ(told.finals.size(), 3U);
      EXPECT_EQ(told.finals.at("bad"), i == 3 ? "unknown 0" : "pass 0") << ring_name(i);
    }
  }
}

}  // namespace
}  // namespace lightcone
