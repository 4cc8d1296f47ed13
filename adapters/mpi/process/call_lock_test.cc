// One thread calls, others come in now and then: nobody is inside with another.
#include "process/call_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace lightcone::mpi {
namespace {

/// Two numbers that are equal whenever nobody is inside.
struct Pair {
  volatile std::uint64_t first = 0, second = 0;

  /// Returns whether nobody else was at it.
  [[nodiscard]] bool step() {
    const bool was_equal = first == second;
    first = first + 1;
    second = second + 1;
    return was_equal && first == second;
  }
};

TEST(CallLock, KeepsCallsAndOthersApart) {
  constexpr std::uint64_t calls = 3'000'000, visits = 2'000;
  CallLock lock;
  Pair pair;
  std::atomic<bool> alone = true;
  std::atomic<std::uint64_t> came = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < 2; ++i) {
    others.emplace_back([&] {
      for (std::uint64_t k = 0; k < visits; ++k) {
        const std::lock_guard visit(lock.others());
        if (!pair.step()) alone = false;
        ++came;
      }
    });
  }
  for (std::uint64_t k = 0; k < calls || came < 2 * visits; ++k) {
    const std::lock_guard call(lock);
    if (!pair.step()) alone = false;
  }
  for (std::thread& other : others) other.join();
  EXPECT_TRUE(alone);
  EXPECT_EQ(came, 2 * visits);
  EXPECT_GE(pair.first, calls + 2 * visits);
}

TEST(CallLock, KeepsSeveralThatCallApart) {
  constexpr std::uint64_t calls = 200'000;
  CallLock lock;
  lock.let_several_call();
  Pair pair;
  std::atomic<bool> alone = true;
  const auto come = [&](auto& side) {
    for (std::uint64_t k = 0; k < calls; ++k) {
      const std::lock_guard guard(side);
      if (!pair.step()) alone = false;
    }
  };
  std::thread first([&] { come(lock); }), second([&] { come(lock); });
  come(lock.others());
  first.join();
  second.join();
  EXPECT_TRUE(alone);
  EXPECT_EQ(pair.first, 3 * calls);
}

TEST(CallLock, OthersComeInWhileNobodyCalls) {
  CallLock lock;
  std::thread([&] { const std::lock_guard visit(lock.others()); }).join();
  const std::lock_guard call(lock);
}

TEST(CallLock, OthersWaitForTheCallInside) {
  CallLock lock;
  std::atomic<bool> over = false, was_over = false;
  lock.lock();
  std::thread other([&] {
    const std::lock_guard visit(lock.others());
    was_over = over.load();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  over = true;
  lock.unlock();
  other.join();
  EXPECT_TRUE(was_over);
}

}  // namespace
}  // namespace lightcone::mpi
