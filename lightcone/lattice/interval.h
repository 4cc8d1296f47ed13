// A part of the lattice of consistent cuts: whatever lies between two of them.
#pragma once

#include <lightcone/lattice/futures.h>
#include <lightcone/lattice/level.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// All consistent cuts from one consistent cut to another above it.
struct Interval {
  Cut lower, upper;
};

/// The whole lattice.
[[nodiscard]] inline Interval all_of(const Level& level) { return {level.bottom(), level.top()}; }

/// The chains that the cuts of an interval differ in.
[[nodiscard]] std::vector<std::uint32_t> moving_chains(const Interval& interval);

/// Whether the interval is known to have so few cuts that it is visited before threads have
/// started.
[[nodiscard]] bool has_few_cuts(const Interval& interval);

/// Disjoint intervals that make up this one: `parts` of them, about as large as each other, or
/// fewer where that is too many.
[[nodiscard]] std::vector<Interval> split(const Futures& futures, const Interval& interval,
                                          std::size_t parts);

}  // namespace lightcone
