// Observations on which a condition never holds, by a SAT solver: why `definitely` fails.
#pragma once

#include <lightcone/lattice/decide/avoidance.h>
#include <lightcone/lattice/sat/sat_solver.h>

namespace lightcone {

/// An observation of the level from bottom to top, event by event, with the condition (placed on
/// the level) at none of its cuts. For levels of up to a few hundred events that are no slices.
[[nodiscard]] Avoidance avoidance_by_sat(const Level& level, const Condition& condition,
                                         SatSolver::Clock::time_point deadline);

}  // namespace lightcone
