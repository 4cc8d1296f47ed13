// Searches the cuts that do not satisfy a condition: depth first, or level by level.
#include <lightcone/lattice/decide/avoidance.h>

#include <lightcone/lattice/visit/cut_set.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint64_t states_between_looks = 64;

/// Counts states exactly, and looks at the clock now and then.
class Meter {
 public:
  explicit Meter(Budget& budget) : budget_(budget), left_(budget.left().states) {}
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  ~Meter() { (void)tell(); }

  /// Returns whether one more state may be visited.
  [[nodiscard]] bool tick() {
    ++untold_;
    return (untold_ <= left_ && untold_ < states_between_looks) || tell();
  }

 private:
  [[nodiscard]] bool tell() {
    left_ -= std::min(left_, untold_);
    return budget_.spend_states(std::exchange(untold_, 0));
  }

  Budget& budget_;
  std::uint64_t left_;
  std::uint64_t untold_ = 0;
};

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

/// In which order chains are tried: the less a step does for a sum that must not be reached, the
/// sooner. A sum that must not be met exactly is no guide, if there is another.
class Preference {
 public:
  Preference(const Level& level, const Condition& condition) : level_(level) {
    const Condition* sum = find_sum(condition);
    if (sum == nullptr) return;
    const std::int64_t sign = sum->relation == Condition::Relation::at_most ? -1 : 1;
    gain_.resize(level.chains());
    for (const Condition::Summand& summand : sum->sum) {
      if (summand.chain == none) continue;
      auto& gains = gain_[summand.chain];
      for (std::size_t k = 1; k < summand.values.size(); ++k) {
        gains.push_back(sign * (summand.values[k] - summand.values[k - 1]));
      }
    }
  }

  /// The chains that have events left; whether these can happen yet is asked when they are tried.
  void choices(std::span<const Rank> cut, std::vector<std::uint32_t>& chains) const {
    chains.clear();
    for (std::uint32_t c = 0; c < level_.chains(); ++c) {
      if (cut[c] < level_.top()[c]) chains.push_back(c);
    }
    if (gain_.empty()) return;
    std::stable_sort(chains.begin(), chains.end(), [&](std::uint32_t a, std::uint32_t b) {
      return gain(a, cut[a]) < gain(b, cut[b]);
    });
  }

 private:
  [[nodiscard]] static const Condition* find_sum(const Condition& condition) {
    if (condition.form == Condition::Form::sum) return &condition;
    const Condition* found = nullptr;
    for (const Condition& part : condition.parts) {
      if (part.form != Condition::Form::sum) continue;
      if (part.relation != Condition::Relation::equal) return &part;
      if (found == nullptr) found = &part;
    }
    return found;
  }
  [[nodiscard]] std::int64_t gain(std::uint32_t chain, Rank k) const {
    return k < gain_[chain].size() ? gain_[chain][k] : 0;
  }

  const Level& level_;
  std::vector<std::vector<std::int64_t>> gain_;  // by chain and rank before the step
};

/// A step of a depth-first search.
struct DepthFirstStep {
  std::uint32_t chain, choice;  // which of the choices it was
};

}  // namespace

Avoidance avoid_depth_first(const Level& level, const Condition& condition, Budget& budget) {
  const CutPacking packing(level.bottom(), level.top());
  CutSet seen(packing);
  Meter meter(budget);
  const Preference preference(level, condition);
  Cut cut = level.bottom();
  seen.insert(cut);
  std::vector<DepthFirstStep> steps;
  std::vector<std::uint32_t> chains;
  preference.choices(cut, chains);
  for (std::uint32_t next = 0; cut != level.top();) {
    if (!meter.tick() || !budget.may_hold(seen.bytes())) return {std::nullopt, {}};
    while (next < chains.size() && !can_advance(level, cut, chains[next])) ++next;
    if (next < chains.size()) {
      const std::uint32_t chain = chains[next];
      ++cut[chain];
      if (condition.holds(cut) || !seen.insert(cut)) {
        --cut[chain];
        ++next;
        continue;
      }
      steps.push_back({chain, next});
      next = 0;
    } else {
      if (steps.empty()) return {false, {}};
      --cut[steps.back().chain];
      next = steps.back().choice + 1;
      steps.pop_back();
    }
    preference.choices(cut, chains);
  }
  Avoidance avoidance{true, {}};
  for (const DepthFirstStep& step : steps) avoidance.steps.push_back(step.chain);
  return avoidance;
}

Avoidance avoid_by_level(const Level& level, const Condition& condition, Budget& budget) {
  const CutPacking packing(level.bottom(), level.top());
  Meter meter(budget);
  CutSet here(packing);
  here.insert(level.bottom());
  std::vector<CutSet> below;  // all levels before this one, or none
  bool all_kept = true;
  std::size_t held = 0;
  const auto has_room = [&](const CutSet& next) {
    const std::size_t needed = here.bytes() + next.bytes();
    if (all_kept && held + needed > budget.limits().bytes / 2) {
      below = {};
      held = 0;
      all_kept = false;
    }
    return budget.may_hold(held + needed);
  };
  Cut cut = level.bottom();
  for (std::uint64_t left = size_of(level.top()) - size_of(cut); left > 0; --left) {
    CutSet next(packing);
    for (std::size_t i = 0; i < here.size(); ++i) {
      here.get(i, cut);
      for (std::uint32_t c = 0; c < level.chains(); ++c) {
        if (!can_advance(level, cut, c)) continue;
        ++cut[c];
        if (!condition.holds(cut)) next.insert(cut);
        --cut[c];
      }
      if (!meter.tick() || !has_room(next)) return {std::nullopt, {}};
    }
    if (next.size() == 0) return {false, {}};
    if (all_kept) {
      held += here.bytes();
      below.push_back(std::move(here));
    }
    here = std::move(next);
  }
  return {true, all_kept ? way_through(below, level.top()) : std::vector<std::uint32_t>()};
}

}  // namespace lightcone
