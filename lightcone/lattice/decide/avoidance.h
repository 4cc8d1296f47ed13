// Observations that avoid a condition: why something was not definite.
#pragma once

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/visit/budget.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace lightcone {

/// What a search for an observation that avoids a condition came to.
struct Avoidance {
  /// Returns whether there is one, or nothing if a limit was hit.
  std::optional<bool> exists;
  /// The chain that advances at each step; empty where it is not known.
  std::vector<std::uint32_t> steps;
};

/// Looks for a way from the least cut of a level to the greatest through cuts that do not satisfy
/// the condition, placed on it; neither of the two does. Depth first: quick where there are many
/// ways, and remembers every cut from which there is none. Where a sum must be kept down (or up),
/// steps that do so are tried first.
[[nodiscard]] Avoidance avoid_depth_first(const Level& level, const Condition& condition,
                                          Budget& budget);

/// The same, level by level: all cuts that can be reached with m events, then with m + 1. Needs the
/// memory of two levels; keeps all of them, to tell the way, as long as the budget allows.
[[nodiscard]] Avoidance avoid_by_level(const Level& level, const Condition& condition,
                                       Budget& budget);

}  // namespace lightcone
