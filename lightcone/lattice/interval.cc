// Intervals split at an event into those without it and those with it.
#include <lightcone/lattice/interval.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace lightcone {
namespace {

/// The logarithm of the number of cuts if the chains were independent: there are no more.
[[nodiscard]] double log_of_most_cuts(const Interval& interval) {
  double size = 0;
  for (std::size_t c = 0; c < interval.lower.size(); ++c) {
    size += std::log2(double(interval.upper[c] - interval.lower[c]) + 1);
  }
  return size;
}

/// An interval and what its size may be; the truth is only known by counting.
struct Guessed {
  Interval interval;
  double size;

  explicit Guessed(Interval of) : interval(std::move(of)), size(log_of_most_cuts(interval)) {}
  [[nodiscard]] bool operator<(const Guessed& other) const { return size < other.size; }
};

/// The cuts without the event in the middle of the first chain that moves, and those with it: an
/// enumeration, which chooses that chain first, takes no longer for both than for the whole.
[[nodiscard]] std::pair<Interval, Interval> halves(const Futures& futures, const Interval& whole) {
  std::uint32_t chain = 0;
  while (whole.lower[chain] == whole.upper[chain]) ++chain;
  const Rank length = whole.upper[chain] - whole.lower[chain];
  const Rank middle = whole.lower[chain] + length / 2 + 1;
  return {{whole.lower, meet(whole.upper, futures.without(chain, middle))},
          {join(whole.lower, futures.level().past(chain, middle)), whole.upper}};
}

}  // namespace

std::vector<std::uint32_t> moving_chains(const Interval& interval) {
  std::vector<std::uint32_t> moving;
  for (std::uint32_t c = 0; c < interval.lower.size(); ++c) {
    if (interval.lower[c] < interval.upper[c]) moving.push_back(c);
  }
  return moving;
}

bool has_few_cuts(const Interval& interval) {
  constexpr double few = 12;
  return log_of_most_cuts(interval) <= few;
}

std::vector<Interval> split(const Futures& futures, const Interval& interval, std::size_t parts) {
  std::priority_queue<Guessed> queue;
  queue.emplace(interval);
  while (queue.size() < parts && queue.top().size > 0) {
    auto [without, with] = halves(futures, queue.top().interval);
    queue.pop();
    queue.emplace(std::move(without));
    queue.emplace(std::move(with));
  }
  // The largest first, so that the last to be finished are small.
  std::vector<Interval> result;
  for (; !queue.empty(); queue.pop()) result.push_back(queue.top().interval);
  return result;
}

}  // namespace lightcone
