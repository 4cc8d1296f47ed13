// Routes: every step is a cause of the next, there is one whenever there can be, and it is short.
#include <lightcone/causal/order/causal_route.h>

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/causality.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] Computation some_computation(std::uint64_t seed) {
  return *random_computation({.seed = seed,
                              .processes = 2 + static_cast<std::uint32_t>(seed % 5),
                              .events = 80,
                              .multicast_rate = 0.2,
                              .batch_rate = 0.3,
                              .duplicate_rate = 0.1});
}

[[nodiscard]] bool is_cause(const Computation& computation, Row a, EventIndex b) {
  const Row before =
      computation.rank_of(b) > 1 ? b - 1 : computation.initial_row(computation.process_of(b));
  if (a == before) return true;
  return std::ranges::any_of(computation.takes(b),
                             [&](MessageIndex m) { return computation.sent_by(m) == a; });
}

TEST(CausalRoute, LeadsFromCauseToCauseWheneverThereIsAWay) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Computation computation = some_computation(seed);
    const Timestamps known = timestamps(computation);
    const Precedence precedence(computation, known);
    for (EventIndex e = 0; e < computation.event_count(); e += 3) {
      for (EventIndex f = 0; f < computation.event_count(); ++f) {
        if (e == f) continue;
        const Row path[] = {e, f};
        const std::vector<RouteStep> route = causal_route(computation, path);
        ASSERT_EQ(route.back().linked, precedence.happened_before(e, f)) << seed;
        ASSERT_EQ(route.front().row, e);
        ASSERT_EQ(route.back().row, f);
        for (std::size_t i = 1; i < route.size(); ++i) {
          ASSERT_EQ(route[i].linked, is_cause(computation, route[i - 1].row, route[i].row));
          ASSERT_EQ(route[i].given, i + 1 == route.size());
        }
      }
    }
  }
}

TEST(CausalRoute, StaysOnAProcessWhereItCan) {
  const Computation computation = some_computation(3);
  const Row path[] = {computation.initial_row(0), computation.event(0, computation.last_rank(0))};
  const std::vector<RouteStep> route = causal_route(computation, path);
  ASSERT_EQ(route.size(), computation.last_rank(0) + 1);
  for (Rank rank = 1; rank < route.size(); ++rank) {
    EXPECT_EQ(route[rank].row, computation.event(0, rank));
  }
}

TEST(CausalRoute, OfNothingOneAndTheSame) {
  const Computation computation = some_computation(1);
  EXPECT_TRUE(causal_route(computation, {}).empty());
  const Row twice[] = {4, 4};
  EXPECT_EQ(causal_route(computation, twice).size(), 1U);
  const Row initial_states[] = {computation.initial_row(0), computation.initial_row(1)};
  EXPECT_FALSE(causal_route(computation, initial_states).back().linked);
}

}  // namespace
}  // namespace lightcone
