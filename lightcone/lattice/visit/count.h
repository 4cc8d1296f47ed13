// How many consistent cuts there are, exactly where the lattice can be taken apart.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/visit/state_budget.h>
#include <lightcone/lattice/workers/ranks.h>
#include <lightcone/progress.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lightcone {

class Natural;

/// A number of any size: how many there are or, where a limit was hit, how many there are at least.
struct Count {
  std::string decimal;
  std::optional<std::uint64_t> number;  ///< where 64 bits hold it
  bool exact = true;

  Count(const Natural& value, bool is_exact);
};

/// The number of consistent cuts of an interval. Only what cannot be taken apart is enumerated, on
/// all cores, and on all ranks if this is rank 0 of some; the limits are for that.
[[nodiscard]] Count count_cuts(const Futures& futures, const Interval& interval,
                               const Limits& limits = {}, const Progress& progress = {},
                               Ranks* ranks = nullptr);

}  // namespace lightcone
