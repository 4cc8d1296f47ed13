// Redeliveries are recognised within a window, against a set that remembers everything.
#include <gtest/gtest.h>
#include <lightcone/live/watch/received_numbers.h>

#include <random>
#include <set>

namespace lightcone {
namespace {

TEST(ReceivedNumbers, WithinTheWindowItIsASet) {
  for (const std::uint64_t step : {1, 7, 100, 5000, 20000}) {
    std::mt19937_64 random(step);
    ReceivedNumbers numbers;
    std::set<std::uint64_t> all;
    std::uint64_t latest = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t ahead = latest + random() % step;
      const std::uint64_t back = random() % std::min(ahead + 1, ReceivedNumbers::window - 64);
      const std::uint64_t number = random() % 3 == 0 ? ahead - back : ahead;
      latest = std::max(latest, number);
      ASSERT_EQ(numbers.has(number), all.contains(number));
      ASSERT_EQ(numbers.add(number), all.insert(number).second) << number << " of " << latest;
    }
  }
}

TEST(ReceivedNumbers, WhatIsFarBehindCountsAsSeen) {
  ReceivedNumbers numbers;
  EXPECT_TRUE(numbers.add(2 * ReceivedNumbers::window));
  EXPECT_FALSE(numbers.add(3));
  EXPECT_TRUE(numbers.add(UINT64_MAX - 1));
  EXPECT_FALSE(numbers.add(UINT64_MAX - 1));
  EXPECT_TRUE(numbers.add(UINT64_MAX - 2));
}

TEST(ReceivedNumbers, TheGreatestNumberDoesNotMakeItForget) {
  ReceivedNumbers numbers;
  EXPECT_TRUE(numbers.add(5));
  EXPECT_FALSE(numbers.add(UINT64_MAX));
  EXPECT_TRUE(numbers.has(UINT64_MAX));
  EXPECT_TRUE(numbers.has(5));
  EXPECT_FALSE(numbers.add(5));
  EXPECT_EQ(numbers.end(), 6U);
}

}  // namespace
}  // namespace lightcone
