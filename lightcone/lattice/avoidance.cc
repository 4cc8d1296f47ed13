// Searches the cuts that do not satisfy a condition: depth first, or level by level.
#include <lightcone/lattice/avoidance.h>

#include <lightcone/lattice/cut_set.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::uint64_t states_between_looks = 1024;

/// Counts states, and looks at the budget now and then.
class Meter {
 public:
  explicit Meter(Budget& budget) : budget_(budget) {}
  [[nodiscard]] bool tick() {
    if (++ticks_ % states_between_looks != 0) return true;
    return budget_.spend_states(states_between_looks);
  }

 private:
  Budget& budget_;
  std::uint64_t ticks_ = 0;
};

/// Whether one more event of the chain leads to a cut of the interval.
[[nodiscard]] bool can_step(const Level& level, const Cut& cut, const Cut& upper,
                            std::uint32_t chain) {
  return cut[chain] < upper[chain] && can_advance(level, cut, chain);
}

/// The way back from the upper cut: a predecessor that was reached is always in the level before.
[[nodiscard]] std::vector<std::uint32_t> way_through(const std::vector<CutSet>& levels, Cut cut) {
  std::vector<std::uint32_t> steps;
  for (std::size_t m = levels.size(); m-- > 0;) {
    for (std::uint32_t c = 0; c < cut.size(); ++c) {
      if (cut[c] == 0) continue;
      --cut[c];
      if (levels[m].contains(cut)) {
        steps.push_back(c);
        break;
      }
      ++cut[c];
    }
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace

Avoidance avoid_depth_first(const Level& level, const Condition& condition, const Cut& lower,
                            const Cut& upper, Budget& budget) {
  const CutPacking packing(lower, upper);
  CutSet seen(packing);
  Meter meter(budget);
  Cut cut = lower;
  seen.insert(cut);
  std::vector<std::uint32_t> steps;
  std::uint32_t next = 0;  // the chain to try at this cut
  while (cut != upper) {
    if (!meter.tick() || !budget.may_hold(seen.bytes())) return {std::nullopt, {}};
    while (next < level.chains() && !can_step(level, cut, upper, next)) ++next;
    if (next < level.chains()) {
      ++cut[next];
      if (!condition.holds(cut) && seen.insert(cut)) {
        steps.push_back(next);
        next = 0;
        continue;
      }
      --cut[next++];
      continue;
    }
    if (steps.empty()) return {false, {}};
    next = steps.back();
    steps.pop_back();
    --cut[next++];
  }
  return {true, std::move(steps)};
}

Avoidance avoid_by_level(const Level& level, const Condition& condition, const Cut& lower,
                         const Cut& upper, Budget& budget) {
  const CutPacking packing(lower, upper);
  Meter meter(budget);
  std::vector<CutSet> levels;  // all that were kept, the last is the one at hand
  levels.emplace_back(packing).insert(lower);
  bool all_kept = true;
  std::size_t held = 0;
  const std::uint64_t height = size_of(upper) - size_of(lower);
  Cut cut = lower;
  for (std::uint64_t m = 0; m < height; ++m) {
    CutSet next(packing);
    const CutSet& here = levels.back();
    for (std::size_t i = 0; i < here.size(); ++i) {
      here.get(i, cut);
      for (std::uint32_t c = 0; c < level.chains(); ++c) {
        if (!can_step(level, cut, upper, c)) continue;
        ++cut[c];
        if (!condition.holds(cut)) next.insert(cut);
        --cut[c];
      }
      if (!meter.tick()) return {std::nullopt, {}};
    }
    if (next.size() == 0) return {false, {}};
    held += here.bytes();
    if (held + next.bytes() > budget.limits().bytes / 2) {
      levels.clear();
      held = 0;
      all_kept = false;
    }
    if (!budget.may_hold(held + next.bytes())) return {std::nullopt, {}};
    levels.push_back(std::move(next));
  }
  levels.pop_back();
  return {true, all_kept ? way_through(levels, upper) : std::vector<std::uint32_t>()};
}

}  // namespace lightcone
