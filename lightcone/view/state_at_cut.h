// The local state of a process after one of its events: the last value of each variable.
#pragma once

#include <lightcone/computation.h>

#include <vector>

namespace lightcone {

/// A variable in a local state.
struct HeldValue {
  Assignment assignment;
  Rank since = 0;  ///< the event that assigned it; 0: the initial state did
  friend bool operator==(const HeldValue&, const HeldValue&) = default;
};

/// Returns the variables of a process after its event of this rank, in the order in which they were
/// assigned first. A variable that was not assigned yet is not among them.
[[nodiscard]] std::vector<HeldValue> state_after(const Computation& computation, ProcessIndex p,
                                                 Rank rank);

}  // namespace lightcone
