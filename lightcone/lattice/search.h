// A consistent cut that satisfies a condition, by looking at them all.
#pragma once

#include <lightcone/causal/progress.h>
#include <lightcone/lattice/budget.h>
#include <lightcone/lattice/condition.h>
#include <lightcone/lattice/finding.h>
#include <lightcone/lattice/level.h>

namespace lightcone {

/// Enumerates the consistent cuts of a level, on all cores, until one satisfies the condition or a
/// limit is hit.
[[nodiscard]] Finding search(const Level& level, const Condition& condition, Budget& budget,
                             const Progress& progress = {});

}  // namespace lightcone
