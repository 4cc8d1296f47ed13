// The hub knows the moment when the last part is back, whichever that is.
#include "system/example_run.h"

namespace lightcone {
namespace {

using ScatterCollect = ExampleRun;

TEST_F(ScatterCollect, AllIsCollectedWhenTheLastPartComes) {
  const Told told = run_example("scatter_collect", false);
  EXPECT_EQ(told.places, (std::map<std::string, Places>{{"collected", {{"hub", 6}}}}));
  EXPECT_TRUE(has(told.out, {"expect: collected at event 6 of hub (collect), with sent, a, b, c, "
                             "collected"}));
}

TEST_F(ScatterCollect, WhoSaysTooEarlyThatAllIsDoneIsFound) {
  const Told told = run_example("scatter_collect", true);
  EXPECT_EQ(told.places,
            (std::map<std::string, Places>{{"early", {{"hub", 6}}}, {"collected", {{"hub", 7}}}}));
  EXPECT_TRUE(has(told.out, {"forbid: early at event 6 of hub (done)"}));
}

}  // namespace
}  // namespace lightcone
