// How many consistent cuts there are, exactly where the lattice can be taken apart.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>
#include <lightcone/states.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lightcone {

class NaturalNumber;

/// A number of any size: how many there are or, where a limit was hit, how many there are at least.
struct Count {
  std::string decimal;
  std::optional<std::uint64_t> number;  ///< where 64 bits hold it
  bool exact = true;

  Count(const NaturalNumber& value, bool is_exact);
};

/// The number of consistent cuts of an interval. Only what cannot be taken apart is enumerated, on
/// all cores, and on all workers if this is worker 0 of some; the limits are for that.
[[nodiscard]] Count count_cuts(const Futures& futures, const Interval& interval,
                               const Limits& limits = {}, const Progress& progress = {},
                               Workers* workers = nullptr);

}  // namespace lightcone
