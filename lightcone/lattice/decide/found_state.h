// The result of a search for a global state.
#pragma once

#include <lightcone/lattice/order/cut.h>

#include <optional>
#include <string>

namespace lightcone {

/// Whether there is such a state, and one that is.
struct FoundState {
  std::optional<bool> found = {};  ///< nothing: not known, or not yet
  Cut cut = {};                    ///< if found: on the level that was searched
  std::string method = {};         ///< how it was decided, where there is a choice
};

}  // namespace lightcone
