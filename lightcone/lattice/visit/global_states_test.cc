// The public view of global states agrees with the definition.
#include <gtest/gtest.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/states.h>
#include <lightcone/trace.h>

#include <algorithm>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_levels.h"

namespace lightcone {
namespace {

/// All states that `for_each` shows.
[[nodiscard]] std::vector<std::vector<Rank>> shown(const GlobalStates& states) {
  std::vector<std::vector<Rank>> found;
  const VisitedStates visited = states.for_each([&](std::span<const Rank> state) {
    found.emplace_back(state.begin(), state.end());
    return true;
  });
  EXPECT_EQ(visited.states, found.size());
  EXPECT_EQ(visited.ending, Ending::complete);
  return found;
}

[[nodiscard]] Computation computation_of(std::string_view text) {
  auto reading = read_trace_text(text, "test", Format::jsonl);
  EXPECT_TRUE(reading) << reading.error().text();
  return std::move(reading->computation);
}

/// One message, and a process that does nothing of its own.
constexpr std::string_view one_message = R"({"process": "a", "kind": "send", "message": "m"}
{"process": "a", "kind": "internal", "labels": ["x"]}
{"process": "b", "kind": "internal", "labels": ["x"]}
{"process": "b", "kind": "receive", "message": "m"}
{"process": "c", "kind": "init"}
)";

TEST(GlobalStates, AreCountedAndShown) {
  const Computation computation = computation_of(one_message);
  const GlobalStates states(computation);
  EXPECT_EQ(states.count().decimal, "8");
  EXPECT_EQ(states.count().number, 8U);
  EXPECT_TRUE(states.count().exact);
  const auto all = shown(states);
  ASSERT_EQ(all.size(), 8U);
  EXPECT_EQ(all.front(), (std::vector<Rank>{0, 0, 0}));
  EXPECT_EQ(all.back(), (std::vector<Rank>{2, 2, 0}));
  EXPECT_EQ(std::count(all.begin(), all.end(), std::vector<Rank>{0, 2, 0}), 0);
  EXPECT_EQ(states.inevitable_count(), 2U);
  EXPECT_EQ(states.count_observations().decimal, "5");
  EXPECT_EQ(states.random_observation(1).size(), 4U);
}

TEST(GlobalStates, OfRelevantEventsOnly) {
  const Computation computation = computation_of(one_message);
  const GlobalStates states(computation, Selection::labelled(computation, "x"));
  EXPECT_EQ(shown(states),
            (std::vector<std::vector<Rank>>{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}));
}

TEST(GlobalStates, LimitsAreKept) {
  const Computation computation = computation_of(one_message);
  const GlobalStates states(computation);
  std::uint64_t seen = 0;
  const auto count = [&](std::span<const Rank>) { return ++seen, true; };
  EXPECT_EQ(states.for_each(count, {.states = 3}).ending, Ending::limited);
  EXPECT_EQ(seen, 3U);
  EXPECT_EQ(states.for_each([](std::span<const Rank>) { return false; }).ending, Ending::stopped);
}

TEST(GlobalStates, AreThoseOfTheDefinition) {
  arbitrary::for_all_computations("global states", 200, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Selection relevant = arbitrary::few_events(computation, 12, random);
    const GlobalStates states(computation, relevant);
    const Level& level = states.level();
    std::vector<std::vector<Rank>> expected;
    for (const Cut& cut : arbitrary::all_cuts(level)) {
      auto& state = expected.emplace_back(computation.process_count(), 0);
      for (std::uint32_t c = 0; c < level.chains(); ++c) state[level.process(c)] = cut[c];
    }
    std::sort(expected.begin(), expected.end());
    const auto found = shown(states);
    RC_ASSERT(found == expected);
    RC_ASSERT(states.count().number == expected.size());
    std::size_t inevitable = 0;
    states.for_each_inevitable([&](std::span<const Rank> state) {
      RC_ASSERT(std::binary_search(expected.begin(), expected.end(),
                                   std::vector<Rank>(state.begin(), state.end())));
      return ++inevitable, true;
    });
    RC_ASSERT(inevitable == states.inevitable_count());
    RC_ASSERT(states.random_observation(7).size() == relevant.count());
  });
}

}  // namespace
}  // namespace lightcone
