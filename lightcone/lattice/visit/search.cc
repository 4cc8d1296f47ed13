// Visits cuts on all cores, and stops at the first that satisfies a condition.
#include <lightcone/lattice/visit/search.h>

#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/lattice/workers/visit_on_workers.h>

#include <algorithm>

namespace lightcone {
namespace {

/// What a visit that looked at so many states tells, if it found nothing.
[[nodiscard]] FoundState not_found(std::uint64_t states, Ending ending, Budget& budget) {
  const bool limited = ending == Ending::limited;
  const bool known = budget.spend_states(states + (limited ? 1 : 0)) && !limited;
  return {known ? std::optional(false) : std::nullopt, {}};
}

}  // namespace

FoundState search(const Level& level, const Condition& condition, Budget& budget,
                  const Progress& progress) {
  // What is needed to go through cuts without dead ends is as large as the level.
  if (!budget.may_hold(2 * level.bytes())) return {};
  const Futures futures(level);
  const Interval all = all_of(level);
  std::vector<CutFinder> lookers(has_few_cuts(all) ? 1 : cores(), CutFinder{&condition});
  const VisitedStates visited =
      visit_states(futures, all, std::span(lookers), budget.left(), progress);
  FoundState finding = not_found(visited.states, visited.ending, budget);
  const auto found = std::find_if(lookers.begin(), lookers.end(),
                                  [](const CutFinder& looker) { return looker.found.has_value(); });
  if (found != lookers.end()) return {true, std::move(*found->found)};
  return finding;
}

FoundState search_on_workers(Workers& workers, const Level& level, const Condition& condition,
                             Budget& budget, const Progress& progress,
                             const std::function<bool()>& is_enough) {
  if (!budget.may_hold(2 * level.bytes())) return {};
  WorkersVisit visit = visit_on_workers(workers, Futures(level), all_of(level), &condition,
                                        budget.left(), progress, is_enough);
  FoundState finding = not_found(visit.states, visit.ending, budget);
  if (visit.found) return {true, std::move(*visit.found)};
  return finding;
}

}  // namespace lightcone
