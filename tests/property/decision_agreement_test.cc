// Decisions about global predicates, and every algorithm behind them, against all global states.
#include <gtest/gtest.h>
#include <lightcone/lattice/decide/avoidance.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/greatest_sum.h>
#include <lightcone/lattice/predicate/least_cut.h>
#include <lightcone/lattice/predicate/slice.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/lattice/visit/search.h>

#include <algorithm>
#include <map>

#include "model/definitions/global_definitions.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_levels.h"
#include "model/generators/condition_shape.h"

namespace lightcone {
namespace {

using definition::ConsistentCuts;
using definition::GlobalExpression;
using definition::GlobalState;
using definition::HappenedBefore;
using Modality = Global::Modality;

/// Whether the events are an order of all or some events of the computation that respects
/// causality, and come as far as `state`.
void expect_observation(const Computation& c, const std::vector<EventIndex>& events,
                        const GlobalState& state) {
  GlobalState done(c.process_count(), 0);
  for (const EventIndex e : events) {
    RC_ASSERT(c.rank_of(e) == ++done[c.process_of(e)]);
    for (const MessageIndex m : c.takes(e)) {
      const EventIndex send = c.sent_by(m);
      RC_ASSERT(c.rank_of(send) <= done[c.process_of(send)]);
    }
  }
  RC_ASSERT(done == state);
}

void expect_witness(const Computation& c, const GlobalExpression& expression, Modality modality,
                    const Decision& decision) {
  const HappenedBefore before(c);
  const bool found = *decision.found;
  if (modality != Modality::definitely) RC_ASSERT(decision.cut.empty() == !found);
  if (!decision.cut.empty()) {
    RC_ASSERT(found);
    RC_ASSERT(expression.is_satisfying_cut(before, decision.cut));
    expect_observation(c, decision.observation, decision.cut);
  }
  if (modality == Modality::definitely && !found) {
    GlobalState end;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) end.push_back(c.last_rank(p));
    expect_observation(c, decision.observation, end);
    std::vector<EventIndex> relevant;
    for (const EventIndex e : decision.observation) {
      if (expression.is_relevant(e)) relevant.push_back(e);
    }
    RC_ASSERT(expression.is_avoiding_observation(before, relevant));
  }
}

TEST(GlobalDecisions, AreThoseOfTheDefinition) {
  std::map<std::string, int> methods;
  arbitrary::for_all_globals("decisions", 1000, [&](const Computation& c, const Properties& file) {
    for (const Property& property : file.properties) {
      const auto& global = std::get<Global>(property.question);
      RC_LOG(property.text);
      const GlobalPredicate predicate(c, file, global.expression);
      const GlobalExpression expression(c, file, global.expression);
      for (const Modality modality :
           {Modality::possibly, Modality::definitely, Modality::properly}) {
        Budget budget({});
        const Decision decision = decide(modality, predicate, c, {budget, {}, true});
        RC_ASSERT(decision.found.has_value());
        RC_LOG(decision.method);
        RC_ASSERT(*decision.found == definition::is_found({modality, global.expression}, file, c));
        expect_witness(c, expression, modality, decision);
        ++methods[decision.method.substr(0, decision.method.find_first_of(" :("))];
      }
    }
  });
  for (const auto& [method, count] : methods) RecordProperty(method, count);
}

/// All algorithms that apply to one condition on one level, each against the cuts themselves.
struct CrossCheck {
  const Level& level;
  const Condition& condition;
  std::vector<Cut> cuts = arbitrary::all_cuts(level);
  std::vector<Cut> satisfying = {};

  void run() {
    for (const Cut& cut : cuts) {
      if (condition.holds(cut)) satisfying.push_back(cut);
    }
    check_search();
    if (is_linear(condition)) check_least_cut();
    if (is_regular(condition)) check_slice();
    if (condition.form == Condition::Form::sum) check_sum();
    check_avoidance();
  }

