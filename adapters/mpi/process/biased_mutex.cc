// What is done seldom: by other threads than the owner, and by an owner that has to wait.
#include "process/biased_mutex.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace lightcone::mpi {
namespace {

/// Where other threads come so often, all are alike from then on.
constexpr std::uint64_t most_visits = 100'000;

/// Thread sanitizers do not know what membarrier does.
#if defined(__SANITIZE_THREAD__)
constexpr bool can_be_biased = false;
#else
constexpr bool can_be_biased = true;
#endif

[[nodiscard]] bool order_all_threads(int command) {
  return can_be_biased && ::syscall(SYS_membarrier, command, 0, 0) == 0;
}

}  // namespace

void BiasedMutex::own() {
  if (!order_all_threads(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) return;
  owner_ = ::pthread_self();
  is_biased_ = true;
  wanted_ = false;
}

void BiasedMutex::wait() {
  inside_.store(false, std::memory_order_release);
  mutex_.lock();
  waited_ = true;
}

void BiasedMutex::lock_from_outside() {
  mutex_.lock();
  if (!is_biased_) return;
  wanted_.store(true);
  if (++visits_ > most_visits) is_biased_ = false;
  static_cast<void>(order_all_threads(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
  while (inside_.load(std::memory_order_acquire)) {
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
}

void BiasedMutex::unlock_mutex() {
  if (is_owner()) {
    waited_ = false;
  } else if (is_biased_) {
    wanted_.store(false, std::memory_order_release);
  }
  mutex_.unlock();
}

}  // namespace lightcone::mpi
