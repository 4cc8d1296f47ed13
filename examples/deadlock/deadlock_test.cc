// The observer names those who wait forever, and finds nothing where one of them is polite.
#include "system/shell.h"

namespace lightcone {
namespace {

using Deadlock = Shell;

TEST_F(Deadlock, IsSeenInASnapshot) {
  EXPECT_EQ(run(LIGHTCONE_EXAMPLES "/deadlock --bug").out, "wait forever: anna bert cleo dirk\n");
  EXPECT_EQ(run(LIGHTCONE_EXAMPLES "/deadlock").out, "all have eaten\n");
}

}  // namespace
}  // namespace lightcone
