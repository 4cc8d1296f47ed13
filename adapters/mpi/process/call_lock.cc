// Either a call sees that others want to come in, or they see that it is inside.
#include "process/call_lock.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace lightcone::mpi {
namespace {

[[nodiscard]] bool membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

CallLock::CallLock() : needs_fence_(!membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) {}

void CallLock::let_others_in() {
  do {
    is_inside_.store(false, std::memory_order_release);
    { const std::lock_guard after_them(mutex_); }
    is_inside_.store(true, std::memory_order_seq_cst);
  } while (is_wanted_.load(std::memory_order_seq_cst));
}

/// A call that was interrupted by a fatal signal does not come out any more: who waits for it must
/// not keep a core busy.
void CallLock::Others::lock() {
  lock_.mutex_.lock();
  lock_.is_wanted_.store(true, std::memory_order_seq_cst);
  if (!lock_.needs_fence_) static_cast<void>(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
  std::atomic_thread_fence(std::memory_order_seq_cst);
  constexpr int soon = 100;
  for (int tries = 0; lock_.is_inside_.load(std::memory_order_seq_cst); ++tries) {
    if (tries < soon) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

void CallLock::Others::unlock() {
  lock_.is_wanted_.store(false, std::memory_order_seq_cst);
  lock_.mutex_.unlock();
}

}  // namespace lightcone::mpi
