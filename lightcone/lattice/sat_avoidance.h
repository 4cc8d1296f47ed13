// Observations on which a condition never holds, by a SAT solver: why `definitely` fails.
#pragma once

#include <lightcone/lattice/sat.h>

#include <cstdint>
#include <vector>

namespace lightcone {

struct FoundObservation {
  Search search = Search::unknown;
  std::vector<std::uint32_t> chains = {};  ///< if found: which chain makes each step
};

/// An observation of the level from bottom to top, event by event, with the condition (placed on
/// the level) at none of its cuts. For levels of up to a few hundred events that are no slices.
[[nodiscard]] FoundObservation avoidance_by_sat(const Level& level, const Condition& condition,
                                                SatSolver::Clock::time_point deadline);

}  // namespace lightcone
