// How many consistent cuts there are, exactly where the lattice can be taken apart.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>
#include <lightcone/states.h>

namespace lightcone {

class NaturalNumber;

/// The number as users see it.
[[nodiscard]] Count count_of(const NaturalNumber& number, bool exact);

/// The number of consistent cuts of an interval. Only what cannot be taken apart is enumerated, on
/// all cores, and on all workers if this is worker 0 of some; the limits are for that.
[[nodiscard]] Count count_cuts(const Futures& futures, const Interval& interval,
                               const Limits& limits = {}, const Progress& progress = {},
                               Workers* workers = nullptr);

}  // namespace lightcone
