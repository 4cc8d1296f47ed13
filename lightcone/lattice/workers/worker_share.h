// A worker's share of a search: some intervals, for some time.
#pragma once

#include <lightcone/base/wire.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/workers/workers.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace lightcone {

/// What to visit, and how much of it at most.
struct WorkerShare {
  std::vector<Interval> intervals = {};
  std::uint64_t states = 0;
  double seconds = 0;
};

/// What became of a share.
struct WorkerReport {
  std::uint64_t states = 0;         ///< visited
  std::vector<Interval> left = {};  ///< what was not, exactly
  std::optional<Cut> found = {};    ///< a cut that satisfies the condition, at which it ended
};

/// Visits cuts, on so many threads, until one satisfies the condition (if there is a condition at
/// all), or the share's time or number of states is over.
[[nodiscard]] WorkerReport work_on(WorkerShare share, const Futures& futures,
                                   const Condition* condition, std::size_t threads);

/// On how many threads a worker works: its part of the machine's cores.
[[nodiscard]] std::size_t threads_of(const Workers& workers);

void write(WireWriter& writer, const WorkerShare& share);
void write(WireWriter& writer, const WorkerReport& report);
[[nodiscard]] WorkerShare read_share(WireReader& reader);
[[nodiscard]] WorkerReport read_report(WireReader& reader);

}  // namespace lightcone
