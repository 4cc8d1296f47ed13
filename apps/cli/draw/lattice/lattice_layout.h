// Where the states of a lattice stand in a picture, so that few of its edges cross.
#pragma once

#include <vector>

#include "draw/lattice/lattice_graph.h"

namespace lightcone::cli {

/// The place of each cut in its row: no two are nearer than 1 to each other, and the least is 0.
[[nodiscard]] std::vector<double> lattice_places(const LatticeGraph& graph);

}  // namespace lightcone::cli
