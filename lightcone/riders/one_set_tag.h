// The tag of a message whose sender has only one set of states.
#pragma once

#include <lightcone/riders/clocks/plain_clock.h>
#include <lightcone/riders/reached_sets.h>

#include <cstdint>

namespace lightcone {

/// A clock of observed events, and the set that the sender's last one reached: all there is to say
/// where the communications of a computation are visible enough (visibility.h).
struct OneSetTag {
  std::uint32_t sender = UINT32_MAX;
  std::uint32_t own = 0;  ///< the sender's entry
  ReachedSets::Index set = 0;
  PlainClock others;
  bool broken = false;  ///< they were not, somewhere on the way here
};

}  // namespace lightcone
