// Random cuts are uniformly distributed, by tables and by coupling; a chi-square test would tell.
#include <lightcone/lattice/count/cut_sampler.h>

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/count/cut_coupling.h>
#include <lightcone/lattice/count/cut_estimate.h>
#include <lightcone/lattice/eliminate/event_elimination.h>
#include <lightcone/lattice/visit/enumeration.h>

#include <cmath>
#include <functional>
#include <map>

namespace lightcone {
namespace {

constexpr auto never = std::chrono::steady_clock::time_point::max();

[[nodiscard]] Computation random_trace(Topology topology, std::uint32_t processes,
                                       std::uint32_t events, std::uint64_t seed) {
  RandomShape shape;
  shape.topology = topology;
  shape.processes = processes;
  shape.events = events;
  shape.seed = seed;
  shape.multicast_rate = 0.2;
  shape.batch_rate = 0.2;
  return *random_computation(shape);
}

/// By how many standard deviations the sum of squares is above its mean if all cuts are equally
/// likely: beyond 5, they are not.
[[nodiscard]] double surprise(const std::map<Cut, std::uint64_t>& times, std::uint64_t draws) {
  const double expected = double(draws) / double(times.size());
  double chi_square = 0;
  for (const auto& [cut, seen] : times) {
    chi_square += (double(seen) - expected) * (double(seen) - expected) / expected;
  }
  const double freedom = double(times.size()) - 1;
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

/// Draws 40 times as many cuts as there are.
[[nodiscard]] double surprise_of(const Level& level, const std::function<Cut()>& draw) {
  std::map<Cut, std::uint64_t> times;
  for_each_cut(Futures(level), all_of(level), [&](std::span<const Rank> cut) {
    times[Cut(cut.begin(), cut.end())] = 0;
    return true;
  });
  const std::uint64_t draws = 40 * times.size();
  for (std::uint64_t i = 0; i < draws; ++i) {
    const auto found = times.find(draw());
    if (found == times.end()) return INFINITY;  // no cut at all
    ++found->second;
  }
  return surprise(times, draws);
}

struct SampledShape {
  Topology topology;
  std::uint32_t processes, events;
};
/// Of one to a few hundred cuts, eliminated by chains and by events.
const std::vector<SampledShape> shapes = {{Topology::star, 4, 14},    {Topology::ring, 4, 16},
                                          {Topology::uniform, 5, 18}, {Topology::uniform, 3, 30},
                                          {Topology::pairs, 4, 10},   {Topology::phases, 3, 24}};

TEST(RandomCuts, FromTablesAreUniform) {
  for (const SampledShape& shape : shapes) {
    const Computation computation =
        random_trace(shape.topology, shape.processes, shape.events, shape.events);
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    CutSampler sampler(futures, {}, 7);
    ASSERT_TRUE(sampler.has_tables());
    EXPECT_LT(surprise_of(level, [&] { return *sampler.draw(); }), 5) << shape.events;
  }
}

/// One of the cuts, from the tables that are made event by event.
[[nodiscard]] Cut cut_by_events(const EventElimination<std::uint64_t>& elimination,
                                const PositionGraph& graph, RandomBits& bits) {
  std::vector<std::uint32_t> stops(graph.variables(), 0);
  elimination.draw(stops, [&](std::uint64_t end) { return random_below(end, bits); });
  Cut cut = graph.level().bottom();
  for (std::uint32_t v = 0; v < graph.variables(); ++v) {
    const std::uint64_t within = random_below(graph.positions(v, stops[v]), bits);
    cut[graph.chain(v)] = graph.first_position(v, stops[v]) + static_cast<Rank>(within);
  }
  return cut;
}

TEST(RandomCuts, FromTablesOfEventsAreUniform) {
  for (const SampledShape& shape : shapes) {
    const Computation computation =
        random_trace(shape.topology, shape.processes, shape.events, shape.events);
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    const Interval interval = all_of(level);
    const PositionGraph graph(futures, DirectCauses(level), interval);
    std::vector<bool> takes_part(graph.variables());
    std::vector<std::vector<std::uint64_t>> weights(graph.variables());
    for (std::uint32_t v = 0; v < graph.variables(); ++v) {
      takes_part[v] = graph.stops(v) > 1;
      for (std::uint32_t x = 0; x < graph.stops(v); ++x)
        weights[v].push_back(graph.positions(v, x));
    }
    EliminationBudget budget(1e9, 1e9, never);
    EventElimination<std::uint64_t> elimination(graph, takes_part, true, budget);
    ASSERT_TRUE(elimination.run([&](std::uint32_t v) -> const auto& { return weights[v]; }));
    RandomBits bits(5);
    EXPECT_LT(surprise_of(level, [&] { return cut_by_events(elimination, graph, bits); }), 5)
        << shape.events;
  }
}

TEST(RandomCuts, ByCouplingAreUniform) {
  for (const SampledShape& shape : shapes) {
    const Computation computation =
        random_trace(shape.topology, shape.processes, shape.events, shape.events);
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    const Interval interval = all_of(level);
    RandomBits bits(3);
    EXPECT_LT(surprise_of(level, [&] { return *coupled_cut(futures, interval, bits, never); }), 5)
        << shape.events;
  }
}

/// Chains one after the other, each at a position that those before it allow: every cut can come,
/// but not equally often. The test must see that.
[[nodiscard]] Cut unfair_cut(const Futures& futures, RandomBits& bits) {
  Interval interval = all_of(futures.level());
  const Level& level = futures.level();
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    const Rank length = interval.upper[c] - interval.lower[c];
    const Rank at =
        interval.lower[c] + static_cast<Rank>(random_below(std::uint64_t{length} + 1, bits));
    if (at > interval.lower[c]) interval.lower = join(interval.lower, level.past(c, at));
    if (at < interval.upper[c]) {
      interval.upper = meet(interval.upper, futures.without(c, at + 1));
    }
  }
  return interval.lower;
}

TEST(RandomCuts, TheTestSeesAnUnfairChoice) {
  int seen = 0;
  for (const SampledShape& shape : shapes) {
    const Computation computation =
        random_trace(shape.topology, shape.processes, shape.events, shape.events);
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    RandomBits bits(3);
    if (surprise_of(level, [&] { return unfair_cut(futures, bits); }) > 5) ++seen;
  }
  EXPECT_GE(seen, 4);
}

TEST(RandomCuts, TheSameSeedGivesTheSame) {
  const Computation computation = random_trace(Topology::uniform, 6, 60, 1);
  const Level level(computation, Selection::all(computation));
  const Futures futures(level);
  const auto drawn = [&](std::uint64_t seed) {
    CutSampler sampler(futures, {}, seed);
    std::vector<Cut> cuts;
    for (int i = 0; i < 20; ++i) cuts.push_back(*sampler.draw());
    return cuts;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(RandomCuts, EstimatesContainTheTruth) {
  int within = 0;
  constexpr int cases = 10;
  for (int seed = 0; seed < cases; ++seed) {
    const Computation computation = random_trace(Topology::uniform, 6, 50, std::uint64_t(seed) + 1);
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    const double truth = std::log10(double(*count_cuts(futures, all_of(level)).number));
    // No memory for tables: chains are fixed one after the other.
    const auto estimate =
        estimate_cuts(futures, all_of(level), {.seconds = 60, .bytes = 40}, std::uint64_t(seed));
    ASSERT_TRUE(estimate);
    if (estimate->log10_low <= truth && truth <= estimate->log10_high) ++within;
    EXPECT_NEAR(estimate->log10, truth, 0.15);
  }
  EXPECT_GE(within, cases - 3);  // of 95 in 100: fewer in one of 1,000 tries
}

}  // namespace
}  // namespace lightcone
