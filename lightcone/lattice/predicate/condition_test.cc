// Which conditions are made of expressions, and what they say where numbers come to their end.
#include <lightcone/lattice/predicate/condition.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <string>
#include <vector>

#include "model/generators/condition_shape.h"

namespace lightcone {
namespace {

/// What `x` is in p1, p2, …, from the initial state on, as JSON; empty: it is not assigned. There
/// are no messages, so that all cuts are consistent.
using Histories = std::vector<std::vector<std::string>>;

[[nodiscard]] Computation computation_of(const Histories& histories) {
  std::string text = "{\"lightcone\": 1}\n";
  for (std::size_t p = 0; p < histories.size(); ++p) {
    for (std::size_t k = 0; k < histories[p].size(); ++k) {
      text +=
          fmt::format(R"({{"process": "p{}", "kind": "{}")", p + 1, k == 0 ? "init" : "internal");
      const std::string& value = histories[p][k];
      text += value.empty() ? "}\n" : fmt::format(R"(, "vars": {{"x": {}}}}})", value) + "\n";
    }
  }
  auto reading = read_trace_text(text, "trace", Format::jsonl);
  if (!reading) ADD_FAILURE() << reading.error().text();
  return std::move(reading->computation);
}

/// A condition, and the cuts of its level in which it holds.
struct Asked {
  std::string shape;
  std::vector<Cut> holds;
  friend bool operator==(const Asked&, const Asked&) = default;
};

void PrintTo(const Asked& asked, std::ostream* out) {
  *out << asked.shape << " in " << testing::PrintToString(asked.holds);
}

[[nodiscard]] std::vector<Cut> cuts_with(const Condition& condition, const Level& level) {
  std::vector<Cut> found;
  Cut cut(level.chains(), 0);
  for (;;) {
    if (condition.holds(cut)) found.push_back(cut);
    std::uint32_t c = level.chains();
    while (c > 0 && cut[c - 1] == level.length(c - 1)) cut[--c] = 0;
    if (c == 0) return found;
    ++cut[c - 1];
  }
}

[[nodiscard]] Asked ask(const Histories& histories, const std::string& expression) {
  const Computation computation = computation_of(histories);
  const auto properties = parse_property_syntax("watch w : possibly " + expression, "properties");
  if (!properties) return {properties.error().text(), {}};
  const auto names = check_names(*properties, computation);
  if (!names) return {names.error().text(), {}};
  const auto& global = std::get<Global>(properties->properties[0].question);
  const GlobalPredicate predicate(computation, *properties, global.expression);
  const Level level(computation, predicate.relevant());
  Condition condition = condition_of(predicate);
  place_on(level, condition);
  return {shape_of(condition), cuts_with(condition, level)};
}

const std::string most = "9223372036854775807";

TEST(Conditions, OfOneProcessEachAreTables) {
  const Histories bits{{"0", "1"}, {"0", "1"}};
  EXPECT_EQ(ask(bits, "p1.x == 1 and not p2.x == 1"), (Asked{"all(local local)", {{1, 0}}}));
  EXPECT_EQ(ask(bits, "p1.x == 1 or p2.x"), (Asked{"any(local local)", {{0, 1}, {1, 0}, {1, 1}}}));
  EXPECT_EQ(ask(bits, "not (p1.x or p2.x)"), (Asked{"all(local local)", {{0, 0}}}));
  EXPECT_EQ(ask(bits, "all(x == 1)"), (Asked{"all(local local)", {{1, 1}}}));
  // A process whose value never changes takes no part.
  EXPECT_EQ(ask({{"0", "1"}, {"5"}}, "p1.x + p2.x == 6"), (Asked{"local", {{1}}}));
  EXPECT_EQ(ask({{"4"}, {"5"}}, "p1.x < p2.x"), (Asked{"true", {{}}}));
  // What one process says about itself in two places is one table, which may be a constant.
  EXPECT_EQ(ask(bits, "p1.x == 0 and (p2.x == 1 and p1.x == 1)").shape, "false");
}

TEST(Conditions, OfCountsAreTablesWhereOneStateDecides) {
  const Histories bits{{"0", "1"}, {"0", "1"}, {"0", "1"}};
  EXPECT_EQ(ask(bits, "count(x == 1) == 3"), (Asked{"all(local local local)", {{1, 1, 1}}}));
  EXPECT_EQ(ask(bits, "count(x == 1) > 2"), ask(bits, "all(x == 1)"));
  EXPECT_EQ(ask(bits, "count(x == 1) >= 1"), ask(bits, "any(x == 1)"));
  EXPECT_EQ(ask(bits, "count(x == 1)"), ask(bits, "any(x == 1)"));
  EXPECT_EQ(ask(bits, "count(x == 1) == 0"), (Asked{"all(local local local)", {{0, 0, 0}}}));
  EXPECT_EQ(ask(bits, "count(x == 1) != 3").shape, "any(local local local)");
  EXPECT_EQ(ask(bits, "count(x == 1) >= 0").shape, "true");
  EXPECT_EQ(ask(bits, "count(x == 1) > 3").shape, "false");
  EXPECT_EQ(ask(bits, "count(x == 1) >= 2"),
            (Asked{"sum>=", {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}}}));
  EXPECT_EQ(ask(bits, "count(x == 1) == 1"), (Asked{"sum==", {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}}));
  EXPECT_EQ(ask(bits, "count(x == 1) != 1").shape, "any(all(local local local) sum>=)");
}

TEST(Conditions, OfSumsAndDifferencesAreSums) {
  const Histories two{{"0", "1", "2"}, {"0", "1", "2"}};
  EXPECT_EQ(ask(two, "sum(x) == 2"), (Asked{"sum==", {{0, 2}, {1, 1}, {2, 0}}}));
  EXPECT_EQ(ask(two, "sum(x) < 2"), (Asked{"sum<=", {{0, 0}, {0, 1}, {1, 0}}}));
  EXPECT_EQ(ask(two, "p1.x > p2.x"), (Asked{"sum>=", {{1, 0}, {2, 0}, {2, 1}}}));
  EXPECT_EQ(ask(two, "3 <= 2 * p1.x - p2.x"), (Asked{"sum<=", {{2, 0}, {2, 1}}}));
  EXPECT_EQ(ask(two, "p1.x - p2.x").holds, ask(two, "p1.x != p2.x").holds);
  EXPECT_EQ(ask(two, "sum(x) >= 4").shape, "all(local local)");
  EXPECT_EQ(ask(two, "sum(x) <= 0").shape, "all(local local)");
  EXPECT_EQ(ask(two, "sum(x) > 0").shape, "any(local local)");
  // Reals that are whole numbers of some step.
  const Histories halves{{"0.5", "1", "1.5"}, {"0.25", "0.5", "2"}};
  EXPECT_EQ(ask(halves, "sum(x) == 1.5"), (Asked{"sum==", {{1, 1}}}));
  EXPECT_EQ(ask(halves, "p1.x * p2.x == 0.5"), (Asked{"term", {{1, 1}}}));
}

TEST(Conditions, AreNoSumsWhereNumbersAreTooLargeOrRounded) {
  const Histories ends{{"0", most}, {"0", "1", "2"}};
  EXPECT_EQ(ask(ends, "p1.x + p2.x > " + most), (Asked{"term", {{1, 1}, {1, 2}}}));
  EXPECT_EQ(ask(ends, "sum(x) == " + most + " + 1"), (Asked{"term", {{1, 1}}}));
  EXPECT_EQ(ask(ends, "sum(x) < 0"), (Asked{"term", {}}));
  const Histories least{{"0", "-9223372036854775808"}, {"0", "1"}};
  EXPECT_EQ(ask(least, "-p1.x - p2.x > " + most), (Asked{"term", {{1, 0}}}));
  EXPECT_EQ(ask(least, "p1.x < p2.x"), (Asked{"term", {{0, 1}, {1, 0}, {1, 1}}}));
  const Histories small{{"0", "1"}, {"0", "1"}};
  EXPECT_EQ(ask(small, "(-" + most + " - 1) * (p1.x - p2.x) < 0"), (Asked{"term", {{1, 0}}}));
  EXPECT_EQ(ask(small, "4611686018427387903 + p1.x > 4611686018427387903 + p2.x").shape, "term");
  EXPECT_EQ(ask(small, "2305843009213693951 + p1.x > 2305843009213693950 + p2.x").holds.size(), 3U);
  // What is added to both sides swallows no difference.
  EXPECT_EQ(ask(small, "p1.x + 9007199254740992.0 == p2.x + 9007199254740992.0").holds.size(), 2U);
  EXPECT_EQ(ask(small, "p1.x + " + most + " - " + most + " + p2.x == 1").shape, "term");
  EXPECT_EQ(ask({{"0", "0.1"}, {"0", "0.2"}}, "sum(x) == 0.3"), (Asked{"term", {}}));
}

TEST(Conditions, KeepTheRulesOfNullAndTexts) {
  const Histories late{{"", "1"}, {"", "2"}};
  EXPECT_EQ(ask(late, "p1.x + p2.x != 4"), (Asked{"all(local local)", {{1, 1}}}));
  EXPECT_EQ(ask(late, "not p1.x + p2.x == 3").holds.size(), 3U);
  EXPECT_EQ(ask(late, "p1.x != p2.x"), (Asked{"all(local local)", {{1, 1}}}));
  EXPECT_EQ(ask({{"", "1", "2"}, {"", "2"}}, "p1.x == p2.x"),
            (Asked{"all(local local)", {{2, 1}}}));
  EXPECT_EQ(ask(late, "sum(x) <= 1"), (Asked{"sum<=", {{0, 0}, {1, 0}}}));
  const Histories zero{{"0", "1"}, {"0", "1"}};
  EXPECT_EQ(ask(zero, "p1.x / p2.x >= 0"), (Asked{"term", {{0, 1}, {1, 1}}}));
  EXPECT_EQ(ask(zero, "not p1.x / p2.x == 5").holds.size(), 4U);
  EXPECT_EQ(ask(zero, "p1.x + p2.x + 1 / 0 != 3"), (Asked{"false", {}}));
  const Histories texts{{"\"ann\"", "1"}, {"2", "\"ann\""}};
  EXPECT_EQ(ask(texts, "p1.x == p2.x"), (Asked{"term", {{0, 1}}}));
  EXPECT_EQ(ask(texts, "p1.x < p2.x"), (Asked{"term", {{1, 0}}}));
  EXPECT_EQ(ask(texts, "p1.x + p2.x != 0"), (Asked{"term", {{1, 0}}}));
  EXPECT_EQ(ask(texts, "sum(x) == 3"), (Asked{"all(local local)", {{1, 0}}}));
  EXPECT_EQ(ask(texts, "sum(x) == 0"), (Asked{"all(local local)", {{0, 1}}}));
}

TEST(Conditions, OfAMinimumOrMaximumAreTables) {
  const Histories late{{"", "1"}, {"", "2", "0"}};
  EXPECT_EQ(ask(late, "min(x) >= 1"),
            (Asked{"all(local any(local local))", {{0, 1}, {1, 0}, {1, 1}}}));
  EXPECT_EQ(ask(late, "min(x) < 2"), (Asked{"any(local local)", {{0, 2}, {1, 0}, {1, 1}, {1, 2}}}));
  EXPECT_EQ(ask(late, "2 == max(x)").holds, (std::vector<Cut>{{0, 1}, {1, 1}}));
  EXPECT_EQ(ask(late, "max(x) != 2").holds, (std::vector<Cut>{{0, 2}, {1, 0}, {1, 2}}));
  EXPECT_EQ(ask(late, "not max(x) == 2").holds.size(), 4U);
  EXPECT_EQ(ask(late, "max(x)").holds, (std::vector<Cut>{{0, 1}, {1, 0}, {1, 1}, {1, 2}}));
  // Every number differs from a text, null from nothing.
  EXPECT_EQ(ask(late, "max(x) != \"ann\"").holds.size(), 5U);
  EXPECT_EQ(ask(late, "max(x) == \"ann\""), (Asked{"false", {}}));
  EXPECT_EQ(ask(late, "max(x) != 1 / 0"), (Asked{"false", {}}));
  EXPECT_EQ(ask(late, "max(x) > min(x)"), (Asked{"term", {{1, 1}, {1, 2}}}));
}

TEST(Conditions, LeaveOutEventsThatChangeNoTable) {
  const Computation computation = computation_of({{"0", "1", "2", "3"}, {"0", "1", "0"}});
  const auto properties = parse_property_syntax("watch w : possibly p1.x >= 2 and p2.x >= 0", "p");
  ASSERT_TRUE(properties) << properties.error().text();
  const auto& global = std::get<Global>(properties->properties[0].question);
  const GlobalPredicate predicate(computation, *properties, global.expression);
  EXPECT_EQ(predicate.relevant().count(), 5U);
  Question question = coarsened(condition_of(predicate), predicate.relevant(), computation);
  EXPECT_EQ(question.relevant.count(), 1U);
  EXPECT_TRUE(question.relevant.contains(computation.event(0, 2)));
  const Level level(computation, question.relevant);
  place_on(level, question.condition);
  EXPECT_FALSE(question.condition.holds(level.bottom()));
  EXPECT_TRUE(question.condition.holds(level.top()));
}

}  // namespace
}  // namespace lightcone
