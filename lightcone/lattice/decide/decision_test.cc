// Decisions at the edges: few processes or very many, numbers at their end, limits that leave
// nothing to work with.
#include <lightcone/lattice/decide/decision.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <string>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] Computation read(const std::string& lines) {
  auto reading = read_trace_text("{\"lightcone\": 1}\n" + lines, "trace", Format::jsonl);
  if (!reading) ADD_FAILURE() << reading.error().text();
  return std::move(reading->computation);
}

[[nodiscard]] std::string line(const std::string& process, const std::string& kind,
                               const std::string& vars) {
  return fmt::format(R"({{"process": "{}", "kind": "{}", "vars": {{{}}}}})", process, kind, vars) +
         '\n';
}

/// `possibly …`, `definitely …` or `properly …`.
[[nodiscard]] Decision decide(const Computation& computation, const std::string& question,
                              const Limits& limits = {.seconds = 20}) {
  const auto properties = parse_property_syntax("watch w : " + question, "properties");
  if (!properties) {
    ADD_FAILURE() << properties.error().text();
    return {};
  }
  if (const auto names = check_names(*properties, computation); !names) {
    ADD_FAILURE() << names.error().text();
    return {};
  }
  const auto& global = std::get<Global>(properties->properties[0].question);
  const GlobalPredicate predicate(computation, *properties, global.expression);
  Budget budget(limits);
  return decide(global.modality, predicate, computation, {budget, {}, true});
}

struct Expectation {
  std::string question;
  bool found;
  std::vector<Rank> cut = {};
};

void expect_all(const Computation& computation, const std::vector<Expectation>& expectations) {
  for (const auto& [question, found, cut] : expectations) {
    const Decision decision = decide(computation, question);
    EXPECT_EQ(decision.found, found) << question << ": " << decision.method;
    EXPECT_TRUE(cut.empty() || decision.cut == cut) << question << ": " << decision.method;
  }
}

TEST(Decisions, OfOneProcessAreAboutItsStates) {
  const Computation c = read(line("p", "init", R"("x": 1)") + line("p", "internal", R"("x": 2)") +
                             line("p", "internal", R"("x": 3)"));
  expect_all(c, {{"possibly sum(x) == 2", true, {1}},
                 {"definitely sum(x) == 2", true, {1}},
                 {"properly sum(x) == 2", true, {1}},
                 {"possibly p.x == 4", false},
                 {"definitely count(x > 1) == 1", true, {1}},
                 {"properly min(x) != max(x)", false},
                 {"definitely not all(x < 3)", true, {2}}});
}

TEST(Decisions, CountProcessesThatDoNothing) {
  const Computation c = read(line("silent", "init", R"("x": 5)") + line("p", "init", R"("x": 1)") +
                             line("p", "internal", R"("x": 2)"));
  expect_all(c, {{"possibly sum(x) == 7", true, {0, 1}},
                 {"definitely count(x > 1) == 2", true, {0, 1}},
                 {"possibly silent.x == p.x", false},
                 {"definitely silent.x > p.x", true, {0, 0}},
                 {"properly max(x) == 5", true, {0, 0}}});
}

TEST(Decisions, WithoutEventsAreAboutTheInitialState) {
  const Computation c = read(line("p", "init", R"("x": 1)") + line("q", "init", R"("x": 2)"));
  for (const std::string modality : {"possibly", "definitely", "properly"}) {
    expect_all(c, {{modality + " sum(x) == 3", true, {0, 0}},
                   {modality + " sum(x) == 4", false},
                   {modality + " p.x == q.x", false},
                   {modality + " p.x * q.x == 2", true, {0, 0}}});
  }
}

TEST(Decisions, SkipWhatIsNotAssigned) {
  const Computation c =
      read(line("p", "internal", R"("x": 4)") + line("q", "internal", R"("y": 1)"));
  expect_all(c, {{"possibly sum(x) == 4", true, {1, 0}},
                 {"possibly q.x == q.x", false},
                 {"possibly p.x + q.x >= 0", false},
                 {"definitely not (p.x + q.x >= 0)", true, {0, 0}},
                 {"possibly min(x) == 4 and count(y == 1) == 1", true, {1, 1}},
                 {"definitely max(x) == 4", true, {1, 0}},
                 {"possibly p.x != q.y", true, {1, 1}},
                 {"possibly all(x == 4)", false}});
}

