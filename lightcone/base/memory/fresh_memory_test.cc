// Fetching memory changes neither what stands in it nor errno.
#include <lightcone/base/memory/fresh_memory.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <numeric>

namespace lightcone {
namespace {

TEST(FreshMemory, RoomKeepsWhatTheColumnHolds) {
  for (const std::size_t count : {0U, 1U, 1000U, 100'000U, 3'000'000U}) {
    std::vector<std::uint32_t> column{7, 8, 9};
    make_room(column, count);
    EXPECT_GE(column.capacity(), count);
    EXPECT_EQ(column, (std::vector<std::uint32_t>{7, 8, 9}));
    const std::uint32_t* const place = column.data();
    column.resize(std::max<std::size_t>(count, 3));
    EXPECT_EQ(column.data(), place);
  }
}

TEST(FreshMemory, MemoryThatIsFullStaysAsItIs) {
  std::vector<std::uint32_t> column(2'000'000);
  std::iota(column.begin(), column.end(), 0U);
  const std::vector<std::uint32_t> before = column;
  errno = EDOM;
  fetch_memory(column.data() + 1, (column.size() - 1) * sizeof(std::uint32_t));
  EXPECT_EQ(errno, EDOM);
  EXPECT_EQ(column, before);
}

}  // namespace
}  // namespace lightcone
