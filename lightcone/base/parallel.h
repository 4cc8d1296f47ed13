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

/// Calls `work(i)` for each i below `count`, in any order, on all cores. Each call must touch only
/// what is its own. A single part runs where it is called. An exception of one part is thrown where
/// it was called, after all threads have ended; parts that have not begun by then are left out.
template <class Work>
void for_each_part(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::exception_ptr problem;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard guard(lock);
      if (!problem) problem = std::current_exception();
    }
  };
  {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
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
