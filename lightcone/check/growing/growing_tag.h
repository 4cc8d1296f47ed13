// What travels with a message of a growing computation.
#pragma once

#include <lightcone/riders/clocks/vector_clock_rider.h>
#include <lightcone/riders/longest_flow_rider.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/slices/sliced_rider.h>
#include <lightcone/riders/timed/timed_flow_rider.h>

#include <vector>

namespace lightcone {

/// The tags of all riders of the process that sent it.
struct GrowingTag {
  LrdagTag lrdag = {};
  std::vector<LongestFlowTag> longest = {};  ///< one per alphabet
  std::vector<TimedFlowTag> timed = {};      ///< one per flow with `within`
  std::vector<SlicedTag> sliced = {};        ///< one per flow or logic property with `for each`
  VectorClockRider::Tag clock = {};          ///< empty where no property needs it
  bool is_exact = true;                      ///< nothing is lost in the past of the send
};

}  // namespace lightcone
