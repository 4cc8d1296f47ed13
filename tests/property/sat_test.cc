// What the SAT solver finds, against all consistent cuts and all observations.
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/sat/sat_avoidance.h>
#include <lightcone/lattice/sat/sat_possibly.h>
#include <lightcone/lattice/sat/sum_encoding.h>
#include <lightcone/property/language/parser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_levels.h"

namespace lightcone {
namespace {

SatSolver::Clock::time_point in_seconds(int seconds) {
  return SatSolver::Clock::now() + std::chrono::seconds(seconds);
}

void check_possibly(const Level& level, const Condition& condition) {
  const std::vector<Cut> cuts = arbitrary::all_cuts(level);
  const auto holds = [&](const Cut& cut) { return condition.holds(cut); };
  const FoundState found = possibly_by_sat(level, condition, in_seconds(60));
  if (std::none_of(cuts.begin(), cuts.end(), holds)) {
    RC_ASSERT(found.found == false);
    return;
  }
  RC_ASSERT(found.found == true);
  RC_ASSERT(is_consistent(level, found.cut));
  RC_ASSERT(condition.holds(found.cut));
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
  const Avoidance found = avoidance_by_sat(level, condition, in_seconds(60));
  if (!can_avoid(level, condition)) {
    RC_ASSERT(found.exists == false);
    return;
  }
  RC_ASSERT(found.exists == true);
  Cut cut = level.bottom();
  RC_ASSERT(!condition.holds(cut));
  for (const std::uint32_t chain : found.steps) {
    RC_ASSERT(can_advance(level, cut, chain));
    ++cut[chain];
    RC_ASSERT(!condition.holds(cut));
  }
  RC_ASSERT(cut == level.top());
}

TEST(Sat, AgreesWithAllCuts) {
  arbitrary::for_all_computations("possibly by SAT", 2000, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    check_possibly(level, arbitrary::random_condition(level, random));
    const Level slice = arbitrary::random_slice(level, random);
    check_possibly(slice, arbitrary::random_condition(slice, random));
  });
}

TEST(Sat, AgreesWithAllObservations) {
  arbitrary::for_all_computations("avoidance by SAT", 2000, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    check_avoidance(level, arbitrary::random_condition(level, random));
  });
}

TEST(Sat, AgreesOnTermsOfAnyKind) {
  const auto properties = *parse_property_syntax(R"(
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

/// Terms over more values than are written out.
TEST(Sat, AgreesOnTermsOverManyValues) {
  const auto properties = *parse_property_syntax(R"(
watch a : possibly p1.x * p2.x > 0 and p1.x > p2.x
watch b : possibly p1.x * p2.x < -1000000
watch c : possibly p1.x * p2.x < 1
)",
                                                 "test");
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomShape shape;
    shape.seed = seed;
    shape.processes = 2;
    shape.events = 160;
    shape.message_rate = 0.1;
    shape.variables = {{"x", 1, VariableRate::Type::real}};
    const Computation computation = *random_computation(shape);
    for (const Property& property : properties.properties) {
      const GlobalPredicate predicate(computation, properties,
                                      std::get<Global>(property.question).expression);
      const Level level(computation, predicate.relevant());
      Condition condition = condition_of(predicate);
      place_on(level, condition);
      const std::vector<Cut> cuts = arbitrary::all_cuts(level);
      const bool possible = std::any_of(cuts.begin(), cuts.end(),
                                        [&](const Cut& cut) { return condition.holds(cut); });
      const FoundState found = possibly_by_sat(level, condition, in_seconds(20));
      EXPECT_EQ(found.found, possible);
      EXPECT_TRUE(!possible || condition.holds(found.cut));
      const Avoidance avoiding = avoidance_by_sat(level, condition, in_seconds(20));
      EXPECT_EQ(avoiding.exists, can_avoid(level, condition));
    }
  }
}

/// Whether values of the parts, one each, can add up as asked.
[[nodiscard]] bool can_add_up(std::span<const SumPart> parts, Condition::Relation relation,
                              std::int64_t bound) {
  if (parts.empty()) {
    return relation == Condition::Relation::at_least  ? 0 >= bound
           : relation == Condition::Relation::at_most ? 0 <= bound
                                                      : 0 == bound;
  }
  return std::any_of(parts[0].addends.begin(), parts[0].addends.end(), [&](const auto& choice) {
    return can_add_up(parts.subspan(1), relation, bound - choice.value);
  });
}

TEST(Sat, AddsInBinary) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000 / arbitrary::one_in; ++round) {
    SatSolver solver(in_seconds(60));
    const int scale = round % 2 == 0 ? 0 : 56;
    const auto number = [&] {
      return (std::int64_t(random() % 16) - 8) * (std::int64_t{1} << scale);
    };
    std::vector<SumPart> parts(1 + random() % 5);
    std::int64_t bound = 0;
    for (SumPart& part : parts) {
      std::vector<Literal> some;
      for (std::uint64_t i = 1 + random() % 3; i > 0; --i) {
        part.addends.push_back({number(), solver.new_variable()});
        some.push_back(part.addends.back().literal);
      }
      solver.add(some);
      const auto by_value = [](const auto& a, const auto& b) { return a.value < b.value; };
      const auto [least, greatest] =
          std::minmax_element(part.addends.begin(), part.addends.end(), by_value);
      part.least = least->value;
      part.greatest = greatest->value;
      bound += part.addends[random() % part.addends.size()].value;
    }
    if (random() % 2 == 0) bound += number() / 4;
    const auto relation = Condition::Relation(random() % 3);
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    for (const SumPart& part : parts) {
      least += part.least;
      greatest += part.greatest;
    }
    if (bound < least || bound > greatest) continue;
    require_sum_of_bits(solver, parts, relation, bound, solver.always());
    EXPECT_EQ(solver.solve() == SatSolver::Satisfiability::satisfiable,
              can_add_up(parts, relation, bound));
  }
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
  const FoundState found = possibly_by_sat(*level_, condition, in_seconds(5));
  ASSERT_EQ(found.found, true);
  EXPECT_TRUE(is_consistent(*level_, found.cut));
  EXPECT_TRUE(condition.holds(found.cut));
}

}  // namespace
}  // namespace lightcone
