// Keeps the calls of a program apart from the threads that write what these have kept.
#pragma once

#include <atomic>
#include <mutex>

namespace lightcone::mpi {

/// A lock that costs its first side next to nothing. That side are the program's calls, which come
/// one at a time: `lock` and `unlock` are two plain writes and a read. The other side are all other
/// threads, which come once a second. They make every core see what the others have written
/// (membarrier), and wait until no call is inside.
class CallLock {
 public:
  CallLock();

  /// Before the first call: several threads may call, and the lock keeps them apart, too. Such a
  /// program may read a clock in one thread while another thread makes a call of the MPI.
  void let_several_call() { several_call_ = true; }

  // The calls.
  void lock() {
    if (several_call_) return mutex_.lock();
    is_inside_.store(true, std::memory_order_relaxed);
    if (needs_fence_) {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    } else {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    if (is_wanted_.load(std::memory_order_acquire)) let_others_in();
  }
  void unlock() {
    if (several_call_) return mutex_.unlock();
    is_inside_.store(false, std::memory_order_release);
  }

  /// The other threads, by std::lock_guard.
  class Others {
   public:
    explicit Others(CallLock& lock) : lock_(lock) {}
    void lock();
    void unlock();

   private:
    CallLock& lock_;
  };
  [[nodiscard]] Others& others() { return others_; }

 private:
  void let_others_in();

  std::atomic<bool> is_inside_ = false, is_wanted_ = false;
  bool needs_fence_;  // the system has no membarrier
  bool several_call_ = false;
  std::mutex mutex_;  // of the others; of the calls, too, if several threads call
  Others others_{*this};
};

}  // namespace lightcone::mpi
