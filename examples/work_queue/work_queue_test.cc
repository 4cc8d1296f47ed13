// A queue that is full of what no one takes: the deadlock is found, and it is told who waits.
#include "system/explored_example.h"

namespace lightcone {
namespace {

using WorkQueue = ExploredExample;

TEST_F(WorkQueue, TheDeadlockIsFoundWithThoseWhoWait) {
  const auto found = explore("work_queue --bug");
  EXPECT_EQ(found["complete"], true);
  ASSERT_GE(found["failed"], 1);
  EXPECT_LT(found["failed"], found["executions"]);
  for (const auto& failure : found["failures"]) {
    EXPECT_TRUE(has(failure["why"], {"deadlock: queue, anna, ben wait"}));
  }
  EXPECT_EQ(found["failures"][0]["flips"], 1);
  const std::string full = found["failures"][0]["recording"];
  const auto property = check(full, "work_queue");
  EXPECT_EQ(property["name"], "stuck");
  EXPECT_EQ(property["verdict"], "fail");
  EXPECT_TRUE(has(replay(full, "work_queue --bug").err, {"the same events"}));
  EXPECT_TRUE(has(replay(full, "work_queue --bug --processes").err, {"the same events"}));
}

TEST_F(WorkQueue, ItIsFoundInProcesses) {
  const auto found = explore("work_queue --bug --processes", "--runs 12");
  ASSERT_GE(found["failed"], 1);
  EXPECT_TRUE(has(found["failures"][0]["why"], {"deadlock", "queue", "anna", "ben"}));
}

TEST_F(WorkQueue, NoOneWaitsWhoDoesItHimself) {
  const auto found = explore("work_queue");
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["failed"], 0);
  EXPECT_EQ(failures_of("work_queue", 10), 0);
  EXPECT_EQ(failures_of("work_queue --processes", 5), 0);
}

}  // namespace
}  // namespace lightcone
