// Flows (docs/semantics.md): patterns, quantifiers, alphabets, `at`, processes and groups.
#include "model/definitions/semantics_cases.h"

namespace lightcone::semantics {
namespace {

// The words of its events: a, ab, abb, abbc.
constexpr auto a_b_b_c = R"(
{"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["b"]}
{"process": "p", "kind": "internal", "labels": ["b"]}
{"process": "p", "kind": "internal", "labels": ["c"]}
)";

/// Where `some longest flow QUESTION` is found in the trace above; by rank.
Case pattern(std::string name, const std::string& question, std::vector<Rank> ranks) {
  Case made{"Pattern" + std::move(name), a_b_b_c, "watch x : some longest flow " + question, {}, 4};
  for (const Rank rank : ranks) made.found.emplace_back("p", rank);
  return made;
}

std::vector<Case> patterns() {
  return {
      pattern("Sequence", "matches a b", {2}),
      pattern("Exactly", "matches a b{2} c", {4}),
      pattern("ExactlyTooMany", "matches a b{3} c", {}),
      pattern("AtLeast", "matches a b{1,}", {2, 3}),
      pattern("Between", "matches a b{0,1}", {1, 2}),
      pattern("NoTimes", "matches a{0}", {}),
      pattern("NoTimesSomewhere", "contains a{0}", {1, 2, 3, 4}),
      pattern("AnyNumber", "matches a b*", {1, 2, 3}),
      pattern("AtLeastOne", "matches a b+", {2, 3}),
      pattern("Perhaps", "matches a b? c?", {1, 2}),
      pattern("RepeatedGroup", "matches a (b b)*", {1, 3}),
      pattern("RepeatedChoice", "matches a (b | c)+", {2, 3, 4}),
      pattern("RepeatedNothing", "matches a (b*)* c", {4}),
      pattern("CountedNothing", "matches a (b?){3} c", {4}),
      pattern("ChoiceIsWeakerThanSequence", "matches a | a b", {1, 2}),
      pattern("Any", "matches .{3}", {3}),
      pattern("OneOf", "matches [a c]", {1}),
      pattern("NoneOf", "matches a [^a c]", {2}),
      pattern("Not", "matches a !c", {2}),
      pattern("NotOneOf", "matches a ![a c]", {2}),
      pattern("EndsWith", "ends with b", {2, 3}),
      pattern("Contains", "contains b b", {3, 4}),
      pattern("Arrow", "contains a -> c", {4}),
      pattern("ArrowMatchesTheWholeWord", "matches a -> b", {2, 3}),
      pattern("ArrowSpansNothing", "matches a -> b b", {3}),
      pattern("ArrowIsWeakerThanChoice", "matches a -> b | c", {2, 3, 4}),
      pattern("Without", "contains a -> c without b", {}),
      pattern("WithoutSomethingElse", "contains a -> c without a", {4}),
      pattern("WithoutOneOf", "contains a -> c without [b c]", {}),
      pattern("WithoutNot", "contains a -> c without !b", {4}),
      pattern("WithoutAnything", "contains b -> c without .", {4}),
      pattern("WithoutIsOfTheLastArrow", "matches a -> b -> c without b", {4}),
      pattern("WithoutIsOfTheArrowBeforeIt", "matches a -> c without b -> c", {}),
      pattern("ArrowInParentheses", "matches (a -> b) c", {4}),
  };
}

// big holds from event 2 on; the event label `a` is at 1, `b` at 3.
constexpr auto growing = R"(
{"process": "p", "kind": "internal", "labels": ["a"], "vars": {"x": 1}}
{"process": "p", "kind": "internal", "vars": {"x": 2}}
{"process": "p", "kind": "internal", "labels": ["b"]}
)";

std::vector<Case> alphabets() {
  const std::string big = "label big = x > 1\n";
  const std::string hiding = "label a = x > 1\n";
  return {
      {"OverLeavesOthersOut",
       a_b_b_c,
       "watch x : some longest flow over {a, c} matches a c",
       {{"p", 4}},
       2},
      {"OverTestsTheWholeLetter",
       R"({"process": "p", "kind": "internal", "labels": ["a", "b"]})",
       "watch x : some longest flow over {a} matches b",
       {{"p", 1}},
       1},
      {"OverADeclaredLabel",
       growing,
       big + "watch x : some flow over {big} matches big",
       {{"p", 2}},
       3},
      {"DeclaredLabelOfThePattern",
       growing,
       big + "watch x : some longest flow matches a big big",
       {{"p", 3}},
       3},
      {"DeclaredLabelAfterWithout",
       growing,
       big + "watch x : some longest flow contains a -> b without big",
       {},
       3},
      {"DeclaredLabelOfAtAlone",
       growing,
       big + "watch x : some longest flow at big matches a b",
       {{"p", 3}},
       1},
      {"DeclaredLabelHidesAnEventLabel",
       growing,
       hiding + "watch x : some longest flow matches a",
       {{"p", 2}},
       2},
      {"HiddenAlsoWhereItIsNotNamed",
       growing,
       hiding + "watch x : some longest flow matches . b",
       {{"p", 3}},
       2},
      {"HiddenLabelAsksForTheEvent",
       growing,
       "label a = event == \"a\" or x > 1\nwatch x : some longest flow matches a a b",
       {{"p", 3}},
       3},
      {"DeclaredLabelReadsAnother",
       growing,
       big + "label late = big and event == \"b\"\nwatch x : some flow at late ends with late",
       {{"p", 3}},
       1},
      {"LabelsOfLongNames",
       R"({"process": "p", "kind": "internal", "labels": ["to do", "ß"]})",
       "watch x : some flow matches [\"to do\" \"ß\"]",
       {{"p", 1}},
       1},
  };
}

constexpr auto workers = R"(
{"lightcone": 1, "processes": ["w-1", "w-2", "boss", "other"]}
{"process": "w-1", "kind": "init", "labels": ["a"]}
{"process": "w-1", "kind": "internal", "labels": ["a"]}
{"process": "w-2", "kind": "internal", "labels": ["a"]}
{"process": "boss", "kind": "internal", "labels": ["a"]}
{"process": "other", "kind": "internal", "labels": ["a"]}
{"process": "other", "kind": "internal", "labels": ["b"]}
)";

