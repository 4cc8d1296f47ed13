// The random numbers of a simulated process as a generator.
#pragma once

#include <lightcone/base/random.h>
#include <lightcone/simulation.h>

namespace lightcone {

/// Those of the process that runs, as SimulatedNetwork::random_below draws them.
[[nodiscard]] PortableRandom& random_of(SimulatedNetwork& network);

}  // namespace lightcone
