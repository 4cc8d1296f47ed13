// Work that splits into independent parts, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lightcone {

/// The number of cores. The system is asked once, since it reads a file for the answer.
[[nodiscard]] inline std::size_t core_count() {
  static const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return cores;
}

/// Whether this thread runs a part of work that keeps all cores busy.
inline thread_local bool cores_are_busy = false;

/// Calls `work(i)` for each i below `count`, in any order, on all cores. Each call must touch only
/// what is its own. A single part runs where it is called, and so do all parts of work that is a
/// part of other work, if that keeps all cores busy: threads would cost more than they bring. An
/// exception of one part is thrown where it was called, after all threads have ended; parts that
/// have not begun by then are left out.
template <class Work>
void for_each_part(std::size_t count, const Work& work) {
  const std::size_t cores = core_count();
  if (count < 2 || cores_are_busy) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::exception_ptr problem;
  const auto run = [&] {
    cores_are_busy = count >= cores;
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard guard(lock);
      if (!problem) problem = std::current_exception();
    }
    cores_are_busy = false;
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(run);
    } catch (const std::exception&) {
      // There is no room for more threads: those that have begun do it all.
    }
    run();
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace lightcone
