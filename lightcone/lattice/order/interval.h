// A part of the lattice of consistent cuts: all cuts between two of them.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/level.h>

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

/// Of so few cuts that they are visited before threads have started, the logarithm.
inline constexpr double log_of_few_cuts = 12;

/// Returns whether the interval is known to have so few cuts.
[[nodiscard]] bool has_few_cuts(const Interval& interval);

/// Disjoint intervals that make up these: `parts` of them, about as large as each other, or fewer
/// where that is too many. Those of at most `2^log_of_least` cuts are not split.
[[nodiscard]] std::vector<Interval> split(const Futures& futures, std::vector<Interval> intervals,
                                          std::size_t parts, double log_of_least = 0);

/// The cuts of an interval from one of them on, in lexical order, as disjoint intervals.
[[nodiscard]] std::vector<Interval> rest_of(const Futures& futures, const Interval& interval,
                                            const Cut& first);

}  // namespace lightcone
