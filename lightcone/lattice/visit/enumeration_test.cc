// Enumeration, counting and observations against the definitions, on random computations.
#include <lightcone/lattice/visit/enumeration.h>

#include <gtest/gtest.h>
#include <lightcone/causal/builder.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/eliminate/natural_number.h>
#include <lightcone/lattice/order/decomposition.h>
#include <lightcone/lattice/visit/enumeration_by_size.h>
#include <lightcone/lattice/visit/observation.h>
#include <lightcone/lattice/visit/parallel_visit.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

/// Few enough events, here and there, for all tuples of ranks to be tried.
[[nodiscard]] Selection few_events(const Computation& computation, std::uint64_t most_tuples) {
  std::vector<bool> chosen(computation.event_count(), false);
  std::vector<std::uint64_t> lengths(computation.process_count(), 1);
  std::uint64_t tuples = 1;
  for (const EventIndex e : computation.order()) {
    std::uint64_t& length = lengths[computation.process_of(e)];
    if ((e * 2654435761U >> 7) % 4 == 0 || tuples / length * (length + 1) > most_tuples) continue;
    tuples = tuples / length * (length + 1);
    ++length;
    chosen[e] = true;
  }
  return {computation, [&](EventIndex e) { return chosen[e]; }};
}

/// The definition: every tuple of ranks between two cuts that is consistent, in lexical order.
[[nodiscard]] std::vector<Cut> consistent_cuts(const Level& level, const Interval& interval) {
  std::vector<Cut> cuts;
  Cut cut = interval.lower;
  while (true) {
    if (is_consistent(level, cut)) cuts.push_back(cut);
    std::size_t c = cut.size();
    while (c > 0 && cut[c - 1] == interval.upper[c - 1]) --c;
    if (c == 0) return cuts;
    ++cut[c - 1];
    for (; c < cut.size(); ++c) cut[c] = interval.lower[c];
  }
}

/// The paths that lead from the lower to the upper cut, event by event.
[[nodiscard]] std::uint64_t paths(const Level& level, const Interval& interval,
                                  const std::vector<Cut>& cuts) {
  std::map<Cut, std::uint64_t> ways{{interval.upper, 1}};
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {  // successors come later
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      Cut next = *cut;
      if (++next[c] > interval.upper[c] || !can_advance(level, *cut, c)) continue;
      ways[*cut] += ways.at(next);
    }
  }
  return ways.at(interval.lower);
}

/// The whole lattice, and some of its intervals.
[[nodiscard]] std::vector<Interval> intervals(const Level& level) {
  std::vector<Interval> result{all_of(level)};
  std::uint32_t state = level.events();
  const auto random_cut = [&] {
    Cut cut = level.bottom();
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      state = state * 1664525 + 1013904223;
      cut[c] = (state >> 8) % (level.length(c) + 1);
    }
    return closure(level, cut);
  };
  for (int i = 0; i < 2; ++i) {
    const Cut a = random_cut();
    const Cut b = random_cut();
    result.push_back({meet(a, b), join(a, b)});
    result.push_back({a, level.top()});
  }
  return result;
}

void for_small_levels(const std::string& what, int cases,
                      const std::function<void(const Level&, const Futures&)>& property) {
  arbitrary::for_all_computations(what, cases, [&](const Computation& computation) {
    const Level level(computation, few_events(computation, 500));
    property(level, Futures(level));
  });
}

TEST(FuturesOfEvents, AreTheGreatestCutsWithoutThem) {
  for_small_levels("futures", 500, [](const Level& level, const Futures& futures) {
    RC_ASSERT(futures.is_order());
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      for (Rank k = 1; k <= level.length(c); ++k) {
        for (std::uint32_t d = 0; d < level.chains(); ++d) {
          Rank first = 1;
          while (first <= level.length(d) && level.past(d, first)[c] < k) ++first;
          RC_ASSERT(futures.without(c, k)[d] == first - 1);
        }
      }
    }
  });
}

TEST(Enumeration, VisitsEachConsistentCutOnce) {
  for_small_levels("enumeration", 2000, [](const Level& level, const Futures& futures) {
    for (const Interval& interval : intervals(level)) {
      const auto expected = consistent_cuts(level, interval);
      std::vector<Cut> found;
      RC_ASSERT(for_each_cut(futures, interval, [&](std::span<const Rank> cut) {
        found.emplace_back(cut.begin(), cut.end());
        return true;
      }));
      RC_ASSERT(found == expected);
      std::uint64_t visits = 0;
      RC_ASSERT(!for_each_cut(futures, interval, [&](std::span<const Rank>) {
        return ++visits < (expected.size() + 1) / 2;
      }));
      RC_ASSERT(visits == (expected.size() + 1) / 2);
    }
  });
}

