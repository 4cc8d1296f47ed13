// Orders go through the environment whole, and reports through files.
#include <lightcone/recording.h>

#include <gtest/gtest.h>

#include <cstdlib>

#include "temporary_folder.h"

namespace lightcone {
namespace {

/// What a process reads of the orders that a command gave.
[[nodiscard]] RunOrders read_again(const RunOrders& orders) {
  const auto read = RunOrders::parse(orders.text());
  EXPECT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->text(), orders.text());
  EXPECT_EQ(read->directory, orders.directory);
  return *read;
}

TEST(RunOrders, ComeBackAsTheyWere) {
  const std::string directory = "/some where/\"else\"";
  const RunOrders recorded = read_again({directory, RecordOrders{.journal = JournalKind::races,
                                                                 .contents = {"p1", "p2"},
                                                                 .watch = "/it's.prop",
                                                                 .began = 7}});
  ASSERT_NE(recorded.record(), nullptr);
  EXPECT_EQ(recorded.replay(), nullptr);
  EXPECT_EQ(recorded.record()->journal, JournalKind::races);
  EXPECT_EQ(recorded.record()->contents.size(), 2U);
  EXPECT_EQ(recorded.record()->watch, "/it's.prop");
  EXPECT_EQ(recorded.record()->began, 7U);
  const std::chrono::milliseconds patience(1234);
  const ReplayOrders::Stop place{"p1", 40};
  const RunOrders replayed = read_again(
      {directory,
       ReplayOrders{
           .only = {"p1"}, .until = place, .from = 3, .patience = patience, .unbuffered = true}});
  ASSERT_NE(replayed.replay(), nullptr);
  EXPECT_EQ(replayed.replay()->until->event, 40U);
  EXPECT_EQ(replayed.replay()->from, 3U);
  EXPECT_EQ(replayed.replay()->patience, patience);
  EXPECT_TRUE(replayed.replay()->unbuffered);
  const RunOrders explored = read_again(
      {directory, ExploreOrders{.controller = "socket", .first = "first", .most_runs = 9}});
  ASSERT_NE(explored.explore(), nullptr);
  EXPECT_EQ(explored.record(), nullptr);
  EXPECT_EQ(explored.explore()->controller, "socket");
  EXPECT_EQ(explored.explore()->first, "first");
  EXPECT_EQ(explored.explore()->most_runs, 9U);
}

TEST(RunOrders, WhatIsNotUnderstoodIsAnError) {
  for (const char* text : {"", "x", "{}", "[]", R"({"mode": "dance", "directory": "d"})",
                           R"({"mode": "record"})", R"({"mode": 3, "directory": "d"})",
                           R"({"mode": "replay", "directory": "d", "until": {"process": 1}})"}) {
    EXPECT_FALSE(RunOrders::parse(text)) << text;
  }
  ::setenv(RunOrders::variable, "nonsense", 1);
  EXPECT_FALSE(RunOrders::from_environment());
  ::unsetenv(RunOrders::variable);
  EXPECT_FALSE(RunOrders::from_environment()->has_value());
}

TEST(RunOrders, SayWhoseContentsAreKeptAndWhoRuns) {
  const RecordOrders record{.contents = {"a", "b"}};
  EXPECT_TRUE(record.keeps_contents("c", "a"));
  EXPECT_FALSE(record.keeps_contents("b", "a"));
  EXPECT_FALSE(record.keeps_contents("a", "c"));
  EXPECT_TRUE((RunOrders{"d", record}).runs("anyone"));
  EXPECT_TRUE((RunOrders{"d", ReplayOrders{}}).runs("anyone"));
  EXPECT_FALSE((RunOrders{"d", ReplayOrders{.only = {"a"}}}).runs("c"));
}

TEST(RunReports, AreReadByWhoeverRunsTheProgram) {
  const TemporaryFolder folder;
  for (const char* name : {"b/1", "a"}) {
    const RunReport report{name, RunReport::Why::diverged, 7, "recorded: \"x\"", 12};
    ASSERT_TRUE(report.write(folder.path()));
    ASSERT_TRUE(report.write(folder.path())) << "a later one replaces it";
  }
  const auto reports = RunReport::read_all(folder.path());
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].process, "a");
  EXPECT_EQ(reports[1].process, "b/1");
  EXPECT_EQ(reports[1].why, RunReport::Why::diverged);
  EXPECT_EQ(reports[1].event, 7U);
  EXPECT_EQ(reports[1].text, "recorded: \"x\"");
  EXPECT_TRUE(RunReport::read_all(folder.path() + "/nowhere").empty());
}

}  // namespace
}  // namespace lightcone
