// Random levels and conditions over random computations, and all consistent cuts of a level.
#pragma once

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace lightcone::arbitrary {

/// Some events, few enough that the cuts of their level can be gone through.
[[nodiscard]] Selection few_events(const Computation& computation, std::uint32_t most,
                                   std::mt19937_64& random);

/// A level with some more rules of the kind "not this event without that one", closed, between two
/// of its cuts.
[[nodiscard]] Level random_slice(const Level& level, std::mt19937_64& random);

/// All consistent cuts, by the definition, from the least on.
[[nodiscard]] std::vector<Cut> all_cuts(const Level& level);

/// A number for each local state of some chains, by `number`.
[[nodiscard]] std::vector<Condition::Summand> random_sum(
    const Level& level, std::mt19937_64& random, const std::function<std::int64_t()>& number);

/// A condition of any form but `term`, placed on the level.
[[nodiscard]] Condition random_condition(const Level& level, std::mt19937_64& random);

}  // namespace lightcone::arbitrary
