// The order of cuts, and how cuts of a level are global states of its computation.
#include <lightcone/lattice/order/cut.h>

#include <lightcone/causality.h>
#include <lightcone/lattice/order/level.h>

#include <algorithm>
#include <numeric>

namespace lightcone {

bool is_consistent(const Level& level, std::span<const Rank> cut) {
  if (!is_within(level.bottom(), cut) || !is_within(cut, level.top())) return false;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    if (cut[c] > level.bottom()[c] && !is_within(level.past(c, cut[c]), cut)) return false;
  }
  return true;
}

bool is_within(std::span<const Rank> lower, std::span<const Rank> upper) {
  return std::equal(lower.begin(), lower.end(), upper.begin(), upper.end(), std::less_equal<>());
}

std::uint64_t size_of(std::span<const Rank> cut) {
  return std::accumulate(cut.begin(), cut.end(), std::uint64_t{0});
}

Cut join(std::span<const Rank> a, std::span<const Rank> b) {
  Cut both(a.begin(), a.end());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = std::max(both[i], b[i]);
  return both;
}

Cut meet(std::span<const Rank> a, std::span<const Rank> b) {
  Cut both(a.begin(), a.end());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = std::min(both[i], b[i]);
  return both;
}

Cut closure(const Level& level, Cut cut) {
  Cut closed = join(level.bottom(), cut);
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    if (cut[c] > 0) closed = join(closed, level.past(c, cut[c]));
  }
  return closed;
}

bool can_advance(const Level& level, std::span<const Rank> cut, std::uint32_t chain) {
  const Rank next = cut[chain] + 1;
  if (next > level.top()[chain]) return false;
  const auto past = level.past(chain, next);
  for (std::uint32_t c = 0; c < past.size(); ++c) {
    if (c != chain && past[c] > cut[c]) return false;
  }
  return true;
}

std::vector<Rank> process_ranks(const Level& level, std::span<const Rank> cut) {
  std::vector<EventIndex> last;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    if (cut[c] > 0) last.push_back(level.event(c, cut[c]));
  }
  return causal_past(level.computation(), std::move(last));
}

}  // namespace lightcone
