// Walks a recorded computation in causal order and tells riders of it as if it were alive.
#pragma once

#include <lightcone/causal/computation.h>
#include <lightcone/riders/rider.h>

#include <vector>

namespace lightcone {

/// How many events take each message: a tag is kept until the last of them has.
[[nodiscard]] inline std::vector<std::uint32_t> take_counts(const Computation& computation) {
  std::vector<std::uint32_t> counts(computation.message_count(), 0);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    for (const MessageIndex m : computation.takes(e)) ++counts[m];
  }
  return counts;
}

/// Lets riders, one a process, ride through the computation; `scenes` are of its rows. Calls
/// `visit(row, rider)` after the initial state and after each event of a process.
template <Rider R, class Visit>
void ride(const Computation& computation, std::span<const Scene> scenes, std::vector<R>& riders,
          const Visit& visit) {
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const Row row = computation.initial_row(p);
    riders[p].start({scenes[row]});
    visit(row, riders[p]);
  }
  std::vector<std::uint32_t> waiting = take_counts(computation);
  std::vector<typename R::Tag> tags(computation.message_count());
  std::vector<const typename R::Tag*> taken;
  for (const EventIndex e : computation.order()) {
    R& rider = riders[computation.process_of(e)];
    const std::span<const MessageIndex> takes = computation.takes(e);
    if (takes.empty()) {
      rider.event({scenes[e]});
    } else {
      taken.clear();
      for (const MessageIndex m : takes) taken.push_back(&tags[m]);
      rider.receive({scenes[e]}, taken);
      for (const MessageIndex m : takes) {
        if (--waiting[m] == 0) tags[m] = {};
      }
    }
    if (const MessageIndex m = computation.sends(e); m != none && waiting[m] != 0) {
      tags[m] = rider.tag();
    }
    visit(e, rider);
  }
}

}  // namespace lightcone
