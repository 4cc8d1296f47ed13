// The definitions, written out by brute force: what every algorithm is tested against.
#pragma once

#include <lightcone/causal/races/races.h>
#include <lightcone/causality.h>
#include <lightcone/computation.h>

#include <utility>
#include <vector>

namespace lightcone::definition {

/// Lamport's relation as a matrix: the closure of local steps and messages.
class HappenedBefore {
 public:
  explicit HappenedBefore(const Computation& computation);
  [[nodiscard]] bool operator()(EventIndex e, EventIndex f) const { return matrix_[e][f]; }

 private:
  std::vector<std::vector<bool>> matrix_;
};

/// RR-2194, 2.3.1: r(i, x+1) → r(j, y), or t is the next state of s.
[[nodiscard]] bool strongly_precedes(const Computation& computation, const HappenedBefore& before,
                                     const Selection& relevant, LocalState s, LocalState t);
/// RR-2194, 2.3.2: r(i, x) → r(j, y), where r(i, 0) is the fictitious event that starts i.
[[nodiscard]] bool weakly_precedes(const Computation& computation, const HappenedBefore& before,
                                   const Selection& relevant, LocalState s, LocalState t);

/// Chosen e → chosen f with no chosen g between them.
[[nodiscard]] bool covers(const Computation& computation, const HappenedBefore& before,
                          const Selection& observed, EventIndex f, EventIndex e);

/// RR-2257, 3.4: trace m iff not previous receive → send(m).
[[nodiscard]] std::vector<Reception> traced_receptions(const Computation& computation,
                                                       const HappenedBefore& before);
/// Messages m, then m', received by one process in this order, with not receive(m) → send(m').
[[nodiscard]] std::vector<std::pair<Reception, Reception>> racing_pairs(
    const Computation& computation, const HappenedBefore& before);

/// The length of the longest chain that ends at e.
[[nodiscard]] std::uint32_t depth(const Computation& computation, const HappenedBefore& before);

}  // namespace lightcone::definition
