// Clocks that are recorded: exact but in loops that poll, and there at most two milliseconds late.
#include <lightcone/run/answers/polling_clock.h>

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace lightcone {
namespace {

TEST(PollingClock, IsExactWhereThingsHappen) {
  PollingClock clock;
  for (std::uint64_t i = 1; i < 1000; ++i) {
    EXPECT_EQ(clock.answer(i, {.time = 1000 * i, .deeds = i, .polls = i}), i);
  }
}

TEST(PollingClock, IsExactWhereTheProgramComputes) {
  PollingClock clock;
  for (std::uint64_t i = 1; i < 1000; ++i) {
    EXPECT_EQ(clock.answer(i, {.time = PollingClock::close * i, .deeds = 0, .polls = 0}), i);
  }
}

// A look after a computation is exact, though the loop around both polls.
TEST(PollingClock, TimesComputationsInsideOfALoop) {
  PollingClock clock;
  std::uint64_t time = 1;
  for (std::uint64_t i = 1; i < 1000; ++i) {
    const std::uint64_t begin = clock.answer(time, {time, 0, i});
    time += 300'000;
    const std::uint64_t end = clock.answer(time, {time, 0, i});
    EXPECT_NEAR(static_cast<double>(end - begin), 300'000, 2000);
    time += 500;
  }
}

TEST(PollingClock, RepeatsItselfInALoopThatPolls) {
  PollingClock clock;
  std::set<std::uint64_t> answers;
  const std::uint64_t second = 1'000'000'000;
  for (std::uint64_t time = 1; time < second; time += 700) {
    answers.insert(clock.answer(time, {.time = time, .deeds = 3, .polls = time}));
  }
  EXPECT_LE(answers.size(), 500 + PollingClock::loop);
  EXPECT_GE(answers.size(), 450U);
}

TEST(PollingClock, IsNeverLateByMoreThanItMayBeAndNeverGoesBack) {
  std::mt19937_64 random(7);
  PollingClock clock;
  std::uint64_t before = 0;
  PollingClock::Moment now{.time = 1, .deeds = 0, .polls = 0};
  for (int i = 0; i < 200'000; ++i) {
    now.time += random() % (random() % 50 == 0 ? 3'000'000 : 3000);
    now.polls += random() % 2;
    now.deeds += random() % 100 == 0;
    const std::uint64_t answer = clock.answer(now.time, now);
    ASSERT_GE(answer, before);
    ASSERT_LE(answer, now.time);
    ASSERT_LT(now.time - answer, PollingClock::most_late);
    before = answer;
  }
}

}  // namespace
}  // namespace lightcone
