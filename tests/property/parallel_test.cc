// Work on all cores: every part once, also inside of parts, and exceptions come back.
#include <lightcone/base/parallel.h>

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace lightcone {
namespace {

TEST(Parallel, EachPartIsDoneOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<std::atomic<int>> done(count);
    for_each_part(count, [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(Parallel, PartsOfPartsRunWhereTheyAreIfAllCoresAreBusy) {
  std::atomic<int> done = 0;
  for_each_part(core_count() + 1, [&](std::size_t) {
    std::set<std::thread::id> threads;
    for_each_part(10, [&](std::size_t) {
      threads.insert(std::this_thread::get_id());
      ++done;
    });
    EXPECT_EQ(threads.size(), 1U);
  });
  EXPECT_EQ(done, 10 * static_cast<int>(core_count() + 1));
  EXPECT_FALSE(cores_are_busy);
}

TEST(Parallel, AnExceptionIsThrownWhereItWasCalled) {
  for (const std::size_t count : {1U, 100U}) {
    EXPECT_THROW(for_each_part(count, [](std::size_t) { throw std::runtime_error("no"); }),
                 std::runtime_error);
    EXPECT_FALSE(cores_are_busy);
  }
}

}  // namespace
}  // namespace lightcone
