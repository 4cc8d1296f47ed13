// Visits of the lattice spread over workers: worker 0 hands out intervals, the others serve it.
#pragma once

#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>
#include <lightcone/states.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace lightcone {

/// The result of a visit by all ranks.
struct WorkersVisit {
  std::uint64_t states = 0;
  Ending ending = Ending::complete;
  std::optional<Cut> found = {};
};

// Nobody knows how large an interval is before it has been visited. So each worker works on some of
// them for a moment only, and hands back what is left: the cuts after the one it stopped at are
// intervals again (`rest_of`). What is left over when others have nothing to do is split once more,
// so that none of them waits longer than such a moment, which is a small part of the time so far.
// No cut is visited twice or left out; hence the same answer, whatever the number of workers.

/// On worker 0: visits the cuts of an interval on all workers until one satisfies the condition, if
/// there is one, or a limit is hit, or `is_enough` says so (which is asked now and then).
[[nodiscard]] WorkersVisit visit_on_workers(Workers& workers, const Futures& futures,
                                            const Interval& interval, const Condition* condition,
                                            const Limits& limits, const Progress& progress = {},
                                            const std::function<bool()>& is_enough = {});

}  // namespace lightcone
