// Visits cuts on all cores, and stops at the first that satisfies a condition.
#include <lightcone/lattice/search.h>

#include <lightcone/lattice/exploration.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Looks at cuts for one thread.
struct Looker {
  const Condition* condition;
  std::optional<Cut> found = {};

  bool operator()(std::span<const Rank> cut) {
    if (!condition->holds(cut)) return true;
    found.emplace(cut.begin(), cut.end());
    return false;
  }
};

}  // namespace

Finding search(const Level& level, const Condition& condition, Budget& budget,
               const Progress& progress) {
  // What is needed to go through cuts without dead ends is as large as the level.
  if (!budget.may_hold(2 * level.bytes())) return {};
  const Futures futures(level);
  const Interval all = all_of(level);
  std::vector<Looker> lookers(has_few_cuts(all) ? 1 : cores(), Looker{&condition});
  const Explored explored = explore(futures, all, std::span(lookers), budget.left(), progress);
  const bool limited = explored.ending == Ending::limited;
  const bool known = budget.spend_states(explored.states + (limited ? 1 : 0)) && !limited;
  const auto found = std::find_if(lookers.begin(), lookers.end(),
                                  [](const Looker& looker) { return looker.found.has_value(); });
  if (found != lookers.end()) return {true, std::move(*found->found)};
  return {known ? std::optional(false) : std::nullopt, {}};
}

}  // namespace lightcone