TEST(Decisions, AreExactWhereNumbersEnd) {
  const std::string most = "9223372036854775807", least = "-9223372036854775808";
  const Computation c =
      read(line("p", "init", R"("x": 0)") + line("p", "internal", R"("x": )" + most) +
           line("q", "init", R"("x": 0)") + line("q", "internal", R"("x": 1)") +
           line("r", "init", R"("x": 0)") + line("r", "internal", R"("x": )" + least));
  expect_all(c, {{"possibly sum(x) == " + most, true},
                 {"possibly p.x + r.x == -1", true, {1, 0, 1}},
                 {"possibly sum(x) == 9223372036854775808.0", true, {1, 1, 0}},
                 {"possibly p.x - q.x == 9223372036854775806", true, {1, 1, 0}},
                 {"possibly p.x > 9223372036854775806 and q.x == 0", true, {1, 0, 0}},
                 {"possibly p.x * r.x == " + most + " * " + least, true},
                 {"possibly p.x * r.x == -85070591730234615865843651857942052864.0", false},
                 {"possibly p.x * q.x == " + most, true, {1, 1, 0}},
                 {"definitely p.x * q.x == " + most, true},
                 {"possibly r.x - q.x < " + least + ".0", true, {0, 1, 1}},
                 {"possibly 2 * p.x + q.x == 2 * " + most + " + 1", true, {1, 1, 0}},
                 {"possibly 2 * p.x + q.x >= 18446744073709551616.0", false},
                 {"possibly sum(x) > 9223372036854775808.0", false}});
}

TEST(Decisions, TakeQuotientsByZeroAndWhatIsNoNumberForNull) {
  const Computation c =
      read(line("p", "init", R"("x": 1e308)") + line("p", "internal", R"("x": 0)") +
           line("q", "init", R"("x": 2)") + line("q", "internal", R"("x": 0)"));
  expect_all(c, {{"possibly q.x / p.x == q.x / p.x and p.x == 0", false},
                 {"possibly p.x / q.x > 0 or q.x / p.x > 0", true},
                 {"definitely not (p.x / q.x == 0 or p.x / q.x != 0)", true, {1, 1}},
                 // Infinity times zero, and minus itself.
                 {"possibly p.x * 10 * q.x == p.x * 10 * q.x and q.x == 0 and p.x > 0", false},
                 {"possibly p.x * 10 - p.x * 10 == q.x and p.x > 0", false},
                 {"possibly not (p.x * 10 - p.x * 10 + q.x <= 0) and q.x == 0", true, {0, 1}}});
}

TEST(Decisions, DoNotTakeALimitForANo) {
  const Computation c =
      read(line("p", "internal", R"("x": 1)") +
           R"({"process": "p", "kind": "send", "message": "m", "vars": {"x": 2}})" + "\n" +
           R"({"process": "q", "kind": "receive", "message": "m", "vars": {"x": 3}})" + "\n");
  const auto properties = parse_property_syntax(
      "watch w : possibly (p.x == 1 and q.x == 3) or (p.x == 2 and q.x == 3)", "properties");
  ASSERT_TRUE(properties.has_value());
  const auto& global = std::get<Global>(properties->properties[0].question);
  const GlobalPredicate predicate(c, *properties, global.expression);
  Budget budget({.seconds = 0});
  EXPECT_FALSE(budget.has_time());
  const Decision decision = lightcone::decide(global.modality, predicate, c, {budget});
  EXPECT_EQ(decision.found, std::nullopt) << decision.method;
}

/// A process with one event each, which makes `b` true and adds 1 to `x`; `y` goes up by 1 for
/// every hundredth.
[[nodiscard]] Computation thousand_processes() {
  std::string lines;
  for (int p = 0; p < 1000; ++p) {
    const std::string name = fmt::format("p{}", p);
    lines += line(name, "init", R"("b": false, "x": 0, "y": 0)");
    lines +=
        line(name, "internal", fmt::format(R"("b": true, "x": 1, "y": {})", p % 100 == 0 ? 1 : 0));
  }
  return read(lines);
}

