// The direct causes of each event: those in other chains that no other event passes on.
#pragma once

#include <lightcone/lattice/order/level.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// The covering relation of a level between different chains. A cut is consistent iff it has, with
/// each event, its direct causes: all other causes follow. The level must be an order, not a slice.
class DirectCauses {
 public:
  /// An event of a chain, and one of its direct causes.
  struct Cause {
    Rank effect;          ///< the rank of the event in its own chain
    std::uint32_t chain;  ///< of the cause
    Rank rank;            ///< of the cause
  };

  explicit DirectCauses(const Level& level);

  /// Those of a chain's events after rank `after` up to rank `last`, by the event's rank.
  [[nodiscard]] std::span<const Cause> between(std::uint32_t chain, Rank after, Rank last) const;

 private:
  std::vector<std::vector<Cause>> causes_;  // of each chain
};

}  // namespace lightcone
