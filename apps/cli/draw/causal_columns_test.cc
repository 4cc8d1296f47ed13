// Columns, held to happened-before: whatever is drawn, causes stand left of effects.
#include "draw/causal_columns.h"

#include <gtest/gtest.h>
#include <lightcone/base/random.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/causality.h>

namespace lightcone::cli {
namespace {

[[nodiscard]] Computation some_computation(std::uint64_t seed) {
  return *random_computation({.seed = seed,
                              .processes = 2 + static_cast<std::uint32_t>(seed % 5),
                              .events = 80,
                              .multicast_rate = 0.2,
                              .batch_rate = 0.3,
                              .duplicate_rate = 0.1});
}

TEST(CausalColumns, CausesStandLeftOfEffectsWhateverIsDrawn) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Computation computation = some_computation(seed);
    const Timestamps known = timestamps(computation);
    const Precedence precedence(computation, known);
    PortableRandom random(seed);
    std::vector<Part> parts(computation.row_count());
    std::vector<bool> fixed(computation.row_count());
    for (Row row = 0; row < parts.size(); ++row) {
      parts[row] = static_cast<Part>(random.below(seed % 3 == 0 ? 2 : 3));
      fixed[row] = random.below(8) == 0;
    }
    const CausalColumns columns = causal_columns(computation, parts, fixed);
    for (EventIndex f = 0; f < computation.event_count(); ++f) {
      if (parts[f] == Part::hidden) continue;
      ASSERT_LT(columns.of_row[f], columns.count);
      ASSERT_TRUE(parts[f] != Part::end || columns.of_row[f] >= columns.before_gap);
      for (EventIndex e = 0; e < computation.event_count(); ++e) {
        if (parts[e] == Part::hidden || !precedence.happened_before(e, f)) continue;
        ASSERT_LT(columns.of_row[e], columns.of_row[f]) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace lightcone::cli
