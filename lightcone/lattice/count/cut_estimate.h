// About how many consistent cuts there are, where they cannot be counted.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/states.h>

#include <cstdint>
#include <optional>

namespace lightcone {

/// An estimate by random cuts. Numbers are too large for a double, so logarithms are given.
struct CutEstimate {
  double log10 = 0;           ///< of the estimate
  double log10_low = 0;       ///< of the ends of an interval that contains the truth in about
  double log10_high = 0;      ///< 95 of 100 cases
  std::uint64_t samples = 0;  ///< cuts drawn
};

/// Estimates within a time. Returns nothing if random cuts take too long.
[[nodiscard]] std::optional<CutEstimate> estimate_cuts(const Futures& futures,
                                                       const Interval& interval,
                                                       const Limits& limits, std::uint64_t seed);

}  // namespace lightcone
