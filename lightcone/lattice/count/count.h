// How many consistent cuts there are, exactly where they can be counted without a visit.
#pragma once

#include <lightcone/lattice/eliminate/natural_number.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>
#include <lightcone/states.h>

#include <optional>
#include <vector>

namespace lightcone {

/// The number as users see it.
[[nodiscard]] Count count_of(const NaturalNumber& number, bool exact);

/// The number of consistent cuts of an interval. What cannot be eliminated is enumerated, on all
/// cores, and on all workers if this is worker 0 of some. The limit of states is for that.
[[nodiscard]] Count count_cuts(const Futures& futures, const Interval& interval,
                               const Limits& limits = {}, const Progress& progress = {},
                               Workers* workers = nullptr);

/// The number of consistent cuts of each size, from that of the lower cut on; nothing if a limit
/// was hit.
[[nodiscard]] std::optional<std::vector<NaturalNumber>> count_cuts_by_size(
    const Futures& futures, const Interval& interval, const Limits& limits = {},
    const Progress& progress = {});

}  // namespace lightcone
