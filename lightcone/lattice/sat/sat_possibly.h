// `possibly` for any condition, by a SAT solver.
#pragma once

#include <lightcone/lattice/decide/found_state.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/sat/sat_solver.h>

namespace lightcone {

/// A consistent cut of the level at which the condition, placed on it, holds; one with none below
/// it, if that takes about as long again.
[[nodiscard]] FoundState possibly_by_sat(const Level& level, const Condition& condition,
                                         SatSolver::Clock::time_point deadline,
                                         std::stop_token stop = {});

}  // namespace lightcone
