// Splits the lattice between two cuts into parts that follow each other, or that are independent.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>

#include <functional>
#include <vector>

namespace lightcone {

/// Calls `visit` with the intervals between inevitable cuts, those that all ways from the lower to
/// the upper cut pass through, from the lowest on: every cut lies in one of them, or in two that
/// share it. A single cut is one interval.
void for_each_series_part(const Futures& futures, const Interval& interval,
                          const std::function<void(const Interval&)>& visit);

/// The interval as a product: the events of each part are comparable with those of no other, and
/// every cut is a choice of one cut of each part. Parts do not move where others do. A single cut
/// has no parts.
[[nodiscard]] std::vector<Interval> parallel_parts(const Level& level, const Interval& interval);

}  // namespace lightcone