std::vector<Case> processes() {
  const std::string group = "group staff = w-*, boss\n";
  return {
      {"AProcess", workers, "watch x : some longest flow matches boss:a", {{"boss", 1}}, 5},
      {"AQuotedProcess", workers, "watch x : some longest flow matches \"w-2\":a", {{"w-2", 1}}, 5},
      {"AnInitialStateOfAProcess",
       workers,
       "watch x : some flow matches \"w-1\":a \"w-1\":a",
       {{"w-1", 1}},
       5},
      {"AGroup",
       workers,
       group + "watch x : some longest flow matches staff:a",
       {{"w-1", 1}, {"w-2", 1}, {"boss", 1}},
       5},
      {"NotOfAGroup",
       workers,
       group + "watch x : some longest flow ends with !staff:a",
       {{"other", 1}, {"other", 2}},
       5},
      {"NoneOfAGroupAndALabel",
       workers,
       group + "watch x : some longest flow ends with [^staff:a b]",
       {{"other", 1}},
       5},
      {"AtAGroup",
       workers,
       group + "watch x : every flow at staff:a contains a",
       {{"w-1", 1}, {"w-2", 1}, {"boss", 1}},
       3},
      {"AGroupHidesAProcess",
       workers,
       "group boss = other\nwatch x : some longest flow matches boss:a",
       {{"other", 1}},
       5},
      {"AStarMatchesNothingToo",
       workers,
       "group g = *boss*, w-1*\nwatch x : some longest flow matches g:a",
       {{"w-1", 1}, {"boss", 1}},
       5},
      {"AStarInTheMiddle",
       workers,
       "group g = o*r, *2\nwatch x : some longest flow matches g:a",
       {{"w-2", 1}, {"other", 1}},
       5},
      {"ProcessOfAPredicate",
       workers,
       "label here = process == \"other\" and not event == \"a\"\n"
       "watch x : some flow at here contains a",
       {{"other", 2}},
       1},
      {"AtOneOf",
       workers,
       "watch x : every flow at [b boss:a] ends with .",
       {{"boss", 1}, {"other", 2}},
       2},
      {"AtNoneOf", workers, "watch x : every flow at [^a] ends with b", {{"other", 2}}, 1},
      {"AtAnything", workers, "watch x : every flow at . ends with b", {{"other", 2}}, 5},
      {"AtNotInTheLongestFlow",
       a_b_b_c,
       "watch x : some longest flow over {a, c} at !a ends with c",
       {{"p", 4}},
       1},
      {"AtUnlabelledEvents", growing, "watch x : some flow at [^a b] matches a", {{"p", 2}}, 1},
  };
}

