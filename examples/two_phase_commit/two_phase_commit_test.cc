// A vote without preparation is found where it is cast, and at every commit that rests on it.
#include "system/example_run.h"

namespace lightcone {
namespace {

using TwoPhaseCommit = ExampleRun;

TEST_F(TwoPhaseCommit, EveryCommitIsPrepared) {
  const Told told = run_example("two_phase_commit", false);
  EXPECT_EQ(told.out, "");
  EXPECT_EQ(told.property("prepared")["at"].size(), 4U);
  EXPECT_EQ(told.property("promised")["at"].size(), 3U);
}

TEST_F(TwoPhaseCommit, TheUnpreparedVoteAndItsCommitsAreFound) {
  const Told told = run_example("two_phase_commit", true);
  EXPECT_EQ(told.places,
            (std::map<std::string, Places>{
                {"promised", {{"ben", 2}}},
                {"prepared", {{"coordinator", 7}, {"anna", 4}, {"ben", 3}, {"carl", 4}}}}));
  EXPECT_TRUE(has(told.out, {"promised at event 2 of ben (vote) is missing",
                             "prepared at event 7 of coordinator (commit) is missing, after anna#2"
                             " ben#1 carl#2"}));
}

}  // namespace
}  // namespace lightcone
