// What the SAT solver finds, against all consistent cuts and all observations.
#include <lightcone/causal/random_computation.h>
#include <lightcone/lattice/sat.h>
#include <lightcone/lattice/sat_avoidance.h>
#include <lightcone/property/parser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "property/arbitrary.h"
#include "property/arbitrary_levels.h"

namespace lightcone {
namespace {

SatSolver::Clock::time_point in_seconds(int seconds) {
  return SatSolver::Clock::now() + std::chrono::seconds(seconds);
}

void check_possibly(const Level& level, const Condition& condition) {
  const std::vector<Cut> cuts = arbitrary::all_cuts(level);
  const auto holds = [&](const Cut& cut) { return condition.holds(cut); };
  const FoundCut found = possibly_by_sat(level, condition, in_seconds(60));
  if (std::none_of(cuts.begin(), cuts.end(), holds)) {
    RC_ASSERT(found.search == Search::absent);
    return;
  }
  RC_ASSERT(found.search == Search::found);
  RC_ASSERT(is_consistent(level, found.cut));
  RC_ASSERT(condition.holds(found.cut));
  RC_ASSERT(found.minimal);
  for (const Cut& cut : cuts) {
    RC_ASSERT(!holds(cut) || cut == found.cut || !is_within(cut, found.cut));
  }
}

/// Whether some observation goes through cuts only at which the condition does not hold.
[[nodiscard]] bool can_avoid(const Level& level, const Condition& condition) {
  std::vector<Cut> cuts = arbitrary::all_cuts(level);
  std::sort(cuts.begin(), cuts.end(),
            [](const Cut& a, const Cut& b) { return size_of(a) < size_of(b); });
  std::map<Cut, bool> reached;
  for (const Cut& cut : cuts) {
    bool& is_reached = reached[cut];
    is_reached = cut == level.bottom();
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      Cut before = cut;
      if (before[c]-- == level.bottom()[c]) continue;
      const auto at = reached.find(before);
      is_reached = is_reached || (at != reached.end() && at->second);
    }
    is_reached = is_reached && !condition.holds(cut);
  }
  return reached[level.top()];
}

void check_avoidance(const Level& level, const Condition& condition) {
  const FoundObservation found = avoidance_by_sat(level, condition, in_seconds(60));
  if (!can_avoid(level, condition)) {
    RC_ASSERT(found.search == Search::absent);
    return;
  }
  RC_ASSERT(found.search == Search::found);
  Cut cut = level.bottom();
  RC_ASSERT(!condition.holds(cut));
  for (const std::uint32_t chain : found.chains) {
    RC_ASSERT(can_advance(level, cut, chain));
    ++cut[chain];
    RC_ASSERT(!condition.holds(cut));
  }
  RC_ASSERT(cut == level.top());
}

TEST(Sat, AgreesWithAllCuts) {
  arbitrary::for_all_computations("possibly by SAT", 1000, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    check_possibly(level, arbitrary::random_condition(level, random));
    const Level slice = arbitrary::random_slice(level, random);
    check_possibly(slice, arbitrary::random_condition(slice, random));
  });
}

TEST(Sat, AgreesWithAllObservations) {
  arbitrary::for_all_computations("avoidance by SAT", 1000, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    check_avoidance(level, arbitrary::random_condition(level, random));
  });
}

TEST(Sat, AgreesOnTermsOfAnyKind) {
  const auto properties = *parse_properties(R"(
watch a : possibly max(x) - min(x) == 2
watch b : possibly p1.x * p2.x > 3
watch c : possibly sum(y) > 1 and p1.x < p2.x
watch d : possibly not (min(x) * count(x > 1) < max(y) + 1)
)",
                                            "test");
  arbitrary::for_all_computations("terms by SAT", 400, [&](const Computation& computation) {
    if (!computation.find_process("p1") || !computation.find_process("p2")) return;
    for (const Property& property : properties.properties) {
      const GlobalPredicate predicate(computation, properties,
                                      std::get<Global>(property.question).expression);
      const Level level(computation, predicate.relevant());
      std::uint64_t cuts = 1;
      for (const Rank length : level.top()) cuts *= length + std::uint64_t{1};
      if (cuts > 2000) continue;
      Condition condition = condition_of(predicate);
      place_on(level, condition);
      check_possibly(level, condition);
      if (level.events() <= 12) check_avoidance(level, condition);
    }
  });
}

/// 64 processes with 20 relevant events each, and numbers that jump.
class LargeSums : public testing::Test {
 protected:
  LargeSums() {
    RandomShape shape;
    shape.processes = 64;
    shape.events = 64 * 100;
    computation_ = *random_computation(shape);
    level_ = std::make_unique<Level>(
        computation_, Selection(computation_, [&](EventIndex) { return random_() % 5 == 0; }));
    sum_ = arbitrary::random_sum(*level_, random_, [&] { return std::int64_t(random_() % 101); });
  }

  Computation computation_;
  std::mt19937_64 random_{1};
  std::unique_ptr<Level> level_;
  std::vector<Condition::Summand> sum_;
};

TEST_F(LargeSums, AreFoundExactly) {
  std::int64_t bottom = 0;
  for (const auto& summand : sum_) bottom += summand.values[0];
  Condition condition = sum_condition(sum_, Condition::Relation::equal, bottom + 12);
  place_on(*level_, condition);
  const FoundCut found = possibly_by_sat(*level_, condition, in_seconds(5));
  ASSERT_EQ(found.search, Search::found);
  EXPECT_TRUE(is_consistent(*level_, found.cut));
  EXPECT_TRUE(condition.holds(found.cut));
}

}  // namespace
}  // namespace lightcone
