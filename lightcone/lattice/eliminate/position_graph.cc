// Stops begin where an event has a direct cause or a direct effect in another chain that moves.
#include <lightcone/lattice/eliminate/position_graph.h>

#include <algorithm>

namespace lightcone {

PositionGraph::PositionGraph(const Futures& futures, const DirectCauses& causes,
                             const Interval& interval)
    : futures_(futures), interval_(interval), chains_(moving_chains(interval)) {
  find_needs(causes);
  find_stops();
  find_neighbours();
}

/// Needs hold ranks of events until stops are known.
void PositionGraph::find_needs(const DirectCauses& causes) {
  std::vector<std::uint32_t> variable_of(interval_.lower.size(), none);
  for (std::uint32_t v = 0; v < variables(); ++v) variable_of[chains_[v]] = v;
  for (std::uint32_t v = 0; v < variables(); ++v) {
    const std::uint32_t c = chains_[v];
    for (const auto& cause : causes.between(c, interval_.lower[c], interval_.upper[c])) {
      if (cause.rank <= interval_.lower[cause.chain]) continue;
      needs_.push_back({v, cause.effect, variable_of[cause.chain], cause.rank});
    }
  }
}

void PositionGraph::find_stops() {
  begins_.resize(variables());
  for (std::uint32_t v = 0; v < variables(); ++v) begins_[v] = {interval_.lower[chains_[v]]};
  for (const Need& need : needs_) {
    begins_[need.variable].push_back(need.stop);
    begins_[need.needed_variable].push_back(need.needed_stop);
  }
  for (auto& begins : begins_) {
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  }
  for (Need& need : needs_) {
    need.stop = stop_of(need.variable, need.stop);
    need.needed_stop = stop_of(need.needed_variable, need.needed_stop);
  }
}

void PositionGraph::find_neighbours() {
  neighbours_.resize(variables());
  for (const Need& need : needs_) {
    auto& others = neighbours_[need.variable];
    if (!others.empty() && others.back() == need.needed_variable) continue;
    others.push_back(need.needed_variable);
    neighbours_[need.needed_variable].push_back(need.variable);
  }
  for (auto& others : neighbours_) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
}

std::uint32_t PositionGraph::stop_of(std::uint32_t variable, Rank position) const {
  const auto& begins = begins_[variable];
  const auto after = std::upper_bound(begins.begin(), begins.end(), position);
  return static_cast<std::uint32_t>(after - begins.begin()) - 1;
}

std::uint32_t PositionGraph::busiest() const {
  std::vector<std::size_t> shared(variables(), 0);
  for (const Need& need : needs_) {
    ++shared[need.variable];
    ++shared[need.needed_variable];
  }
  return static_cast<std::uint32_t>(std::max_element(shared.begin(), shared.end()) -
                                    shared.begin());
}

Interval PositionGraph::at_stop(std::uint32_t variable, std::uint32_t stop) const {
  Interval part = interval_;
  const std::uint32_t c = chains_[variable];
  if (stop > 0) part.lower = join(part.lower, level().past(c, first_position(variable, stop)));
  if (stop + 1 < stops(variable)) {
    part.upper = meet(part.upper, futures_.without(c, last_position(variable, stop) + 1));
  }
  return part;
}

/// Bounds grow, so that both chains are walked once.
PositionGraph::Bounds PositionGraph::bounds(std::uint32_t of, std::uint32_t other) const {
  const std::uint32_t c = chains_[of];
  const std::uint32_t d = chains_[other];
  const auto& begins = begins_[other];
  const std::uint32_t all = stops(of);
  Bounds result{std::vector<std::uint32_t>(all), std::vector<std::uint32_t>(all)};
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  for (std::uint32_t x = 0; x < all; ++x) {
    if (x > 0) {
      const Rank least = futures_.level().past(c, begins_[of][x])[d];
      while (first + 1 < begins.size() && begins[first + 1] <= least) ++first;
    }
    result.first[x] = first;
    if (x + 1 < all) {
      const Rank greatest = futures_.without(c, begins_[of][x + 1])[d];
      while (last + 1 < begins.size() && begins[last + 1] <= greatest) ++last;
    } else {
      last = static_cast<std::uint32_t>(begins.size()) - 1;
    }
    result.last[x] = last;
  }
  return result;
}

}  // namespace lightcone