constexpr auto batch = R"(
{"process": "p1", "kind": "send", "message": "m1", "labels": ["a"]}
{"process": "p2", "kind": "send", "message": "m2", "labels": ["b"]}
{"process": "p3", "kind": "receive", "message": ["m1", "m2"], "labels": ["c"]}
)";

constexpr auto redelivery = R"(
{"process": "p1", "kind": "send", "message": "m", "labels": ["a"]}
{"process": "p2", "kind": "receive", "message": "m", "labels": ["r"]}
{"process": "p2", "kind": "receive", "message": "m", "duplicate": true, "labels": ["d"]}
)";

constexpr auto to_oneself = R"(
{"process": "p", "kind": "send", "message": "m", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["b"]}
{"process": "p", "kind": "receive", "message": "m", "labels": ["c"]}
)";

constexpr auto passed_on = R"(
{"process": "p1", "kind": "send", "message": "m1", "labels": ["a"]}
{"process": "p2", "kind": "receive", "message": "m1", "sends": "m2", "labels": ["b"]}
{"process": "p3", "kind": "receive", "message": "m2", "labels": ["c"]}
{"process": "p4", "kind": "receive", "message": "m2", "labels": ["c"]}
)";

std::vector<Case> messages() {
  return {
      {"BatchFromTheFirst", batch, "watch x : some flow matches a c", {{"p3", 1}}, 3},
      {"BatchFromTheSecond", batch, "watch x : some flow matches b c", {{"p3", 1}}, 3},
      {"BatchFromNoOne", batch, "watch x : some flow matches c", {{"p3", 1}}, 3},
      {"BatchLongestFlows", batch, "watch x : every longest flow matches [a b] c", {{"p3", 1}}, 3},
      {"RedeliveryIsAMessage", redelivery, "watch x : some flow matches a d", {{"p2", 2}}, 3},
      {"RedeliveryCoversNothing", redelivery, "watch x : some longest flow matches a d", {}, 3},
      {"ToOneselfPastOneself", to_oneself, "watch x : some flow matches a c", {{"p", 3}}, 3},
      {"ToOneselfCoversNothing", to_oneself, "watch x : some longest flow matches a c", {}, 3},
      {"PassedOnToTwo", passed_on, "watch x : some flow matches a b c", {{"p3", 1}, {"p4", 1}}, 4},
      {"PassedOnLongest",
       passed_on,
       "watch x : every longest flow matches a b c",
       {{"p3", 1}, {"p4", 1}},
       4},
  };
}

}  // namespace

std::vector<Case> flows() {
  std::vector<Case> cases;
  for (const auto& some : {patterns(), alphabets(), processes(), messages()}) {
    cases.insert(cases.end(), some.begin(), some.end());
  }
  return cases;
}

}  // namespace lightcone::semantics
