// Lets live riders live through a recorded computation, envelopes and all.
#pragma once

#include "property/predicate_definitions.h"

#include <lightcone/causal/computation.h>

#include <map>
#include <set>
#include <span>
#include <string>

namespace lightcone::live_replay {

struct Options {
  std::uint32_t members = 0;     ///< so many processes are known from the beginning
  bool clocks = false;           ///< vector clocks travel too; they are compared with timestamps
  bool receivers_known = false;  ///< senders say to whom, so that tags leave out what is known
};

struct Detected {
  std::map<std::string, std::set<definition::State>> told;  ///< by the property's name
  std::set<std::string> undecided;                          ///< properties beyond a limit
};

/// Where each property was told of. Ends the test when a tag is refused or a clock is
/// not the event's timestamp.
[[nodiscard]] Detected replay(const Computation& computation, const std::string& properties,
                              std::span<const EventIndex> order, const Options& options);

}  // namespace lightcone::live_replay
