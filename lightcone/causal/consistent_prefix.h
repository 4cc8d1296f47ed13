// Prefixes of a computation: what is left when the ends of some processes are lost.
#pragma once

#include <lightcone/causal/arrivals.h>
#include <lightcone/computation.h>

#include <span>
#include <vector>

namespace lightcone {

/// For each process, the rank up to which no event has one of `doubtful` in its past or is one.
///
/// If `doubtful` are the receives that lost a send, this is the greatest consistent
/// prefix. Such a receive, and what depends on it, cannot be in a consistent prefix: its send is
/// not. All other events can: the set of them contains the past of each, and no send of theirs is
/// lost. So each has its true past, and their global states are global states of the execution.
[[nodiscard]] std::vector<Rank> ranks_without(const Computation& computation,
                                              std::span<const EventPlace> doubtful);

/// The same processes with their first events, up to these ranks, which must be consistent: no
/// event receives from one that is left out. All processes and initial states stay.
[[nodiscard]] Computation prefix_of(const Computation& computation, std::span<const Rank> kept);

}  // namespace lightcone
