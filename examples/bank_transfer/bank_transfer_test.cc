// A transfer that loses money in one order of eight: that one is found, and happens again.
#include "system/explored_example.h"

namespace lightcone {
namespace {

using BankTransfer = ExploredExample;

TEST_F(BankTransfer, OneOrderOfEightLosesTheMoneyOnBothNetworks) {
  for (const std::string network : {"", " --processes"}) {
    const auto found = explore("bank_transfer --bug" + network);
    EXPECT_EQ(found["executions"], 8);
    EXPECT_EQ(found["complete"], true);
    ASSERT_EQ(found["failures"].size(), 1U);
    const std::string lost = found["failures"][0]["recording"];
    const auto property = check(lost, "bank_transfer");
    EXPECT_EQ(property["name"], "lost");
    EXPECT_EQ(property["verdict"], "fail");
    for (const std::string other : {"", " --processes"}) {
      const Result again = replay(lost, "bank_transfer --bug" + other);
      EXPECT_EQ(again.status, 1);
      EXPECT_TRUE(has(again.err, {"auditor failed: the money is lost", "the same events"}));
    }
  }
}

TEST_F(BankTransfer, AllThreeCopiesCloseTheirBooksTooEarly) {
  const auto failure = explore("bank_transfer --bug")["failures"][0];
  EXPECT_TRUE(has(failure["why"], {"auditor failed: the money is lost"}));
  EXPECT_EQ(failure["flips"], 3);
}

TEST_F(BankTransfer, NothingIsLostWhereOsloWaits) {
  const auto found = explore("bank_transfer", "--check " + properties_of("bank_transfer"));
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["failed"], 0);
  EXPECT_EQ(failures_of("bank_transfer", 10), 0);
  EXPECT_EQ(failures_of("bank_transfer --processes", 5), 0);
}

}  // namespace
}  // namespace lightcone
