// In which order events are eliminated, so that few of them are open at a time.
#pragma once

#include <lightcone/lattice/eliminate/position_graph.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// The beginning of a stop: the event that leads there. Stop 0 has none.
struct StopEvent {
  std::uint32_t variable, stop;
};

/// What is done with the table of open events, one after the other.
struct EventStep {
  StopEvent event;
  bool opens;  ///< or it is closed: all that it shares a need with has been opened
};

/// Opens each event of these variables once and closes it as soon as its neighbours are open:
/// the events before and after it in its chain, its direct causes and effects. The next event is
/// one that leaves the fewest open.
[[nodiscard]] std::vector<EventStep> event_order(const PositionGraph& graph,
                                                 const std::vector<bool>& takes_part);

}  // namespace lightcone
