// What a monitor finds in its folder when it starts: another monitor, a verdict that is torn,
// executions that ended long ago.
#include "monitor/monitor_process.h"
#include "monitor/shuffled_lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "decide/log_position.h"
#include "decide/verdict_log.h"
#include "monitor_service.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using service::MonitorService;

[[nodiscard]] std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

constexpr const char* stored_rules = "forbid bad : some flow contains bad\n";
constexpr const char* bad_line =
    R"({"process": "p", "kind": "internal", "labels": ["bad"], "rank": 1})"
    "\n";

[[nodiscard]] std::unique_ptr<MonitorService> start_in(const std::string& folder) {
  service::ServiceOptions options;
  options.state = folder;
  options.identity = stored_rules;
  options.log_file_bytes = 200;
  auto service = MonitorService::start(parse_properties(stored_rules, "rules").value(), options);
  return service ? std::move(*service) : nullptr;
}

void send(MonitorService& service, const std::string& text) {
  service::LineCutter cutter(std::make_shared<QuietSource>(), "none", {});
  ASSERT_TRUE(
      cutter.add(text, [&](service::Arrival arrival) { service.offer(std::move(arrival)); }));
  service.settle();
}

TEST(StoredState, AMonitorThatIsRefusedTouchesNothing) {
  const TemporaryFolder folder;
  const std::string state = folder.path() + "/state", verdicts = state + "/verdicts.jsonl";
  const auto first = start_in(state);
  ASSERT_NE(first, nullptr);
  send(*first, execution_heading("run") + bad_line);
  // As if the first one was in the middle of a line.
  std::ofstream(verdicts, std::ios::app) << "{\"property\": \"ba";
  const std::string before = file_text(verdicts);
  EXPECT_NE(before.find("\"bad\""), std::string::npos);
  EXPECT_EQ(start_in(state), nullptr);
  EXPECT_EQ(file_text(verdicts), before);
  // The same file in another folder.
  const auto other = service::VerdictLog::open(verdicts, {});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().text().find("another monitor writes to it"), std::string::npos);
  EXPECT_EQ(file_text(verdicts), before);
}

TEST(StoredState, ATornVerdictIsCutWhenNobodyElseHasIt) {
  const TemporaryFolder folder;
  const std::string state = folder.path() + "/state", verdicts = state + "/verdicts.jsonl";
  {
    const auto first = start_in(state);
    send(*first, execution_heading("run") + bad_line);
    EXPECT_TRUE(first->stop(false));
  }
  const std::string before = file_text(verdicts);
  std::ofstream(verdicts, std::ios::app) << "{\"property\": \"ba";
  const auto second = start_in(state);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(file_text(verdicts), before);
}

/// Sends executions that end, until the files of the log that have the first of them are gone.
TEST(StoredState, ExecutionsThatEndedBeforeTheLogAreNotTakenForNew) {
  const TemporaryFolder folder;
  const std::string state = folder.path() + "/state";
  constexpr int runs = 30;
  const auto name = [](int run) { return "run-" + std::to_string(run); };
  {
    const auto service = start_in(state);
    for (int run = 0; run < runs; ++run) {
      send(*service, execution_heading(name(run)) + bad_line + execution_heading(name(run), true));
    }
    EXPECT_TRUE(service->stop(false));
  }
  EXPECT_FALSE(std::filesystem::exists(state + "/accepted.00000001"));
  const std::string told = file_text(state + "/verdicts.jsonl");
  EXPECT_EQ(std::ranges::count(told, '\n'), 2 * runs);
  for (int turn = 0; turn < 3; ++turn) {
    const auto service = start_in(state);
    ASSERT_NE(service, nullptr);
    for (int run = 0; run < runs; ++run) send(*service, execution_heading(name(run)) + bad_line);
    EXPECT_NE(service->metrics().find("\nlightcone_events_late_total 30\n"), std::string::npos)
        << service->metrics();
    // More that ends: the next turn has another position.
    const std::string more = "more-" + std::to_string(turn);
    for (int i = 0; i < 8; ++i) {
      send(*service, execution_heading(more + std::to_string(i)) + bad_line +
                         execution_heading(more + std::to_string(i), true));
    }
    EXPECT_TRUE(service->stop(false));
  }
  EXPECT_EQ(file_text(state + "/verdicts.jsonl").substr(0, told.size()), told);
  EXPECT_EQ(std::ranges::count(file_text(state + "/verdicts.jsonl"), '\n'), 2 * runs + 3 * 8 * 2);
}

TEST(StoredState, PositionsOfEarlierVersionsAreRead) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/position")
      << R"({"file": 7, "sequence": 3, "decided": ["a", "b"]})"
      << "\n";
  const auto old = service::read_position(folder.path());
  ASSERT_TRUE(old);
  EXPECT_EQ(old->file, 7U);
  EXPECT_EQ(old->decided, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(old->ended.empty());
  service::LogPosition position = *old;
  position.file = 9;
  position.ended = {1, UINT64_MAX, 77};
  ASSERT_TRUE(service::write_position(folder.path(), position));
  const auto read = service::read_position(folder.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->file, 9U);
  EXPECT_EQ(read->ended, position.ended);
  std::filesystem::resize_file(folder.path() + "/ended.00000009", 12);
  EXPECT_FALSE(service::read_position(folder.path()));
}

TEST(StoredState, TheLastEndsAreRemembered) {
  service::EndedExecutions ended(3);
  for (std::uint64_t i = 0; i < 5; ++i) ended.add(i);
  EXPECT_EQ(ended.count(), 5U);
  EXPECT_EQ(ended.first(5, 9), (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_EQ(ended.first(4, 9), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(ended.first(5, 2), (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(ended.first(9, 1), (std::vector<std::uint64_t>{4}));
  EXPECT_TRUE(ended.first(1, 9).empty());
}

}  // namespace
}  // namespace lightcone