TEST(Decisions, OfAThousandProcessesAreMadeAtOnce) {
  const Computation c = thousand_processes();
  expect_all(c, {{"possibly all(b)", true, std::vector<Rank>(1000, 1)},
                 {"definitely all(b)", true, std::vector<Rank>(1000, 1)},
                 {"properly all(b)", true},
                 {"possibly count(b) == 500", true},
                 {"definitely count(b) == 500", true},
                 {"properly count(b) == 500", false},
                 {"possibly sum(x) >= 1000", true},
                 {"possibly sum(x) > 1000", false},
                 {"definitely any(b)", true},
                 {"possibly count(b) == 500 and sum(y) == 3", true},
                 {"definitely count(b) == 500 and sum(y) >= 5", false},
                 {"possibly min(x) == 0 and max(x) == 1", true},
                 {"possibly min(x) == 1", true},
                 {"definitely 2 * sum(x) != 1000", true}});
}

TEST(Decisions, GoThroughManyInevitableStatesOneByOne) {
  // Two processes take turns; every third time, both do something before the next message.
  constexpr int turns = 30'000;
  std::string lines;
  const auto step = [&](int turn, const std::string& process, const std::string& what) {
    lines += fmt::format(R"({{"process": "{}", {}, "vars": {{"x": {}}}}})", process, what,
                         2 + turn % 1000) +
             '\n';
  };
  for (int turn = 0; turn < turns; ++turn) {
    const std::string now = turn % 2 == 0 ? "p" : "q", other = turn % 2 == 0 ? "q" : "p";
    step(2 * turn, now, fmt::format(R"("kind": "send", "message": "m{}")", turn));
    if (turn % 3 == 0) step(2 * turn + 1, now, R"("kind": "internal")");
    step(2 * turn + 1, other, fmt::format(R"("kind": "receive", "message": "m{}")", turn));
  }
  expect_all(read(lines), {{"possibly p.x * q.x == 1", false},
                           {"possibly p.x * q.x == 6 and p.x == 2", true},
                           {"possibly p.x - 2 * q.x == 7777", false},
                           {"definitely p.x * q.x == 1", false},
                           {"definitely p.x + q.x > 1990", true},
                           {"definitely p.x == q.x", false}});
}

TEST(Decisions, NameTheLimitThatLeavesThemOpen) {
  // Nothing but a search tells whether a product is 7, or is passed by.
  std::string lines;
  for (int p = 0; p < 4; ++p) {
    const std::string name = fmt::format("p{}", p);
    lines += line(name, "init", R"("x": 2)");
    for (int k = 0; k < 150; ++k) {
      lines += line(name, "internal", fmt::format(R"("x": {})", 2 + 2 * (k * 7 % 150)));
    }
  }
  const Computation c = read(lines);
  const auto limited_by = [&](const std::string& question, const Limits& limits) {
    const Decision decision = decide(c, question, limits);
    EXPECT_EQ(decision.found, std::nullopt) << question;
    EXPECT_TRUE(decision.cut.empty() && decision.observation.empty()) << question;
    return decision.method.substr(0, decision.method.find(" was hit"));
  };
  const std::string possibly = "possibly p0.x * p1.x * p2.x * p3.x == 7";
  const std::string definitely = "definitely p0.x * p1.x == 2 * p2.x * p3.x";
  for (const std::string& question : {possibly, definitely}) {
    EXPECT_EQ(limited_by(question, {.seconds = 0}), "the limit of time") << question;
    EXPECT_EQ(limited_by(question, {.bytes = 1}), "the limit of memory") << question;
  }
  EXPECT_EQ(limited_by(definitely, {.states = 1}), "the limit of states");
  EXPECT_EQ(limited_by("properly sum(x) == 3", {.bytes = 1}), "the limit of memory");
  // Where no states are looked at, no limit of them matters.
  EXPECT_EQ(decide(c, "definitely p0.x == 4", {.states = 0, .seconds = 0}).found, true);
  EXPECT_EQ(decide(c, "possibly sum(x) == 7", {.states = 0, .seconds = 0}).found, false);
}

}  // namespace
}  // namespace lightcone
