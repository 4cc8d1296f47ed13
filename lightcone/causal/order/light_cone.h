// The light cones of an event: the events that could affect it, and those that it could affect.
#pragma once

#include <lightcone/causal/computation.h>

#include <vector>

namespace lightcone {

/// For each process, the rank of its last event that happened before e or is e; 0 for none. This
/// is e's timestamp, found without those of any other event.
[[nodiscard]] std::vector<Rank> causal_past(const Computation& computation, EventIndex e);
/// The same for what happened before one of several events, or is one.
[[nodiscard]] std::vector<Rank> causal_past(const Computation& computation,
                                            std::vector<EventIndex> events);

/// For each process, the rank of its first event that is e or that e happened before; one more
/// than its last rank for none.
[[nodiscard]] std::vector<Rank> causal_future(const Computation& computation, EventIndex e);

}  // namespace lightcone
