// Levels and cuts against happened-before, on random computations.
#include <lightcone/lattice/order/level.h>

#include <gtest/gtest.h>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

/// Every third event, more or less: whatever the computation says of them.
[[nodiscard]] Selection some_events(const Computation& computation) {
  return {computation, [&](EventIndex e) { return (e * 2654435761U >> 7) % 3 == 0; }};
}

void expect_pasts(const Computation& computation, const Selection& relevant, const Level& level) {
  const definition::HappenedBefore before(computation);
  ASSERT_EQ(level.events(), relevant.count());
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    ASSERT_EQ(level.length(c), relevant.count(level.process(c)));
    for (Rank k = 1; k <= level.length(c); ++k) {
      const EventIndex e = level.event(c, k);
      ASSERT_EQ(e, relevant.event(level.process(c), k));
      for (std::uint32_t d = 0; d < level.chains(); ++d) {
        Rank known = 0;
        while (known < level.length(d) &&
               (level.event(d, known + 1) == e || before(level.event(d, known + 1), e))) {
          ++known;
        }
        ASSERT_EQ(level.past(c, k)[d], known);
      }
    }
  }
}

TEST(Levels, CountWhatHappenedBefore) {
  arbitrary::for_all_computations("levels", 500, [](const Computation& computation) {
    const Selection all = Selection::all(computation);
    expect_pasts(computation, all, Level(computation, all));
    const Selection some = some_events(computation);
    expect_pasts(computation, some, Level(computation, some));
    // So little memory that columns are computed a few at a time.
    expect_pasts(computation, some, Level(computation, some, 1));
    expect_pasts(computation, all, Level(computation, all, 1));
  });
}

TEST(Cuts, AreALatticeOfGlobalStates) {
  arbitrary::for_all_computations("cuts", 500, [](const Computation& computation) {
    const Selection some = some_events(computation);
    const Level level(computation, some);
    std::uint32_t state = 1;
    const auto random_cut = [&] {
      Cut cut = level.bottom();
      for (std::uint32_t c = 0; c < level.chains(); ++c) {
        state = state * 1664525 + 1013904223;
        cut[c] = (state >> 8) % (level.length(c) + 1);
      }
      return cut;
    };
    const Cut any = random_cut();
    const Cut a = closure(level, any);
    const Cut b = closure(level, random_cut());
    RC_ASSERT(is_within(any, a));
    for (const Cut& cut : {a, b, join(a, b), meet(a, b), level.bottom(), level.top()}) {
      RC_ASSERT(is_consistent(level, cut));
      const std::vector<Rank> ranks = process_ranks(level, cut);
      for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
        // What has happened at that state of the computation is what the cut says.
        Rank relevant = 0;
        for (Rank k = 1; k <= ranks[p]; ++k) relevant += some.contains(computation.event(p, k));
        const std::uint32_t chain = level.chain_of(p);
        RC_ASSERT(relevant == (chain == none ? 0 : cut[chain]));
        for (Rank k = 1; k <= ranks[p]; ++k) {
          for (const MessageIndex m : computation.takes(computation.event(p, k))) {
            const EventIndex send = computation.sent_by(m);
            RC_ASSERT(computation.rank_of(send) <= ranks[computation.process_of(send)]);
          }
        }
      }
    }
    RC_ASSERT(is_consistent(level, any) == (any == a));
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      Cut next = a;
      if (++next[c] <= level.length(c)) {
        RC_ASSERT(can_advance(level, a, c) == is_consistent(level, next));
      }
    }
  });
}

}  // namespace
}  // namespace lightcone
