// Work that splits into independent parts, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace lightcone {

/// Calls `work(i)` for each i below `count`, in any order, on all cores. Each call must touch only
/// what is its own. A single part runs where it is called.
template <class Work>
void for_each_part(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(run);
  run();
}

}  // namespace lightcone
