// Numbers on the wire, of all widths.
#include <lightcone/base/wire.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace lightcone {
namespace {

TEST(Zigzag, SmallDifferencesAreSmallNumbers) {
  EXPECT_EQ(zigzag<std::uint64_t>(0), 0U);
  EXPECT_EQ(zigzag<std::uint64_t>(UINT64_MAX), 1U);
  EXPECT_EQ(zigzag<std::uint64_t>(1), 2U);
  EXPECT_EQ(zigzag<std::uint64_t>(UINT64_MAX - 1), 3U);
  EXPECT_EQ(zigzag<std::uint64_t>(std::uint64_t{1} << 63), UINT64_MAX);
}

template <class T>
void expect_nothing_lost() {
  for (T bit = 1; bit != 0; bit = static_cast<T>(bit << 1)) {
    for (const T value : {bit, static_cast<T>(bit - 1), static_cast<T>(0 - bit)}) {
      EXPECT_EQ(unzigzag<T>(zigzag<T>(value)), value);
    }
  }
}

TEST(Zigzag, LosesNothing) {
  expect_nothing_lost<std::uint8_t>();
  expect_nothing_lost<std::uint16_t>();
  expect_nothing_lost<std::uint32_t>();
  expect_nothing_lost<std::uint64_t>();
}

}  // namespace
}  // namespace lightcone
