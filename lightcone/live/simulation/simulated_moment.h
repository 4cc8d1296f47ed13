// The order of what may happen in a simulation.
#pragma once

#include <lightcone/live/simulation/chooser.h>

#include <compare>
#include <cstdint>

namespace lightcone {

/// When something may happen. Those of one time are in random order, as the seed says.
struct SimulatedMoment {
  SimulatedTime time = {};
  std::uint32_t lot = 0;     ///< drawn at random
  std::uint64_t number = 0;  ///< no two have the same
  auto operator<=>(const SimulatedMoment&) const = default;
};

}  // namespace lightcone
