// Limits as the command line writes them.
#include "options/limit_options.h"

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>

namespace lightcone::cli {
namespace {

TEST(LimitOptions, Amounts) {
  EXPECT_EQ(parse_limit("--x", "0"), 0U);
  EXPECT_EQ(parse_limit("--x", "250"), 250U);
  EXPECT_EQ(parse_limit("--x", "2.5k"), 2500U);
  EXPECT_EQ(parse_limit("--x", "3M"), 3'000'000U);
  EXPECT_EQ(parse_limit("--x", "1G"), 1'000'000'000U);
  EXPECT_EQ(parse_limit("--x", "2t"), 2'000'000'000'000U);
  EXPECT_EQ(parse_limit("--x", "none"), UINT64_MAX);
  EXPECT_EQ(parse_limit("--x", "1e30"), UINT64_MAX);
  for (const char* wrong : {"", "k", "-1", "1kk", "1 k", "inf", "nan", "0x10", "many"}) {
    EXPECT_FALSE(parse_limit("--x", wrong).has_value()) << wrong;
  }
}

TEST(LimitOptions, WithoutOptions) {
  const auto limits = LimitOptions().limits();
  ASSERT_TRUE(limits.has_value());
  EXPECT_EQ(limits->states, UINT64_MAX);
  EXPECT_EQ(limits->seconds, 60);
  EXPECT_EQ(limits->bytes, 4'000'000'000U);
  EXPECT_EQ(limit_hit(*limits, 1), "states");
  EXPECT_EQ(limit_hit(*limits, 61), "time");
}

TEST(LimitOptions, RoomForTables) {
  const auto computation = random_computation({.processes = 9, .events = 1000});
  const Selection all = Selection::all(*computation);
  Limits limits;
  limits.bytes = 2 * 1000 * 16 * 4;  // rows of nine entries take sixteen
  EXPECT_TRUE(have_room(limits, *computation, all, 2));
  EXPECT_FALSE(have_room(limits, *computation, all, 3));
  --limits.bytes;
  EXPECT_FALSE(have_room(limits, *computation, all, 2));
}

}  // namespace
}  // namespace lightcone::cli
