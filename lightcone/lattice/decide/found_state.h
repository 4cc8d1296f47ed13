// The result of a search for a global state.
#pragma once

#include <lightcone/lattice/order/cut.h>

#include <optional>

namespace lightcone {

/// Whether there is such a state, and one that is.
struct FoundState {
  std::optional<bool> found = {};  ///< nothing: not known, or not yet
  Cut cut = {};                    ///< if found
};

}  // namespace lightcone
