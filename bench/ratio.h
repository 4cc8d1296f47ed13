// Benchmarks are ratios: ours and what it is measured against, in turns, in one run.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace lightcone::bench {

/// Seconds that one call takes.
[[nodiscard]] inline double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Runs both in turns and reports the medians, their ratio and the limit that it must keep:
/// `ours / rival <= limit`, or (`at_least`) `rival / ours >= limit`.
inline void compare(benchmark::State& state, const std::function<void()>& ours,
                    const std::function<void()>& rival, double limit, bool at_least = false) {
  std::vector<double> our_times;
  std::vector<double> rival_times;
  for (auto _ : state) {
    rival_times.push_back(seconds(rival));
    our_times.push_back(seconds(ours));
    state.SetIterationTime(our_times.back());
  }
  const auto median = [](std::vector<double>& times) {
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
  };
  const double our_time = median(our_times);
  const double rival_time = median(rival_times);
  state.counters["ours_ms"] = our_time * 1e3;
  state.counters["rival_ms"] = rival_time * 1e3;
  state.counters["ratio"] = at_least ? rival_time / our_time : our_time / rival_time;
  state.counters[at_least ? "at_least" : "at_most"] = limit;
}

}  // namespace lightcone::bench
