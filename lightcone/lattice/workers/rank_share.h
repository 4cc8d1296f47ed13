// A rank's share of a search: some intervals, for some time.
#pragma once

#include <lightcone/base/wire.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/workers/ranks.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace lightcone {

/// What to visit, and how much of it at most.
struct RankShare {
  std::vector<Interval> intervals = {};
  std::uint64_t states = 0;
  double seconds = 0;
};

/// What became of a share.
struct RankReport {
  std::uint64_t states = 0;         ///< visited
  std::vector<Interval> left = {};  ///< what was not, exactly
  std::optional<Cut> found = {};    ///< a cut that satisfies the condition, at which it ended
};

/// Visits cuts, on so many threads, until one satisfies the condition (if there is a condition at
/// all), or the share's time or number of states is over.
[[nodiscard]] RankReport work_on(RankShare share, const Futures& futures,
                                 const Condition* condition, std::size_t threads);

/// On how many threads a rank works: its part of the machine's cores.
[[nodiscard]] std::size_t threads_of(const Ranks& ranks);

void write(WireWriter& writer, const RankShare& share);
void write(WireWriter& writer, const RankReport& report);
[[nodiscard]] RankShare read_share(WireReader& reader);
[[nodiscard]] RankReport read_report(WireReader& reader);

}  // namespace lightcone
