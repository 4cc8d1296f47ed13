// Observations: the orders in which the events of a level may have happened one by one.
#pragma once

#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/order/level.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// One observation of the whole level: events one after the other, every cause before what it
/// caused. Every observation may be it.
[[nodiscard]] std::vector<EventIndex> random_observation(const Level& level, std::uint64_t seed);

/// Returns how many states a count of observations can hold within the limit of memory.
[[nodiscard]] std::uint64_t states_in_memory(const Level& level, const Limits& limits);

/// In how many ways the events between two consistent cuts can follow each other, one at a time;
/// the level must be no slice. What cannot be taken apart is followed cut by cut, and the limits
/// are for that.
[[nodiscard]] Count count_observations(const Futures& futures, const Interval& interval,
                                       const Limits& limits = {});

}  // namespace lightcone
