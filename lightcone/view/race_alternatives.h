// The receptions that could have gone another way, each with what could have come instead.
#pragma once

#include <lightcone/causality.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lightcone {

/// A reception, and the messages that its receive could have taken instead.
struct RaceAlternatives {
  Reception reception;
  std::vector<MessageIndex> others;  ///< received later by the process, or never
  friend bool operator==(const RaceAlternatives&, const RaceAlternatives&) = default;
};

/// What was found of them.
struct RacingReceptions {
  std::vector<RaceAlternatives> receptions = {};  ///< by event
  bool complete = true;                           ///< all pairs were looked at
};

/// Groups the racing pairs by the reception that could have taken the other message. After
/// `most_pairs` pairs it stops.
[[nodiscard]] RacingReceptions racing_receptions(const Computation& computation,
                                                 std::size_t most_pairs);

}  // namespace lightcone
