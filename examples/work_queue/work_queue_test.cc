// A queue that is full of what no one takes: the deadlock is found, and it is told who waits.
#include "system/explored_example.h"

namespace lightcone {
namespace {

using WorkQueue = ExploredExample;

TEST_F(WorkQueue, TheDeadlockIsFoundWithThoseWhoWait) {
  const auto report = explore("work_queue --bug");
  EXPECT_TRUE(report.complete);
  ASSERT_GE(report.failed, 1U);
  EXPECT_LT(report.failed, report.executions);
  for (const auto& failure : report.failures) {
    EXPECT_TRUE(
        has(failure.why, {"deadlock", "queue waits", "anna waits", "ben waits", "work_queue.cc:"}));
  }
  EXPECT_EQ(report.failures[0].flips, 1U);
}

TEST_F(WorkQueue, TheyWaitAgainOnBothNetworks) {
  const std::string full = first(explore("work_queue --bug"));
  EXPECT_TRUE(has(replay(full, "work_queue --bug").err, {"the same as recorded"}));
  EXPECT_TRUE(has(replay(full, "work_queue --bug --processes").err, {"the same as recorded"}));
  const auto found = check(full, "work_queue");
  EXPECT_EQ(found["name"], "stuck");
  EXPECT_EQ(found["verdict"], "fail");
}

TEST_F(WorkQueue, NoOneWaitsWhoDoesItHimself) {
  const auto report = explore("work_queue");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(failures_of("work_queue", 10), 0);
  EXPECT_EQ(failures_of("work_queue --processes", 5), 0);
}

}  // namespace
}  // namespace lightcone
