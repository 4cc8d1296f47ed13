// `possibly` for any condition, by a SAT solver.
#pragma once

#include <lightcone/lattice/condition.h>
#include <lightcone/lattice/cut.h>
#include <lightcone/lattice/sat_solver.h>

#include <cstdint>

namespace lightcone {

/// What a search with a limit has come to.
enum class Search : std::uint8_t { found, absent, unknown };

struct FoundCut {
  Search search = Search::unknown;
  Cut cut = {};          ///< if found
  bool minimal = false;  ///< whether it is known that the condition holds at no cut below
};

/// A consistent cut of the level at which the condition, placed on it, holds; one with none below
/// it, if that takes about as long again.
[[nodiscard]] FoundCut possibly_by_sat(const Level& level, const Condition& condition,
                                       SatSolver::Clock::time_point deadline);

}  // namespace lightcone
