// A mutex that costs one thread next to nothing, and all others a system call.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace lightcone::mpi {

/// The owner locks it by a plain store. An atomic exchange would have to wait until what an MPI has
/// just written into memory that it shares with another process is there, at each call. So the
/// other threads do what is needed for both: they say that they want it, let the kernel order the
/// stores and loads of all threads (membarrier), and look whether the owner is inside. Either the
/// owner sees that it is wanted, or they see that it is inside. An owner that sees it waits for the
/// mutex, as anyone.
class BiasedMutex {
 public:
  BiasedMutex() = default;
  BiasedMutex(const BiasedMutex&) = delete;
  BiasedMutex& operator=(const BiasedMutex&) = delete;

  /// Makes this thread the owner, before there are others. Where the kernel cannot help, all
  /// threads stay alike.
  void own();
  void lock() {
    if (!is_owner()) return lock_from_outside();
    inside_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (wanted_.load(std::memory_order_acquire)) wait();
  }
  void unlock() {
    if (!is_owner() || waited_) return unlock_mutex();
    inside_.store(false, std::memory_order_release);
  }

 private:
  [[nodiscard]] bool is_owner() const { return ::pthread_equal(owner_, ::pthread_self()) != 0; }
  void wait();
  void lock_from_outside();
  void unlock_mutex();

  pthread_t owner_ = {};
  std::atomic<bool> inside_ = false;  // the owner is, without the mutex
  std::atomic<bool> wanted_ = true;   // by others; always, if there is no owner
  bool is_biased_ = false;            // under the mutex
  bool waited_ = false;               // the owner has the mutex
  std::uint64_t visits_ = 0;          // of others
  std::mutex mutex_;
};

}  // namespace lightcone::mpi
