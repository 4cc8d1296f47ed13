// Two leaders, because one message is late.
#include "system/explored_example.h"

namespace lightcone {
namespace {

using LeaderElection = ExploredExample;

// Each node hears of the others in either order, and the store of all three in any.
constexpr int orders = 2 * 2 * 2 * 6;

TEST_F(LeaderElection, OneDelayMakesTwoLeaders) {
  const auto found = explore("leader_election --bug");
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["executions"], orders);
  ASSERT_EQ(found["failed"], orders / 2) << "where n2 hears of n3 first";
  EXPECT_TRUE(has(found["failures"][0]["why"], {"store failed: both n1 and n2 lead"}));
  EXPECT_EQ(found["failures"][0]["flips"], 1);
  const std::string split = found["failures"][0]["recording"];
  const auto property = check(split, "leader_election");
  EXPECT_EQ(property["name"], "two_leaders");
  EXPECT_EQ(property["verdict"], "fail");
  for (const std::string network : {"", " --processes"}) {
    const Result again = replay(split, "leader_election --bug" + network);
    EXPECT_EQ(again.status, 1);
    EXPECT_TRUE(has(again.err, {"store failed: both ", "the same events"}));
  }
}

TEST_F(LeaderElection, WhatHappenedOnceByChanceHappensAgain) {
  EXPECT_TRUE(has(record_failure("leader_election --bug").err, {"store failed: both "}));
  const Result again = replay("recorded", "leader_election --bug");
  EXPECT_TRUE(has(again.err, {"store failed: both ", "the same events"}));
}

TEST_F(LeaderElection, WhoWaitsForAllIsNeverOneOfTwo) {
  const auto found = explore("leader_election", "--check " + properties_of("leader_election"));
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["executions"], orders);
  EXPECT_EQ(found["failed"], 0);
  EXPECT_EQ(failures_of("leader_election", 10), 0);
  EXPECT_EQ(failures_of("leader_election --processes", 5), 0);
  EXPECT_LE(failures_of("leader_election --bug --processes", 5), 5);
}

}  // namespace
}  // namespace lightcone
