// Pictures of a whole lattice of global states: as SVG, and as a graph for Graphviz.
#pragma once

#include <lightcone/lattice/order/level.h>

#include <string>

#include "draw/lattice/lattice_graph.h"

namespace lightcone::cli {

/// What a picture of a lattice is about. The graph is that of the level.
struct LatticePicture {
  const Level& level;
  const LatticeGraph& graph;
  std::string title = {};
};

/// Draws the lattice from its least state, at the bottom, to the greatest: a row for each number of
/// events, each state with its ranks where there is room, a colour for each process that moves.
/// Inevitable states, which are alone in their row, stand out.
[[nodiscard]] std::string lattice_svg(const LatticePicture& picture);

/// The same as text that Graphviz reads.
[[nodiscard]] std::string lattice_dot(const LatticePicture& picture);

/// The ranks of a cut: `2,1,2`.
[[nodiscard]] std::string ranks_text(const Cut& cut);

}  // namespace lightcone::cli
