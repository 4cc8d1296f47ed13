// Intervals split at an event into those without it and those with it.
#include <lightcone/lattice/order/interval.h>

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
  return log_of_most_cuts(interval) <= log_of_few_cuts;
}

std::vector<Interval> split(const Futures& futures, std::vector<Interval> intervals,
                            std::size_t parts, double log_of_least) {
  std::priority_queue<Guessed> queue;
  for (Interval& interval : intervals) queue.emplace(std::move(interval));
  while (!queue.empty() && queue.size() < parts && queue.top().size > log_of_least) {
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

// What comes after a cut x agrees with it up to some chain, of which it has more events: for each
// chain c, the cuts that are as x before c, and contain the event of c that x ends before. They are
// an interval, since each of these choices bounds a cut from below and from above.
std::vector<Interval> rest_of(const Futures& futures, const Interval& interval, const Cut& first) {
  const Level& level = futures.level();
  std::vector<Interval> rest;
  Interval agreeing = interval;  // with `first`, in the chains so far
  for (const std::uint32_t c : moving_chains(interval)) {
    const Rank next = first[c] + 1;
    if (next <= interval.upper[c]) {
      Cut lower = join(agreeing.lower, level.past(c, next));
      if (is_within(lower, agreeing.upper)) rest.push_back({std::move(lower), agreeing.upper});
      agreeing.upper = meet(agreeing.upper, futures.without(c, next));
    }
    if (first[c] > interval.lower[c]) {
      agreeing.lower = join(agreeing.lower, level.past(c, first[c]));
    }
  }
  rest.push_back(std::move(agreeing));  // `first` itself
  return rest;
}

}  // namespace lightcone
