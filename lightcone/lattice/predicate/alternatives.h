// Conditions as a choice of conjunctions: `possibly` of a choice is that of one of them.
#pragma once

#include <lightcone/lattice/predicate/condition.h>

#include <cstddef>
#include <vector>

namespace lightcone {

/// Conditions such that the whole is true exactly where one of them is. Conjunctions are
/// multiplied out as long as there are at most `most` products; what is left has an `any` inside.
[[nodiscard]] std::vector<Condition> alternatives(const Condition& condition, std::size_t most);

/// Returns how much work an alternative may be: those of one process first, then what has a least
/// cut.
[[nodiscard]] int cost_of(const Condition& alternative);

}  // namespace lightcone
