// Logic and local predicates as docs/semantics.md has them.
#include "model/definitions/semantics_cases.h"

namespace lightcone::semantics {
namespace {

// Events that only do, only send, receive and send, only receive; a label at a start.
constexpr auto relay = R"(
{"lightcone": 1, "processes": ["p1", "p2", "p3"]}
{"process": "p1", "kind": "init", "labels": ["up"]}
{"process": "p1", "kind": "internal", "labels": ["a"]}
{"process": "p1", "kind": "send", "message": "m1"}
{"process": "p1", "kind": "send", "message": "lost", "labels": ["b"]}
{"process": "p2", "kind": "internal", "labels": ["b", "c"]}
{"process": "p2", "kind": "receive", "message": "m1", "sends": "m2"}
{"process": "p3", "kind": "receive", "message": "m2", "labels": ["a"]}
)";

Case block(std::string name, const std::string& equations,
           std::vector<std::pair<std::string, Rank>> found) {
  return {"Logic" + std::move(name), relay, "watch x : logic {\n" + equations + "\n}",
          std::move(found), 9};
}

const std::vector<std::pair<std::string, Rank>> everywhere{{"p1", 0}, {"p1", 1}, {"p1", 2},
                                                           {"p1", 3}, {"p2", 0}, {"p2", 1},
                                                           {"p2", 2}, {"p3", 0}, {"p3", 1}};

// What RR-2384 looks for: D is split into D1 and D2, which go separate ways and come together.
constexpr auto scattered = R"(
{"process": "p1", "kind": "send", "message": "m1", "labels": ["owns_D"]}
{"process": "p1", "kind": "internal", "labels": ["owns_D1"]}
{"process": "p2", "kind": "receive", "message": "m1", "sends": "m2", "labels": ["owns_D2"]}
{"process": "p1", "kind": "receive", "message": "m2", "labels": ["owns_D"]}
)";

// Everything a predicate can read: ranks 0 and 1 have no u, rank 2 has.
constexpr auto values =
    R"({"process": "p", "kind": "init", "labels": ["i"], "vars": {"n": 5, "r": 2.5, "t": "abc", )"
    R"("f": true, "e": "", "z": 0, "odd": 9007199254740993, "max": 9223372036854775807, )"
    R"("min": -9223372036854775808}})"
    R"(
{"process": "p", "kind": "internal"}
{"process": "p", "kind": "internal", "vars": {"u": 1}}
)";

Case predicate(std::size_t number, const std::string& predicate, std::vector<Rank> ranks) {
  Case made{"Predicate" + std::to_string(number),
            values,
            "label l = " + predicate + "\nwatch x : logic {\n  x := l\n}",
            {},
            3};
  for (const Rank rank : ranks) made.found.emplace_back("p", rank);
  return made;
}

constexpr const char* true_everywhere[] = {
    // truth
    "n", "f", "t", "r", "not z", "not e", "not u or u", "not 0.0", "not (1 - 1)", "true",
    "not false",
    // null
    "not (u == 2)", "not (u + 1 == 3)", "u or n", "not (n / z == n / z)", "not (n / 0.0 != 1)",
    "not (t + 1 == t + 1)", "not (-t == -t)", "not (n / (u - u) == 1)",
    // booleans are numbers
    "f == 1", "f == true", "z == false", "f + f == 2", "true + 1 == 2", "(n > 3) + (n > 4) == 2",
    "f > z", "(u > 5) + 1 == 1", "f == 1.0",
    // texts
    "t == \"abc\"", "t != \"abd\"", "t < \"abd\"", "t >= \"abc\"", "\"B\" < \"a\"", "\"\" < t",
    "\"ab\" < t", "\"z\" < \"é\"", "t != 5", "not (t == 5)", "not (t < 5)", "not (t > 5)",
    "not (t <= 5)", "not (e == 0)", "e != false",
    // arithmetic
    "7 / 2 == 3.5", "6 / 2 == 3", "-7 / 2 == -3.5", "2 + 3 * 4 == 14", "2 * 3 + 4 == 10",
    "8 / 2 / 2 == 2", "8 - 4 - 2 == 2", "8 - (4 - 2) == 6", "-2 * -3 == 6", "- - n == n",
    "r * 2 == n", "r / 0.5 == n", "n - 2 == 3", "2 * (n + 1) == 12", "1 + -1 == 0",
    // whole numbers are exact; what is beyond all reals is null
    "max + 1 > max", "max + 1 == 9223372036854775808.0", "min - 1 <= min", "-min > max",
    "min / -1 > max", "max * 2 < 18446744073709551616.0", "max * 2 == max + max",
    "max * max - (max * max - 1) == 1", "max - 1 + 1 == max", "-1 - min == max", "min * -1 > max",
    "not (1e308 * 10 > 1e308)", "not (-1e308 * 10 < min)", "1e308 + 1e308 - 1e308 == 1e308",
    "not (1e308 * 10 - 1e308 * 10 == 0)", "not (1e308 * 10 - 1e308 * 10 != 0)",
    // nothing is rounded to be compared
    "odd > 9007199254740992.0", "odd != 9007199254740992.0", "odd < 9007199254740994.0",
    "max < 9223372036854775808.0", "max != 9223372036854775807.0", "min == -9223372036854775808.0",
    "max < 1e300", "min > -1e300", "n < 5.5", "n > 4.5",
    // precedence
    "true or false and false", "not false and true", "not n == 4", "1 < n and n < 10",
    "not (n == 4 or n == 5) or true", "(n + 1 > n) == true",
    // the state itself
    "process == \"p\"", "not process != \"p\"", "not process != \"p\""};

}  // namespace

