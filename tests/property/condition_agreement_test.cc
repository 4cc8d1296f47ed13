// Global predicates and their conditions say, in each global state, what brute force says.
#include <gtest/gtest.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/property/language/expression_text.h>
#include <lightcone/property/states/global_predicate.h>

#include <algorithm>

#include "model/definitions/global_definitions.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/condition_shape.h"

namespace lightcone {
namespace {

using definition::ConsistentCuts;
using definition::GlobalExpression;
using definition::GlobalState;
using definition::HappenedBefore;

[[nodiscard]] definition::Scalar scalar(const Datum& datum) {
  if (const auto* text = std::get_if<std::string_view>(&datum)) return std::string(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&datum)) return definition::number(*integer);
  if (const auto* real = std::get_if<double>(&datum)) return mpq_class(*real);
  if (is_number(datum)) return mpq_class(text_of(datum));
  return {};
}

/// The global state as a cut of the level, which is the level of `relevant`.
[[nodiscard]] Cut cut_at(const Level& level, const Selection& relevant, const GlobalState& state) {
  Cut cut(level.chains(), 0);
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    const ProcessIndex p = level.process(c);
    for (Rank k = 1; k <= state[p]; ++k) {
      cut[c] += relevant.contains(level.computation().event(p, k));
    }
  }
  return cut;
}

/// A global expression, as read by the library and by definition.
struct Agreement {
  const Computation& computation;
  const Properties& properties;
  const Expression& expression;
  HappenedBefore before{computation};
  GlobalExpression definition{computation, properties, expression};
  ConsistentCuts cuts{computation, before, [&](EventIndex e) { return definition.is_relevant(e); }};
  GlobalPredicate predicate{computation, properties, expression};
};

void for_all_expressions(const char* what, int cases,
                         const std::function<void(const Agreement&)>& property) {
  arbitrary::for_all_globals(what, cases, [&](const Computation& c, const Properties& file) {
    for (const Property& it : file.properties) {
      property(Agreement{c, file, std::get<Global>(it.question).expression});
    }
  });
}

TEST(GlobalPredicates, HaveTheValueOfTheDefinition) {
  for_all_expressions("values", 1200, [](const Agreement& it) {
    const Selection& relevant = it.predicate.relevant();
    for (EventIndex e = 0; e < it.computation.event_count(); ++e) {
      RC_ASSERT(relevant.contains(e) == it.definition.is_relevant(e));
    }
    const Level level(it.computation, relevant);
    for (const GlobalState& state : it.cuts.all()) {
      const Cut cut = cut_at(level, relevant, state);
      RC_ASSERT(is_consistent(level, cut));
      std::vector<Datum> now;
      for (const ReadColumn& column : it.predicate.columns()) {
        const std::uint32_t chain = level.chain_of(column.process);
        now.push_back(column.values.at(chain == none ? 0 : cut[chain]));
      }
      RC_ASSERT(scalar(value_of(it.predicate.term(), now)) == it.definition.value_at(state));
      RC_ASSERT(it.definition.is_satisfying_cut(it.before, process_ranks(level, cut)) ==
                it.definition.holds_at(state));
    }
  });
}

TEST(Conditions, HoldWhereTheExpressionIsTrue) {
  for_all_expressions("conditions", 1500, [](const Agreement& it) {
    const Level level(it.computation, it.predicate.relevant());
    Condition condition = condition_of(it.predicate);
    Condition negation = negated(condition);
    place_on(level, condition);
    place_on(level, negation);
    RC_LOG(shape_of(condition) + ", negated " + shape_of(negation));
    for (const GlobalState& state : it.cuts.all()) {
      const Cut cut = cut_at(level, it.predicate.relevant(), state);
      const bool holds = it.definition.holds_at(state);
      RC_ASSERT(condition.holds(cut) == holds);
      RC_ASSERT(negation.holds(cut) != holds);
    }
  });
}

TEST(Conditions, HaveTheSameAnswersAtACoarserLevel) {
  for_all_expressions("coarser levels", 1200, [](const Agreement& it) {
    const Condition condition = condition_of(it.predicate);
    Question coarse = coarsened(condition, it.predicate.relevant(), it.computation);
    RC_LOG(shape_of(condition));
    const Level level(it.computation, coarse.relevant);
    place_on(level, coarse.condition);
    const auto holds = [&](const GlobalState& state) { return it.definition.holds_at(state); };
    const auto coarse_holds = [&](const GlobalState& state) {
      return coarse.condition.holds(cut_at(level, coarse.relevant, state));
    };
    for (EventIndex e = 0; e < it.computation.event_count(); ++e) {
      RC_ASSERT(!coarse.relevant.contains(e) || it.definition.is_relevant(e));
    }
    for (const GlobalState& state : it.cuts.all()) RC_ASSERT(coarse_holds(state) == holds(state));
    const ConsistentCuts cuts(it.computation, it.before,
                              [&](EventIndex e) { return coarse.relevant.contains(e); });
    RC_ASSERT(cuts.possibly(coarse_holds) == it.cuts.possibly(holds));
    RC_ASSERT(cuts.definitely(coarse_holds) == it.cuts.definitely(holds));
  });
}

}  // namespace
}  // namespace lightcone
