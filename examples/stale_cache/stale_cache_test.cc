// A read that may be stale is found as it is made, even when by luck it is not.
#include "system/example_run.h"

namespace lightcone {
namespace {

using StaleCache = ExampleRun;

TEST_F(StaleCache, WhoWaitsForTheCacheReadsTheNewValue) {
  const Told told = run_example("stale_cache", false);
  EXPECT_EQ(told.out, "the client reads the new value\n");
}

TEST_F(StaleCache, AReadThatDidNotWaitIsFoundInTheCache) {
  const Told told = run_example("stale_cache", true);
  ASSERT_EQ(told.places.count("stale"), 1U) << told.out;
  ASSERT_EQ(told.places.at("stale").size(), 1U);
  EXPECT_EQ(told.places.at("stale").begin()->first, "cache");
  EXPECT_TRUE(has(told.out, {"forbid: stale at event ", " of cache (read)", "the client reads"}));
}

}  // namespace
}  // namespace lightcone
