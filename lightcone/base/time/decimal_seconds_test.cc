// Differences of times are exact in the decimal numbers as written.
#include <lightcone/base/time/decimal_seconds.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace lightcone {
namespace {

TEST(DecimalSeconds, ComparesWhatWasWritten) {
  EXPECT_TRUE(differ_at_most(1.020, 1.195, 0, 0.175));
  EXPECT_FALSE(differ_at_most(1.020, 1.195, 0, 0.174999));
  EXPECT_TRUE(differ_at_most(1763416800.1, 1763416800.3, 0, 0.2));
  EXPECT_FALSE(differ_at_most(1763416800.1, 1763416800.300001, 0, 0.2));
  EXPECT_TRUE(differ_at_most(1.0, 1.195, -0.010, 0.185));
  EXPECT_FALSE(differ_at_most(1.0, 1.195, 0.010, 0.204999));
  EXPECT_TRUE(differ_at_most(1.0, 1.195, 0.010, 0.205));
  EXPECT_TRUE(differ_at_most(-0.3, -0.1, 0, 0.2));
  EXPECT_TRUE(differ_at_most(0.3, 0.1, 0, -0.2));
}

TEST(DecimalSeconds, HasAnAnswerForTheLargestAndTheSmallest) {
  EXPECT_TRUE(differ_at_most(1e300, 1e300, 0, 0));
  EXPECT_FALSE(differ_at_most(-1e300, 1e300, 0, 1));
  EXPECT_TRUE(differ_at_most(1e18, 1e18 + 128, 0, 128));
  EXPECT_TRUE(differ_at_most(5e-324, 5e-324, 0, 0));
  EXPECT_TRUE(differ_at_most(0, 1e-18, 0, 1e-18));
  EXPECT_FALSE(differ_at_most(0, 2e-18, 0, 1e-18));
  EXPECT_TRUE(differ_at_most(0, 1e300, 0, HUGE_VAL));
}

/// Microseconds as a trace writes them.
[[nodiscard]] double stored(std::int64_t microseconds) {
  const std::int64_t million = 1'000'000;
  const std::string text = fmt::format("{}.{:06}", microseconds / million, microseconds % million);
  return std::strtod(text.c_str(), nullptr);
}

TEST(DecimalSeconds, MicrosecondsOfThisCenturyAreExact) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto first = static_cast<std::int64_t>(random() % 8'589'000'000'000'000);
    const auto difference = static_cast<std::int64_t>(random() % (1ULL << (random() % 40)));
    const double a = stored(first), b = stored(first + difference);
    const auto limit = [&](std::int64_t microseconds) {
      return decimal_product(static_cast<double>(microseconds), 1, -6);
    };
    ASSERT_TRUE(differ_at_most(a, b, 0, limit(difference))) << first << ' ' << difference;
    ASSERT_TRUE(differ_at_most(a, b, limit(3), limit(difference + 3))) << first;
    ASSERT_FALSE(differ_at_most(a, b, limit(3), limit(difference + 2))) << first;
    ASSERT_FALSE(difference > 0 && differ_at_most(a, b, 0, limit(difference - 1))) << first;
  }
}

TEST(DecimalSeconds, DurationsAreTheNearestReals) {
  EXPECT_EQ(decimal_product(175, 1, -3), 0.175);
  EXPECT_EQ(decimal_product(0.3, 1, -3), 0.0003);
  EXPECT_EQ(decimal_product(0.7, 60, 0), 42);
  EXPECT_EQ(decimal_product(1.1, 3600, 0), 3960);
  EXPECT_EQ(decimal_product(0, 3600, 0), 0);
  EXPECT_TRUE(std::isinf(decimal_product(1e308, 3600, 0)));
  EXPECT_EQ(decimal_product(1e-320, 1, -9), 0);
}

/// What a decimal number with so many decimals is stored as.
[[nodiscard]] double written(std::uint64_t count, int decimals) {
  return std::strtod(fmt::format("{}e-{}", count, decimals).c_str(), nullptr);
}

TEST(DecimalSeconds, CountsOfUnitsAreRoundedOnce) {
  EXPECT_EQ(decimal_seconds(1'794'940'963'508, 3), 1794940963.508);
  EXPECT_EQ(decimal_seconds(1'794'940'400'594'000'000, 9), 1794940400.594);
  EXPECT_EQ(decimal_seconds(0, 9), 0);
  EXPECT_EQ(decimal_seconds(UINT64_MAX, 0), 18446744073709551616.0);
  std::mt19937_64 random(11);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t count = random() >> (random() % 64);
    const int decimals = static_cast<int>(random() % 19);
    ASSERT_EQ(decimal_seconds(count, decimals), written(count, decimals))
        << count << ' ' << decimals;
    // A tie between two reals, and what is one more or less than it.
    const std::uint64_t tie = ((random() >> 11) | 1) << 10 | 1 << 9;
    for (const std::uint64_t near : {tie - 1, tie, tie + 1}) {
      ASSERT_EQ(decimal_seconds(near, 0), written(near, 0)) << near;
    }
  }
}

TEST(DecimalSeconds, NanosecondsAreThoseOfTheDecimalNumber) {
  EXPECT_EQ(decimal_nanoseconds(1794940400.594), 1'794'940'400'594'000'000);
  EXPECT_EQ(decimal_nanoseconds(-0.25), -250'000'000);
  EXPECT_EQ(decimal_nanoseconds(1e-10), 0);
  EXPECT_EQ(decimal_nanoseconds(6e-10), 1);
  std::mt19937_64 random(12);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t microseconds = random() % 8'589'000'000'000'000;
    ASSERT_EQ(decimal_nanoseconds(decimal_seconds(microseconds, 6)), microseconds * 1000)
        << microseconds;
  }
}

TEST(DecimalSeconds, DifferencesAreWords) {
  EXPECT_EQ(duration_words(decimal_difference(1.020, 1.195)), "175 ms");
  EXPECT_EQ(duration_words(decimal_difference(1763416800.1, 1763416802.3)), "2.2 s");
  EXPECT_EQ(duration_words(decimal_difference(1.195, 1.020)), "-175 ms");
  EXPECT_EQ(duration_words(decimal_product(250, 1, -6)), "250 us");
  EXPECT_EQ(duration_words(3e-9), "3 ns");
  EXPECT_EQ(duration_words(0), "0 s");
  EXPECT_EQ(decimal_difference(-1e300, 1e300), 2e300);
}

}  // namespace
}  // namespace lightcone