std::vector<Case> logic() {
  return {
      block("TheStart", "x := initial", {{"p1", 0}, {"p2", 0}, {"p3", 0}}),
      block("Sends", "x := send", {{"p1", 2}, {"p1", 3}, {"p2", 2}}),
      block("Receives", "x := receive", {{"p2", 2}, {"p3", 1}}),
      block("External", "x := external", {{"p1", 2}, {"p1", 3}, {"p2", 2}, {"p3", 1}}),
      block("True", "x := true", everywhere),
      block("False", "x := false", {}),
      block("AnyLetter", "x := .", everywhere),
      block("Labels", "x := a", {{"p1", 1}, {"p3", 1}}),
      block("LabelOfAStart", "x := up", {{"p1", 0}}),
      block("LabelOfAProcess", "x := p3:a or p2:b", {{"p2", 1}, {"p3", 1}}),
      block("OneOf", "x := [up c]", {{"p1", 0}, {"p2", 1}}),
      block("NoneOf", "x := [^a b up] and not initial", {{"p1", 2}, {"p2", 2}}),
      block("NotALabel", "x := !b and external", {{"p1", 2}, {"p2", 2}, {"p3", 1}}),
      block("BeforeLocally", "y := a\nx := prev y", {{"p1", 2}}),
      block("AtTheSender", "y := send\nx := msg y", {{"p2", 2}, {"p3", 1}}),
      block("Anywhere", "y := b\nx := any y", {{"p2", 2}}),
      block("OnceUpon", "x := up or any x",
            {{"p1", 0}, {"p1", 1}, {"p1", 2}, {"p1", 3}, {"p2", 2}, {"p3", 1}}),
      block("OnceLocally", "x := a or prev x", {{"p1", 1}, {"p1", 2}, {"p1", 3}, {"p3", 1}}),
      block("TheStartHasNoPast", "y := true\nx := any y",
            {{"p1", 1}, {"p1", 2}, {"p1", 3}, {"p2", 1}, {"p2", 2}, {"p3", 1}}),
      block("NotBeforeIsTrueAtTheStart", "y := true\nx := not prev y",
            {{"p1", 0}, {"p2", 0}, {"p3", 0}}),
      block("Here", "y := a or b\nx := y and external", {{"p1", 3}, {"p3", 1}}),
      block("ThePastOfALaterOne", "x := prev y\ny := a\ndetect x", {{"p1", 2}}),
      block("TwoSteps", "z := prev y\ny := prev x\nx := up\ndetect z", {{"p1", 2}}),
      block("TheLastOne", "x := a\ny := b", {{"p1", 3}, {"p2", 1}}),
      block("TheDetectedOne", "x := a\ny := b\ndetect x", {{"p1", 1}, {"p3", 1}}),
      block("AndBeforeOr", "x := up or b and c", {{"p1", 0}, {"p2", 1}}),
      block("NotBeforeAnd", "x := not b and c", {}),
      block(
          "Implies", "x := a => receive",
          {{"p1", 0}, {"p1", 2}, {"p1", 3}, {"p2", 0}, {"p2", 1}, {"p2", 2}, {"p3", 0}, {"p3", 1}}),
      block("ImpliesFromTheRight", "x := a => b => receive", everywhere),
      block("ImpliesInParentheses", "x := (a => b) => receive", {{"p1", 1}, {"p2", 2}, {"p3", 1}}),
      block("Equivalent", "x := (b <=> send) and not initial", {{"p1", 1}, {"p1", 3}, {"p3", 1}}),
      block("EquivalentIsWeakest", "x := b <=> b or a => b or a", {{"p1", 3}, {"p2", 1}}),
      {"LogicOfABatch",
       R"({"process": "p1", "kind": "send", "message": "m1", "labels": ["a"]}
          {"process": "p2", "kind": "send", "message": "m2", "labels": ["b"]}
          {"process": "p3", "kind": "receive", "message": ["m1", "m2"]})",
       "watch x : logic {\n  a1 := a\n  b1 := b\n  x := msg a1 and msg b1 and not prev a1\n}",
       {{"p3", 1}},
       6},
      {"LogicOfARedelivery",
       R"({"process": "p1", "kind": "send", "message": "m", "labels": ["a"]}
          {"process": "p2", "kind": "receive", "message": "m"}
          {"process": "p2", "kind": "receive", "message": "m", "duplicate": true})",
       "watch x : logic {\n  y := a\n  x := msg y\n}",
       {{"p2", 1}, {"p2", 2}},
       5},
      {"LogicOfTheExample",
       scattered,
       "watch x : logic {\n  y  := p1:owns_D\n  x1 := p1:owns_D1 and any y\n"
       "  x2 := p2:owns_D2 and any y\n  z  := p1:owns_D and any x1 and any x2\n}",
       {{"p1", 3}},
       6},
  };
}

std::vector<Case> predicates() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& text, std::vector<Rank> ranks) {
    cases.push_back(predicate(cases.size() + 1, text, std::move(ranks)));
  };
  for (const char* text : true_everywhere) add(text, {0, 1, 2});
  for (const char* text : {"e", "z", "not n", "false", "u != u", "t < 5", "not (f and t)"}) {
    add(text, {});
  }
  for (const char* text : {"u", "u == 1", "u != 2", "u + 1 == 2", "u == true", "u <= 1.0"}) {
    add(text, {2});
  }
  for (const char* text : {"not u", "not (u == 1)", "not (u - 1 == 0)"}) add(text, {0, 1});
  add("event == \"i\"", {0});
  add("event != \"i\"", {1, 2});
  return cases;
}

}  // namespace lightcone::semantics
