// Slicing: all global states that satisfy a regular condition, as a smaller level.
#pragma once

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>

#include <optional>

namespace lightcone {

// The cuts that satisfy a regular condition are closed under join and meet (Mittal and Garg). So
// each event e has a least one that contains it, J(e), or is in none; and a cut of that lattice is
// the join of the J(e) of its events. Taking J(e) for the past of e therefore gives a level whose
// consistent cuts, from the least to the greatest that satisfy the condition, are those that do.

/// The slice of a level for a condition that is_regular; nothing where no cut satisfies it.
/// O(chains² · events).
[[nodiscard]] std::optional<Level> slice(const Level& level, const Condition& condition);

}  // namespace lightcone
