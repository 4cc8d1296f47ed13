// Finds the least satisfying cut of each event from that of the event before it.
#include <lightcone/lattice/predicate/slice.h>

#include <lightcone/lattice/predicate/least_cut.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Fills the rows of one chain; its last event that is in a satisfying cut.
[[nodiscard]] Rank fill_chain(const Level& level, const Condition& condition, const Cut& bottom,
                              std::uint32_t chain, TimestampTable& pasts) {
  Cut least = bottom;
  for (Rank k = 1; k <= level.top()[chain]; ++k) {
    if (k > least[chain]) {
      auto next = least_cut(level, condition, join(least, level.past(chain, k)));
      if (!next) return k - 1;
      least = std::move(*next);
    }
    std::copy(least.begin(), least.end(), pasts.row(level.index(chain, k)));
  }
  return level.top()[chain];
}

}  // namespace

std::optional<Level> slice(const Level& level, const Condition& condition) {
  const std::optional<Cut> bottom = least_cut(level, condition, level.bottom());
  if (!bottom) return std::nullopt;
  TimestampTable pasts(level.events(), level.chains());
  std::fill_n(pasts.row(0), level.events() * pasts.stride(), 0);
  Cut top = level.top();
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    top[c] = fill_chain(level, condition, *bottom, c, pasts);
  }
  return Level(level, std::move(pasts), *bottom, std::move(top));
}

}  // namespace lightcone
