// The two computations of the papers, and real data of other projects, with what is known of them.
#include <gtest/gtest.h>
#include <lightcone/causal/order/covering.h>
#include <lightcone/causality.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace lightcone {
namespace {

Computation load(const std::string& file, Format format) {
  auto reading = read_trace(std::string(LIGHTCONE_TEST_DATA) + "/" + file, format);
  if (!reading) throw std::runtime_error(reading.error().text());
  return std::move(reading->computation);
}

EventIndex event(const Computation& c, std::string_view process, Rank rank) {
  return c.event(c.find_process(process).value(), rank);
}

// RR-2595, figure 1.
TEST(Golden, LongestFlowsOfTheControlFlowFigure) {
  const Computation c = load("cases/control-flows.jsonl", Format::jsonl);
  const Selection labelled(c, [&](EventIndex e) { return !c.labels(e).empty(); });
  const CoveringGraph graph(c, labelled);

  const auto of_p4 = graph.predecessors(event(c, "p4", 5));
  const std::vector<EventIndex> expected{event(c, "p2", 3), event(c, "p3", 2)};
  EXPECT_TRUE(std::ranges::equal(of_p4, expected));

  std::set<std::string> words;
  const std::function<void(EventIndex, std::string)> spell = [&](EventIndex e, std::string after) {
    const std::string word = std::string(c.names()[c.labels(e)[0]]) + after;
    if (graph.predecessors(e).empty()) words.insert(word);
    for (const EventIndex f : graph.predecessors(e)) spell(f, word);
  };
  spell(event(c, "p1", 6), "");
  EXPECT_EQ(words, (std::set<std::string>{"abda", "cbda", "ccda", "feda"}));
}

// RR-2194, figures 2 to 6.
TEST(Golden, PrecedenceOfTheObserversFigure) {
  const Computation c = load("cases/observers.jsonl", Format::jsonl);
  const Selection relevant = Selection::labelled(c, "r");
  const Timestamps known = timestamps(c);
  const Precedence precedence(c, known);
  const auto state = [](int process, Rank index) {
    return LocalState{static_cast<ProcessIndex>(process - 1), index};
  };
  EXPECT_TRUE(precedence.strongly_precedes(relevant, state(1, 0), state(2, 1)));
  EXPECT_TRUE(precedence.weakly_precedes(relevant, state(1, 1), state(2, 1)));
  EXPECT_TRUE(precedence.strongly_precedes(relevant, state(1, 1), state(2, 2)));
  EXPECT_FALSE(precedence.strongly_precedes(relevant, state(2, 1), state(3, 3)));
}

// RR-2194, figure 7, and the partial states of p1 and p2 (section 3.4).
TEST(Golden, InevitableStatesOfTheObserversFigure) {
  const Computation c = load("cases/observers.jsonl", Format::jsonl);
  const auto inevitable = [&](ProcessIndex first_processes) {
    const Selection relevant = Selection::labelled(c, "r");
    const Level level(c, Selection(c, [&](EventIndex e) {
                        return c.process_of(e) < first_processes && relevant.contains(e);
                      }));
    std::vector<Cut> cuts;
    inevitable_states(level).for_each([&](std::span<const Rank> cut) {
      cuts.emplace_back(cut.begin(), cut.end());
      return true;
    });
    return cuts;
  };
  EXPECT_EQ(inevitable(3), (std::vector<Cut>{{0, 0, 0}, {2, 1, 2}, {3, 2, 3}}));
  EXPECT_EQ(inevitable(2), (std::vector<Cut>{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 2}}));
}

/// The consistent global states, visited one by one on all cores.
std::uint64_t visited_states(const std::string& poset) {
  const Computation c = load("data/posets/" + poset, Format::clocks);
  const Level level(c, Selection::all(c));
  struct Tally {
    std::uint64_t states = 0;
    bool operator()(std::span<const Rank> cut) { return ++states > 0 && !cut.empty(); }
  };
  std::vector<Tally> tallies(cores());
  visit_states(Futures(level), all_of(level), std::span(tallies));
  std::uint64_t states = 0;
  for (const Tally& tally : tallies) states += tally.states;
  EXPECT_EQ(count_cuts(Futures(level), all_of(level)).number, states);
  return states;
}

// As Chang and Garg give them.
TEST(Golden, PosetsHaveTheirKnownNumberOfStates) {
  EXPECT_EQ(visited_states("d-10.txt"), 768U);
  EXPECT_EQ(visited_states("d-50.txt"), 590'976U);
  EXPECT_EQ(visited_states("d-100.txt"), 1'177'996U);
  EXPECT_EQ(visited_states("d-300.txt"), 42'695'907U);
}

}  // namespace
}  // namespace lightcone
