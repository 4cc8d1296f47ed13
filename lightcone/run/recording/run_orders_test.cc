// Orders go through the environment whole, and reports through files.
#include <lightcone/recording.h>

#include <gtest/gtest.h>

#include <cstdlib>

#include "temporary_folder.h"

namespace lightcone {
namespace {

TEST(RunOrders, ComeBackAsTheyWere) {
  RunOrders orders;
  orders.mode = RunOrders::Mode::replay;
  orders.directory = "/some where/\"else\"";
  orders.journal = JournalKind::races;
  orders.contents = {"p1", "p2"};
  orders.only = {"p1"};
  orders.until = {"p1", 40};
  orders.from = 3;
  orders.patience = std::chrono::milliseconds(1234);
  orders.first = "first";
  orders.watch = "/some where/it's.prop";
  orders.most_runs = 9;
  const auto read = RunOrders::parse(orders.text());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->text(), orders.text());
  EXPECT_EQ(read->mode, orders.mode);
  EXPECT_EQ(read->until->event, 40U);
  EXPECT_EQ(read->patience, orders.patience);
  EXPECT_EQ(read->watch, orders.watch);
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

TEST(RunOrders, SayWhoseContentsAreKept) {
  RunOrders orders;
  orders.contents = {"a", "b"};
  EXPECT_TRUE(orders.keeps_contents("c", "a"));
  EXPECT_FALSE(orders.keeps_contents("b", "a"));
  EXPECT_FALSE(orders.keeps_contents("a", "c"));
  EXPECT_TRUE(orders.runs("anyone"));
  orders.only = {"a"};
  EXPECT_FALSE(orders.runs("c"));
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
