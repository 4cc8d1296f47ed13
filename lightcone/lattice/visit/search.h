// A consistent cut that satisfies a condition, by looking at them all.
#pragma once

#include <lightcone/lattice/decide/found_state.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/visit/budget.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>

#include <functional>
#include <optional>
#include <span>

namespace lightcone {

/// A visitor of cuts, for one thread, that stops at the first that satisfies the condition.
struct CutFinder {
  const Condition* condition;
  std::optional<Cut> found = {};

  bool operator()(std::span<const Rank> cut) {
    if (!condition->holds(cut)) return true;
    found.emplace(cut.begin(), cut.end());
    return false;
  }
};

/// Enumerates the consistent cuts of a level, on all cores, until one satisfies the condition or a
/// limit is hit.
[[nodiscard]] FoundState search(const Level& level, const Condition& condition, Budget& budget,
                                const Progress& progress = {});

/// The same on all workers, from worker 0, for as long as it is not enough.
[[nodiscard]] FoundState search_on_workers(Workers& workers, const Level& level,
                                           const Condition& condition, Budget& budget,
                                           const Progress& progress,
                                           const std::function<bool()>& is_enough);

}  // namespace lightcone
