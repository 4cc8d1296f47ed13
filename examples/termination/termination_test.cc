// The observer tells that all is done once it is, and not before.
#include "system/shell.h"

namespace lightcone {
namespace {

using Termination = Shell;

TEST_F(Termination, IsSeenInASnapshot) {
  for (int seed = 1; seed <= 5; ++seed) {
    const Result ran = run(LIGHTCONE_EXAMPLES "/termination " + std::to_string(seed));
    EXPECT_EQ(ran.status, 0);
    EXPECT_TRUE(has(ran.out, {"snapshot 1: still at work\n", ": all is done\n"})) << ran.out;
  }
}

}  // namespace
}  // namespace lightcone
