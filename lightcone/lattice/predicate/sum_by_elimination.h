// A global state in which a sum has exactly a given value, or the proof that there is none.
#pragma once

#include <lightcone/lattice/decide/found_state.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/visit/budget.h>

#include <cstdint>
#include <span>

namespace lightcone {

/// Finds a consistent cut of the level, on which the sum has been placed, at which the sum has this
/// value. Returns no answer if the tables of an elimination are too large, or for a slice.
[[nodiscard]] FoundState sum_by_elimination(const Level& level,
                                            std::span<const Condition::Summand> sum,
                                            std::int64_t value, Budget& budget);

}  // namespace lightcone
