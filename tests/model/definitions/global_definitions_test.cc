// The definition of global predicates against cases that were worked out by hand.
#include "model/definitions/global_definitions.h"

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <string>

namespace lightcone {
namespace {

using definition::GlobalState;

/// p1 and p2 both enter and leave, whenever they like.
const char* const unguarded = R"({"lightcone": 1}
{"process": "p1", "kind": "init", "vars": {"x": 0}}
{"process": "p2", "kind": "init", "vars": {"x": 0}}
{"process": "p1", "kind": "internal", "vars": {"x": 1}}
{"process": "p1", "kind": "internal", "vars": {"x": 0}}
{"process": "p2", "kind": "internal", "vars": {"x": 1}}
{"process": "p2", "kind": "internal", "vars": {"x": 0}}
)";

/// Both leave only when they know that the other has entered; p1 goes on to 2 before it knows.
const char* const meeting = R"({"lightcone": 1}
{"process": "p1", "kind": "send", "message": "m1", "vars": {"x": 1}}
{"process": "p1", "kind": "internal", "vars": {"x": 2}}
{"process": "p2", "kind": "send", "message": "m2", "vars": {"x": 1}}
{"process": "p1", "kind": "receive", "message": "m2"}
{"process": "p1", "kind": "internal", "vars": {"x": 0}}
{"process": "p2", "kind": "receive", "message": "m1"}
{"process": "p2", "kind": "internal", "vars": {"x": 0}}
)";

/// A computation and a property file with one property.
struct Setting {
  Setting(const std::string& trace, const std::string& question)
      : computation(std::move(read_trace_text(trace, "trace", Format::jsonl)->computation)),
        properties(
            *parse_property_syntax("label busy = x > 0\nwatch w : " + question, "properties")) {}

  [[nodiscard]] const Global& global() const {
    return std::get<Global>(properties.properties[0].question);
  }

  Computation computation;
  Properties properties;
};

[[nodiscard]] bool is_found(const char* trace, const std::string& question) {
  const Setting setting(trace, question);
  return definition::is_found(setting.global(), setting.properties, setting.computation);
}

/// By `po`, `de`, `pr`: possibly, definitely, properly.
[[nodiscard]] std::string found(const char* trace, const std::string& expression) {
  std::string answers;
  for (const char* modality : {"possibly", "definitely", "properly"}) {
    if (is_found(trace, modality + (" " + expression))) answers += std::string(modality, 2) + " ";
  }
  return answers;
}

TEST(GlobalDefinitions, TellTheModalitiesApart) {
  EXPECT_EQ(found(unguarded, "count(busy) == 3"), "");
  EXPECT_EQ(found(unguarded, "count(busy) == 2"), "po ");
  EXPECT_EQ(found(unguarded, "count(busy) == 1"), "po de ");
  EXPECT_EQ(found(meeting, "all(busy)"), "po de pr ");
  // The first and the last state belong to every observation, and are inevitable.
  EXPECT_EQ(found(unguarded, "sum(x) == 0"), "po de pr ");
  EXPECT_EQ(found(meeting, "p1.x == 0 and p2.x == 0"), "po de pr ");
}

TEST(GlobalDefinitions, LookAtWhatIsReadAndNoCloser) {
  // With the values of x there are more states to pass through, and none of these must be.
  EXPECT_EQ(found(meeting, "p1.x >= 1 and p2.x >= 1"), "po de ");
  EXPECT_EQ(found(meeting, "p1.busy and p2.busy"), "po de pr ");
  const Setting values(meeting, "possibly p1.x >= 1 and p2.x >= 1");
  const definition::GlobalExpression read(values.computation, values.properties,
                                          values.global().expression);
  std::string relevant;
  for (EventIndex e = 0; e < values.computation.event_count(); ++e) {
    relevant += read.is_relevant(e) ? '1' : '0';
  }
  EXPECT_EQ(relevant, "1101101");  // all but the receptions
}

TEST(GlobalDefinitions, PassOverWhatIsNoNumber) {
  // Before the first event x is null.
  EXPECT_EQ(found(meeting, "p1.x + p2.x == 1"), "po ");
  EXPECT_EQ(found(meeting, "sum(x) == 1 and min(x) == 1 and max(x) == 1"), "po de ");
  const auto value = [&](const char* expression) {
    const Setting it(meeting, std::string("possibly ") + expression);
    return definition::GlobalExpression(it.computation, it.properties, it.global().expression)
        .value_at({0, 0});
  };
  EXPECT_EQ(value("sum(x)"), definition::Scalar(definition::number(0)));
  EXPECT_EQ(value("min(x)"), definition::Scalar());
  EXPECT_EQ(value("p1.x + p2.x"), definition::Scalar());
  EXPECT_EQ(value("count(busy)"), definition::Scalar(definition::number(0)));
  EXPECT_EQ(value("p1.busy"), definition::Scalar(definition::number(0)));
}

TEST(GlobalDefinitions, KnowWitnesses) {
  const Setting setting(unguarded, "definitely count(busy) == 2");
  const definition::GlobalExpression expression(setting.computation, setting.properties,
                                                setting.global().expression);
  const definition::HappenedBefore before(setting.computation);
  EXPECT_TRUE(expression.is_satisfying_cut(before, {1, 1}));
  EXPECT_FALSE(expression.is_satisfying_cut(before, {1, 2}));
  EXPECT_FALSE(expression.is_satisfying_cut(before, {1, 3}));
  const auto avoids = [&](const std::vector<EventIndex>& sequence) {
    return expression.is_avoiding_observation(before, sequence);
  };
  EXPECT_TRUE(avoids({0, 1, 2, 3}));
  EXPECT_TRUE(avoids({2, 3, 0, 1}));
  EXPECT_FALSE(avoids({0, 2, 1, 3}));  // through {1, 1}
  EXPECT_FALSE(avoids({1, 0, 2, 3}));  // not in this order
  EXPECT_FALSE(avoids({0, 1, 2}));     // not all of it
  EXPECT_FALSE(avoids({0, 1, 2, 3, 3}));
  const Setting met(meeting, "possibly all(busy)");
  const definition::GlobalExpression all(met.computation, met.properties, met.global().expression);
  const definition::HappenedBefore order(met.computation);
  EXPECT_TRUE(all.is_satisfying_cut(order, {2, 2}));
  EXPECT_TRUE(all.is_satisfying_cut(order, {3, 1}));
  EXPECT_FALSE(all.is_satisfying_cut(order, {0, 2}));  // p2 would know what p1 has not said yet
}

TEST(GlobalDefinitions, CountConsistentCuts) {
  const Setting setting(meeting, "possibly all(busy)");
  const definition::HappenedBefore before(setting.computation);
  const definition::ConsistentCuts all(setting.computation, before,
                                       [](EventIndex) { return true; });
  // 5 x 4 combinations; p1 is past its reception or p2 past its own in {3, 0}, {4, 0}, {0, 2},
  // {0, 3}, which are the only ones in which the other has not sent.
  EXPECT_EQ(all.all().size(), 16U);
  EXPECT_EQ(all.all().front(), (GlobalState{0, 0}));
  EXPECT_EQ(all.all().back(), (GlobalState{4, 3}));
  EXPECT_TRUE(all.is_inevitable({4, 3}));
  EXPECT_FALSE(all.is_inevitable({1, 0}));
}

}  // namespace
}  // namespace lightcone
