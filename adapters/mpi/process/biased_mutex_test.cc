// One thread at a time, whoever owns the mutex.
#include "process/biased_mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace lightcone::mpi {
namespace {

using std::chrono::steady_clock;

/// What two threads would lose if both were inside.
struct Counts {
  std::uint64_t one = 0, other = 0;

  void add() {
    ASSERT_EQ(one, other);
    ++one;
    if (one % 64 == 0) std::this_thread::yield();
    ++other;
  }
};

/// The owner locks as often as it can, others now and then, until each has had enough turns.
void count_together(BiasedMutex& mutex, int others, std::chrono::microseconds pause) {
  constexpr int turns = 200;
  Counts counts;
  std::atomic<int> left = others;
  std::vector<std::thread> threads;
  for (int i = 0; i < others; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < turns; ++turn) {
        {
          const std::lock_guard lock(mutex);
          counts.add();
        }
        std::this_thread::sleep_for(pause);
      }
      --left;
    });
  }
  std::uint64_t own = 0;
  for (; left > 0; ++own) {
    const std::lock_guard lock(mutex);
    counts.add();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts.one, own + static_cast<std::uint64_t>(others * turns));
  EXPECT_EQ(counts.other, counts.one);
}

TEST(BiasedMutex, LetsOneThreadInAtATime) {
  for (const int others : {1, 3}) {
    for (const int pause : {0, 100}) {
      BiasedMutex mutex;
      mutex.own();
      count_together(mutex, others, std::chrono::microseconds(pause));
    }
  }
}

TEST(BiasedMutex, NeedsNoOwner) {
  BiasedMutex mutex;
  count_together(mutex, 2, std::chrono::microseconds(0));
}

TEST(BiasedMutex, IsWaitedForByAThreadThatComesWhileTheOwnerIsInside) {
  BiasedMutex mutex;
  mutex.own();
  std::atomic<bool> came = false;
  mutex.lock();
  std::thread other([&] {
    const std::lock_guard lock(mutex);
    came = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(came);
  mutex.unlock();
  other.join();
  EXPECT_TRUE(came);
}

}  // namespace
}  // namespace lightcone::mpi
