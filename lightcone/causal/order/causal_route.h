// A way through a computation that leads along given states, each step a message or a next event.
#pragma once

#include <lightcone/computation.h>

#include <span>
#include <vector>

namespace lightcone {

/// An event or initial state that a route passes.
struct RouteStep {
  Row row = 0;
  bool given = false;   ///< one of the states that the route was asked to lead along
  bool linked = false;  ///< the step before is its cause: its process's last, or a send it takes
};

/// Leads along the rows of `path` in their order; between two of them it takes the fewest messages,
/// and then the fewest events. Where one did not happen before the next there is no way, and the
/// next step is not linked.
[[nodiscard]] std::vector<RouteStep> causal_route(const Computation& computation,
                                                  std::span<const Row> path);

}  // namespace lightcone