TEST(Enumeration, BySizeVisitsTheSame) {
  for_small_levels("enumeration by size", 1000, [](const Level& level, const Futures& futures) {
    for (const Interval& interval : intervals(level)) {
      auto expected = consistent_cuts(level, interval);
      std::stable_sort(expected.begin(), expected.end(),
                       [](const Cut& a, const Cut& b) { return size_of(a) < size_of(b); });
      std::vector<Cut> found;
      for (std::uint64_t size = 0; size <= level.events() + 1; ++size) {
        for_each_cut_of_size(futures, interval, size, [&](std::span<const Rank> cut) {
          found.emplace_back(cut.begin(), cut.end());
          return true;
        });
      }
      RC_ASSERT(found == expected);
      RC_ASSERT(!for_each_cut_of_size(futures, interval, size_of(interval.upper),
                                      [](std::span<const Rank>) { return false; }));
    }
  });
}

TEST(Enumeration, SplitsIntoDisjointIntervals) {
  for_small_levels("split", 500, [](const Level& level, const Futures& futures) {
    const auto expected = consistent_cuts(level, all_of(level));
    std::multiset<Cut> found;
    const auto parts = split(futures, {all_of(level)}, 7);
    RC_ASSERT(parts.size() == std::min<std::size_t>(7, expected.size()));
    for (const Interval& part : parts) {
      const auto cuts = consistent_cuts(level, part);
      RC_ASSERT(!cuts.empty());
      found.insert(cuts.begin(), cuts.end());
    }
    RC_ASSERT(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
  });
}

struct Collector {
  std::vector<Cut> cuts;
  std::size_t most = SIZE_MAX;

  bool operator()(std::span<const Rank> cut) {
    cuts.emplace_back(cut.begin(), cut.end());
    return cuts.size() < most;
  }
};

TEST(ParallelVisit, OnSeveralThreadsVisitsTheSameWithinLimits) {
  for_small_levels("parallel visit", 200, [](const Level& level, const Futures& futures) {
    const auto expected = consistent_cuts(level, all_of(level));
    for (const std::uint64_t limit :
         {expected.size() + 1, expected.size(), expected.size() - 1, expected.size() / 3}) {
      std::vector<Collector> collectors(3);
      const auto visited =
          visit_states(futures, all_of(level), std::span(collectors), {.states = limit});
      std::vector<Cut> found;
      for (const auto& one : collectors)
        found.insert(found.end(), one.cuts.begin(), one.cuts.end());
      std::sort(found.begin(), found.end());
      RC_ASSERT(visited.states == found.size());
      RC_ASSERT(visited.states == std::min<std::uint64_t>(limit, expected.size()));
      RC_ASSERT((visited.ending == Ending::complete) == (limit >= expected.size()));
      RC_ASSERT(std::adjacent_find(found.begin(), found.end()) == found.end());
      RC_ASSERT(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
    }
    std::vector<Collector> collectors(2);
    collectors[0].most = collectors[1].most = 1;
    const auto visited = visit_states(futures, all_of(level), std::span(collectors));
    RC_ASSERT(visited.ending == Ending::stopped);
    RC_ASSERT(visited.states == collectors[0].cuts.size() + collectors[1].cuts.size());
  });
}

TEST(Counting, AgreesWithTheDefinition) {
  for_small_levels("count", 2000, [](const Level& level, const Futures& futures) {
    for (const Interval& interval : intervals(level)) {
      const auto cuts = consistent_cuts(level, interval);
      const Count count = count_cuts(futures, interval);
      RC_ASSERT(count.exact);
      RC_ASSERT(count.number == cuts.size());
      RC_ASSERT(count.decimal == std::to_string(cuts.size()));
      const Count limited = count_cuts(futures, interval, {.states = 5});
      RC_ASSERT((limited.exact ? limited.number == cuts.size() : limited.number < cuts.size()));
      const Count observations = count_observations(futures, interval);
      const std::uint64_t ways = paths(level, interval, cuts);
      RC_ASSERT(observations.exact);
      RC_ASSERT(observations.number == ways);
      const Count some = count_observations(futures, interval, {.states = 5});
      RC_ASSERT((some.exact ? some.number == ways : some.number <= ways));
    }
  });
}

TEST(Counting, ARandomObservationLeadsToTheTop) {
  for_small_levels("observations", 500, [](const Level& level, const Futures&) {
    Cut cut = level.bottom();
    for (const EventIndex e : random_observation(level, level.events())) {
      const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
      RC_ASSERT(can_advance(level, cut, chain));
      RC_ASSERT(level.event(chain, ++cut[chain]) == e);
    }
    RC_ASSERT(cut == level.top());
  });
}

TEST(Naturals, AddSubtractAndMultiply) {
  NaturalNumber power(1);
  NaturalNumber sum(1);
  for (int i = 0; i < 200; ++i) {
    sum += power;
    power *= NaturalNumber(2);
  }
  EXPECT_EQ(power, sum);
  EXPECT_EQ(power.decimal(), "1606938044258990275541962092341162602522202993782792835301376");
  EXPECT_EQ(power.small(), std::nullopt);
  sum -= power;
  EXPECT_EQ(sum.small(), 0U);
  EXPECT_EQ(sum.decimal(), "0");
  power *= sum;
  EXPECT_EQ(power, NaturalNumber());
  EXPECT_EQ(NaturalNumber::binomial(52, 5).small(), 2'598'960U);
  EXPECT_EQ(NaturalNumber(UINT64_MAX).small(), UINT64_MAX);
}

/// Processes without messages.
[[nodiscard]] Computation independent(std::uint32_t processes, std::uint32_t events_each) {
  Builder builder;
  for (std::uint32_t p = 0; p < processes; ++p) {
    const ProcessIndex process = builder.process("p" + std::to_string(p));
    for (std::uint32_t i = 0; i < events_each; ++i) builder.add({.process = process});
  }
  return *builder.build();
}

struct Tally {
  std::uint64_t cuts = 0;

  bool operator()(std::span<const Rank>) {
    ++cuts;
    return true;
  }
};

TEST(Enumeration, OfNothingIsOneCut) {
  for (const std::uint32_t processes : {0U, 3U}) {
    const Computation computation = independent(processes, 0);
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    Tally tally;
    EXPECT_TRUE(for_each_cut(futures, all_of(level), tally));
    EXPECT_TRUE(for_each_cut_of_size(futures, all_of(level), 0, tally));
    EXPECT_TRUE(for_each_cut_of_size(futures, all_of(level), 1, tally));
    EXPECT_EQ(tally.cuts, 2U);
    std::vector<Tally> tallies(2);
    EXPECT_EQ(visit_states(futures, all_of(level), std::span(tallies)).states, 1U);
    EXPECT_EQ(count_cuts(futures, all_of(level)).number, 1U);
    EXPECT_EQ(count_observations(futures, all_of(level)).number, 1U);
    EXPECT_TRUE(random_observation(level, 1).empty());
  }
}

TEST(Enumeration, OfOneLongChain) {
  constexpr std::uint32_t length = 1'000'000;
  const Computation computation = independent(1, length);
  const Level level(computation, Selection::all(computation));
  const Futures futures(level);
  std::vector<Tally> tallies(2);
  EXPECT_EQ(visit_states(futures, all_of(level), std::span(tallies)).states, length + 1);
  EXPECT_EQ(count_cuts(futures, all_of(level)).number, length + 1);
  EXPECT_EQ(count_observations(futures, all_of(level)).number, 1U);
  Tally tally;
  EXPECT_TRUE(for_each_cut_of_size(futures, all_of(level), length / 2, tally));
  EXPECT_EQ(tally.cuts, 1U);
}

TEST(Enumeration, OfAThousandProcessesStopsAtTheLimit) {
  const Computation computation = independent(1000, 1);
  const Level level(computation, Selection::all(computation));
  const Futures futures(level);
  std::vector<Tally> tallies(2);
  const VisitedStates some =
      visit_states(futures, all_of(level), std::span(tallies), {.states = 100'000});
  EXPECT_EQ(some.states, 100'000U);
  EXPECT_EQ(tallies[0].cuts + tallies[1].cuts, 100'000U);
  EXPECT_EQ(some.ending, Ending::limited);
  const VisitedStates brief =
      visit_states(futures, all_of(level), std::span(tallies), {.seconds = 0.05});
  EXPECT_EQ(brief.ending, Ending::limited);

  NaturalNumber cuts(1);
  NaturalNumber observations(1);
  for (std::uint32_t i = 1; i <= 1000; ++i) {
    cuts *= NaturalNumber(2);
    observations *= NaturalNumber(i);
  }
  const Count count = count_cuts(futures, all_of(level));
  EXPECT_TRUE(count.exact);
  EXPECT_EQ(count.decimal, cuts.decimal());
  EXPECT_EQ(count.number, std::nullopt);
  EXPECT_EQ(count_observations(futures, all_of(level)).decimal, observations.decimal());
}

TEST(Counting, OfPhasesIsExactWhereEnumerationIsHopeless) {
  RandomShape shape;
  shape.topology = Topology::phases;
  shape.processes = 4;
  shape.events = 100'000;
  const Computation computation = *random_computation(shape);
  const Level level(computation, Selection::all(computation));
  const Count count = count_cuts(Futures(level), all_of(level), {.states = 100'000'000});
  EXPECT_TRUE(count.exact);
  EXPECT_GT(count.number, 1'000'000U);
}

TEST(ParallelVisit, TellsItsProgress) {
  const Computation computation = independent(40, 1);
  const Level level(computation, Selection::all(computation));
  std::vector<Tally> tallies(2);
  std::uint64_t told = 0;
  const auto visited = visit_states(Futures(level), all_of(level), std::span(tallies),
                                    {.seconds = 0.3}, [&](auto, std::uint64_t done, auto total) {
                                      ++told;
                                      EXPECT_LE(done, total);
                                    });
  EXPECT_EQ(visited.ending, Ending::limited);
  EXPECT_GE(told, 1U);
}

}  // namespace
}  // namespace lightcone
