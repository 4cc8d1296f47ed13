// A global state in which a sum has exactly a given value.
#pragma once

#include <lightcone/lattice/predicate/greatest_sum.h>

#include <cstdint>
#include <optional>
#include <span>

namespace lightcone {

/// The most by which one event between the level's bottom and top changes the sum.
[[nodiscard]] std::uint64_t greatest_step(const Level& level,
                                          std::span<const Condition::Summand> sum);

/// A consistent cut at which the sum has this value, if one of so many random ways from `low` (a
/// cut with no more) to `high` (a cut with no less) comes by one. Where no event changes the sum by
/// more than 1, and the level is no slice, each does.
[[nodiscard]] std::optional<Cut> intermediate_sum(const Level& level,
                                                  std::span<const Condition::Summand> sum,
                                                  std::int64_t value, const Cut& low,
                                                  const Cut& high, std::uint32_t ways = 1);

}  // namespace lightcone
