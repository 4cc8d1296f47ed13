// Draws a consistent cut uniformly at random where no table can be held.
#pragma once

#include <lightcone/lattice/eliminate/number_kinds.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>

#include <chrono>
#include <optional>

namespace lightcone {

/// A consistent cut of an interval, each as likely as the others; nothing if it takes too long.
[[nodiscard]] std::optional<Cut> coupled_cut(const Futures& futures, const Interval& interval,
                                             RandomBits& bits,
                                             std::chrono::steady_clock::time_point deadline);

}  // namespace lightcone
