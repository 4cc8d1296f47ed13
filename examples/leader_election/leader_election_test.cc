// Two leaders, because one message is late.
#include "system/explored_example.h"

namespace lightcone {
namespace {

using LeaderElection = ExploredExample;

TEST_F(LeaderElection, OneDelayMakesTwoLeaders) {
  const auto report = explore("leader_election --bug");
  EXPECT_TRUE(report.complete);
  // Each node hears of the others in either order, and the store of all three in any.
  EXPECT_EQ(report.executions, 8U * 6);
  ASSERT_EQ(report.failed, report.executions / 2) << "where n2 hears of n3 first";
  EXPECT_TRUE(has(report.failures[0].why, {"store failed: both n1 and n2 lead"}));
  EXPECT_EQ(report.failures[0].flips, 1U);
}

TEST_F(LeaderElection, TheyLeadAgainOnBothNetworks) {
  const std::string split = first(explore("leader_election --bug"));
  for (const char* network : {"", " --processes"}) {
    const Result again = replay(split, std::string("leader_election --bug") + network);
    EXPECT_EQ(again.status, 1);
    EXPECT_TRUE(has(again.err, {"store failed: both ", "the same as recorded"}));
  }
  const auto found = check(split, "leader_election");
  EXPECT_EQ(found["name"], "two_leaders");
  EXPECT_EQ(found["verdict"], "fail");
}

TEST_F(LeaderElection, WhatHappenedOnceByChanceHappensAgain) {
  EXPECT_TRUE(has(record_failure("leader_election --bug").err, {"store failed: both "}));
  const Result again = replay("recorded", "leader_election --bug");
  EXPECT_TRUE(has(again.err, {"store failed: both ", "the same as recorded"}));
}

TEST_F(LeaderElection, WhoWaitsForAllIsNeverOneOfTwo) {
  const auto report = explore("leader_election");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.executions, 8U * 6);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(failures_of("leader_election", 10), 0);
  EXPECT_EQ(failures_of("leader_election --processes", 5), 0);
  EXPECT_LE(failures_of("leader_election --bug --processes", 5), 5);
}

}  // namespace
}  // namespace lightcone
