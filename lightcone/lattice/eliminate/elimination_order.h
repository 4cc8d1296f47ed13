// In which order chains are eliminated, and how large the tables become.
#pragma once

#include <lightcone/lattice/eliminate/position_graph.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// Variables one after the other. Eliminating one leaves a table about its scope: the variables
/// that it then shares a need or a table with.
struct EliminationOrder {
  struct ChainStep {
    std::uint32_t variable;
    std::vector<std::uint32_t> scope;  ///< from the last to be eliminated to the first
  };
  std::vector<ChainStep> steps;
  /// About how many entries all tables have together, and the largest one.
  double entries = 0, largest = 0;
  /// The greatest number of variables in a scope.
  std::uint32_t width = 0;
};

/// A good order: the best of those that least fill and the least table lead to.
[[nodiscard]] EliminationOrder elimination_order(const PositionGraph& graph);

}  // namespace lightcone
