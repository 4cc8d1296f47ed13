// Looks for receives that no observed event follows.
#include <lightcone/riders/visibility.h>

namespace lightcone {

Visibility visibility(const Computation& computation, std::span<const Scene> scenes,
                      const Observer& observer, std::uint32_t labelled) {
  Visibility least = Visibility::communications;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    bool pending = false;
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      const std::size_t taken = computation.takes(e).size();
      if (taken > 1 || (taken > 0 && pending)) least = Visibility::participation;
      pending = (pending || taken > 0) && !observer.holds(scenes[e], labelled);
      if (pending && computation.sends(e) != none) return Visibility::any;
    }
  }
  return least;
}

}  // namespace lightcone