  void check_search() const {
    Budget budget({});
    const FoundState result = search(level, condition, budget);
    RC_ASSERT(result.found == !satisfying.empty());
    if (*result.found) RC_ASSERT(contains(satisfying, result.cut));
  }

  void check_least_cut() const {
    const auto least = least_cut(level, condition, level.bottom());
    RC_ASSERT(least.has_value() == !satisfying.empty());
    if (!least) return;
    RC_ASSERT(contains(satisfying, *least));
    for (const Cut& cut : satisfying) RC_ASSERT(is_within(*least, cut));
  }

  /// The cuts of the slice are those that satisfy the condition.
  void check_slice() const {
    const auto sliced = slice(level, condition);
    RC_ASSERT(sliced.has_value() == !satisfying.empty());
    if (sliced) RC_ASSERT(arbitrary::all_cuts(*sliced) == satisfying);
  }

  void check_sum() const {
    const ReachedSum least = least_sum(level, condition.sum);
    const ReachedSum greatest = greatest_sum(level, condition.sum);
    for (const Cut& cut : cuts) {
      RC_ASSERT(sum_at(condition.sum, cut) >= least.value);
      RC_ASSERT(sum_at(condition.sum, cut) <= greatest.value);
    }
    RC_ASSERT(sum_at(condition.sum, least.cut) == least.value);
    RC_ASSERT(sum_at(condition.sum, greatest.cut) == greatest.value);
  }

  /// Searches for a way around, if the ends allow one.
  void check_avoidance() const {
    if (condition.holds(level.bottom()) || condition.holds(level.top())) return;
    std::vector<Cut> reached{level.bottom()};
    for (const Cut& cut : cuts) {  // smaller ones first
      if (contains(satisfying, cut)) continue;
      for (std::uint32_t c = 0; c < level.chains(); ++c) {
        if (cut[c] == level.bottom()[c]) continue;
        Cut before = cut;
        --before[c];
        if (contains(reached, before) && !contains(reached, cut)) reached.push_back(cut);
      }
    }
    const bool exists = contains(reached, level.top());
    Budget budget({});
    expect_way(avoid_depth_first(level, condition, budget), exists);
    expect_way(avoid_by_level(level, condition, budget), exists);
    // With so little memory that levels are forgotten.
    Limits small;
    small.bytes = 1500;
    Budget tight(small);
    const Avoidance forgetful = avoid_by_level(level, condition, tight);
    if (forgetful.exists) RC_ASSERT(*forgetful.exists == exists);
  }

  void expect_way(const Avoidance& avoidance, bool exists) const {
    RC_ASSERT(avoidance.exists == exists);
    if (!exists) return;
    Cut cut = level.bottom();
    for (const std::uint32_t chain : avoidance.steps) {
      RC_ASSERT(can_advance(level, cut, chain));
      ++cut[chain];
      RC_ASSERT(!condition.holds(cut));
    }
    RC_ASSERT(cut == level.top());
  }

  [[nodiscard]] static bool contains(const std::vector<Cut>& some, const Cut& cut) {
    return std::find(some.begin(), some.end(), cut) != some.end();
  }
};

TEST(Cross, AllAlgorithmsAgreeOnConditionsOfPredicates) {
  arbitrary::for_all_globals("cross", 1000, [](const Computation& c, const Properties& file) {
    for (const Property& property : file.properties) {
      const GlobalPredicate predicate(c, file, std::get<Global>(property.question).expression);
      RC_LOG(property.text);
      Question question = coarsened(condition_of(predicate), predicate.relevant(), c);
      const Level level(c, question.relevant);
      place_on(level, question.condition);
      CrossCheck{level, question.condition}.run();
    }
  });
}

TEST(Cross, AllAlgorithmsAgreeOnRandomConditions) {
  arbitrary::for_all_computations("cross", 1500, [](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Level level(c, arbitrary::few_events(c, 10, random));
    const Condition condition = arbitrary::random_condition(level, random);
    RC_LOG(shape_of(condition));
    CrossCheck{level, condition}.run();
  });
}

}  // namespace
}  // namespace lightcone
