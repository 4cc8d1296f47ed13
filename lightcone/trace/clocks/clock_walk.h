// What writers of formats with vector clocks but without messages share.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/progress.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// Calls `visit` with each event and its vector clock, entries by process, in the order of the
/// computation. Keeps one clock per process, and one per message in transit.
void for_each_clock(const Computation& computation,
                    const std::function<void(EventIndex, std::span<const Rank>)>& visit,
                    const Progress& progress = {});

/// Sentences on what this computation says beside the order of its events and their texts and
/// labels; a format with clocks has no place for it.
[[nodiscard]] std::vector<std::string> lost_with_clocks(const Computation& computation);

}  // namespace lightcone
