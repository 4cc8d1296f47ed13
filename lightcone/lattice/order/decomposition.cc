// Inevitable cuts, and connected components of the comparability graph.
#include <lightcone/lattice/order/decomposition.h>

#include <algorithm>
#include <numeric>

namespace lightcone {
namespace {

/// For the events between two cuts, how many of them happened strictly before each. What is
/// below an event and can be without it are those.
class StrictPasts {
 public:
  StrictPasts(const Futures& futures, const Interval& interval,
              const std::vector<std::uint32_t>& moving) {
    for (const std::uint32_t c : moving) {
      begin_.push_back(sizes_.size());
      for (Rank k = interval.lower[c] + 1; k <= interval.upper[c]; ++k) {
        const auto past = futures.level().past(c, k);
        const auto without = futures.without(c, k);
        std::uint32_t size = 0;
        for (const std::uint32_t d : moving) {
          size += std::max(std::min(past[d], without[d]), interval.lower[d]) - interval.lower[d];
        }
        sizes_.push_back(size);
      }
    }
    begin_.push_back(sizes_.size());
  }

  [[nodiscard]] std::uint32_t events() const { return static_cast<std::uint32_t>(sizes_.size()); }
  [[nodiscard]] const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  /// Those of the i-th moving chain.
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(sizes_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  std::vector<std::uint32_t> sizes_;
  std::vector<std::size_t> begin_;
};

/// Which numbers of events an inevitable cut has. A cut D of m events is inevitable iff all events
/// outside of it happened after all of D. Then events in D have fewer than m before them, others m
/// or more. The other way round, let exactly m events, D, have fewer than m before them. The least
/// events outside have only events of D before them, and at least m: all of D.
[[nodiscard]] std::vector<std::uint32_t> inevitable_sizes(const StrictPasts& pasts) {
  std::vector<std::uint32_t> having(pasts.events() + 1, 0);
  for (const std::uint32_t size : pasts.sizes()) ++having[size];
  std::vector<std::uint32_t> result;
  for (std::uint32_t m = 0, fewer = 0; m <= pasts.events(); fewer += having[m++]) {
    if (fewer == m) result.push_back(m);
  }
  return result;
}

}  // namespace

void for_each_series_part(const Futures& futures, const Interval& interval,
                          const std::function<void(const Interval&)>& visit) {
  const auto moving = moving_chains(interval);
  const StrictPasts pasts(futures, interval, moving);
  const auto sizes = inevitable_sizes(pasts);
  Interval part{interval.lower, interval.lower};
  if (moving.empty()) visit(part);
  std::vector<std::size_t> passed(moving.size(), 0);
  for (std::size_t next = 1; next < sizes.size(); ++next) {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const auto of_chain = pasts.of(i);
      while (passed[i] < of_chain.size() && of_chain[passed[i]] < sizes[next]) {
        ++passed[i];
        ++part.upper[moving[i]];
      }
    }
    visit(part);
    part.lower = part.upper;
  }
}

std::vector<Interval> parallel_parts(const Level& level, const Interval& interval) {
  const auto moving = moving_chains(interval);
  std::vector<std::uint32_t> leader(interval.lower.size());
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::uint32_t c) {
    while (leader[c] != c) c = leader[c] = leader[leader[c]];
    return c;
  };
  // A chain's events are comparable, and its last one knows what any of them knows.
  for (const std::uint32_t c : moving) {
    const auto past = level.past(c, interval.upper[c]);
    for (const std::uint32_t d : moving) {
      if (past[d] > interval.lower[d]) leader[find(d)] = find(c);
    }
  }
  std::vector<Interval> parts;
  std::vector<std::uint32_t> part_of(leader.size(), none);
  for (const std::uint32_t c : moving) {
    std::uint32_t& part = part_of[find(c)];
    if (part == none) {
      part = static_cast<std::uint32_t>(parts.size());
      parts.push_back({interval.lower, interval.lower});
    }
    parts[part].upper[c] = interval.upper[c];
  }
  return parts;
}

}  // namespace lightcone
