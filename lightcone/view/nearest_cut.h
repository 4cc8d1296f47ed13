// The consistent cuts that are nearest to a cut that need not be consistent.
#pragma once

#include <lightcone/view/space_time.h>

#include <span>
#include <vector>

namespace lightcone {

/// Returns the least consistent cut that contains these events: one rank per process.
[[nodiscard]] std::vector<Rank> least_consistent_above(const Computation& computation,
                                                       std::span<const Rank> ranks);

/// Returns the greatest consistent cut that has no other events than these.
[[nodiscard]] std::vector<Rank> greatest_consistent_below(const Computation& computation,
                                                          std::span<const Rank> ranks);

}  // namespace lightcone
