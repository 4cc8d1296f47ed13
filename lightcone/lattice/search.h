// A consistent cut that satisfies a condition, by looking at them all.
#pragma once

#include <lightcone/causal/progress.h>
#include <lightcone/lattice/budget.h>
#include <lightcone/lattice/condition.h>
#include <lightcone/lattice/level.h>

#include <cstdint>
#include <optional>

namespace lightcone {

/// What a search came to.
struct SearchResult {
  std::optional<bool> found;  ///< nothing: a limit was hit
  Cut cut = {};
  std::uint64_t states = 0;  ///< looked at
};

/// Enumerates the consistent cuts of a level, on all cores, until one satisfies the condition.
[[nodiscard]] SearchResult search(const Level& level, const Condition& condition, Budget& budget,
                                  const Progress& progress = {});

}  // namespace lightcone
