// The least global state that satisfies a linear condition.
#pragma once

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>

#include <optional>

namespace lightcone {

// A condition is linear (Chase and Garg) when the cuts that satisfy it are closed under meet: then
// there is a least one. It has an equivalent that can be walked: at a cut that does not satisfy it,
// some chain is forbidden, no cut above satisfies it with the chain still in that state. So all
// forbidden chains must advance, and the first cut that satisfies it on this way is the least.
//
// - A table of one chain is linear: that chain is forbidden where the table says no.
// - A sum that must grow is linear when one chain at most can make it grow: that chain is
// forbidden.
//   `p1.sent - p2.received <= 5`, of counters, is of this kind.
// - A conjunction of linear conditions is linear.

/// Returns whether the condition, placed on a level, is seen to be linear.
[[nodiscard]] bool is_linear(const Condition& condition);

/// Returns whether it is linear seen from above as well: the cuts that satisfy it are closed under
/// join, too, and are a lattice of their own. Such conditions are regular (Mittal and Garg).
[[nodiscard]] bool is_regular(const Condition& condition);

/// The least cut of the level above `start`, which need not be consistent, that satisfies a linear
/// condition. Each event is passed once, at the cost of one join: O(chains · events).
[[nodiscard]] std::optional<Cut> least_cut(const Level& level, const Condition& condition,
                                           Cut start);

}  // namespace lightcone
