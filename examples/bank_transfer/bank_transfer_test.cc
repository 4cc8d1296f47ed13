// A transfer that loses money in one order of eight: that one is found, and happens again.
#include "system/explored_example.h"

namespace lightcone {
namespace {

using BankTransfer = ExploredExample;

TEST_F(BankTransfer, OneOrderOfEightLosesTheMoney) {
  const auto report = explore("bank_transfer --bug");
  EXPECT_EQ(report.executions, 8U);
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.failed, 1U);
  EXPECT_TRUE(has(report.failures[0].why, {"auditor failed: the money is lost"}));
  EXPECT_EQ(report.failures[0].flips, 3U) << "all three copies close their books too early";
}

TEST_F(BankTransfer, ItIsLostAgainOnBothNetworks) {
  const std::string lost = first(explore("bank_transfer --bug"));
  for (const char* network : {"", " --processes"}) {
    const Result again = replay(lost, std::string("bank_transfer --bug") + network);
    EXPECT_EQ(again.status, 1);
    EXPECT_TRUE(has(again.err, {"auditor failed: the money is lost", "the same as recorded"}));
  }
  const auto found = check(lost, "bank_transfer");
  EXPECT_EQ(found["name"], "lost");
  EXPECT_EQ(found["verdict"], "fail");
}

TEST_F(BankTransfer, NothingIsLostWhereOsloWaits) {
  const auto report = explore("bank_transfer");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(failures_of("bank_transfer", 10), 0);
  EXPECT_EQ(failures_of("bank_transfer --processes", 5), 0);
}

}  // namespace
}  // namespace lightcone
