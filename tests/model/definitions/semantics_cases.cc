// The papers' figure, and the decisions about what the papers leave open.
#include "model/definitions/semantics_cases.h"

#include <fstream>
#include <iterator>
#include <ostream>

namespace lightcone::semantics {
namespace {

/// Figure 1 of RR-2595. Labelled: p1's 1, 3, 6, p2's 1, 3, p3's 2, 6, p4's 1, 5.
std::string control_flows() {
  std::ifstream file(LIGHTCONE_TEST_DATA "/cases/control-flows.jsonl");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Two words reach b: `a b` along the message, `c b` along the process.
constexpr auto two_ways = R"(
{"process": "p1", "kind": "internal", "labels": ["a"]}
{"process": "p1", "kind": "send", "message": "m"}
{"process": "p2", "kind": "internal", "labels": ["c"]}
{"process": "p2", "kind": "receive", "message": "m"}
{"process": "p2", "kind": "internal", "labels": ["b"]}
)";

constexpr auto a_a_b = R"(
{"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["b"]}
)";

constexpr auto two_labels_at_once = R"(
{"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["m", "b"]}
{"process": "p", "kind": "internal", "labels": ["c"]}
)";

constexpr auto labelled_send = R"(
{"process": "p1", "kind": "internal", "labels": ["before"]}
{"process": "p1", "kind": "send", "message": "m", "labels": ["sent"]}
{"process": "p1", "kind": "internal", "labels": ["later"]}
{"process": "p2", "kind": "receive", "message": "m"}
)";

// The words of q's event 2: `i a` along the message, the empty one along the process.
constexpr auto labelled_start = R"(
{"process": "p", "kind": "init", "labels": ["i"]}
{"process": "p", "kind": "internal"}
{"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "send", "message": "m"}
{"process": "q", "kind": "internal"}
{"process": "q", "kind": "receive", "message": "m"}
)";

/// 1 and 2: where words begin, and what RR-2595 says of its figure.
std::vector<Case> about_the_figure() {
  const std::string figure = control_flows();
  return {
      {"D1AllStartFromOneBottom", figure, "watch x : some longest flow matches e d a", {}, 9},
      {"D1TheWordsAreTheseFour",
       figure,
       "watch x : every longest flow matches (a b | c b | c c | f e) d a",
       {{"p1", 6}},
       9},
      {"D1Abda", figure, "watch x : some longest flow matches a b d a", {{"p1", 6}}, 9},
      {"D1Cbda", figure, "watch x : some longest flow matches c b d a", {{"p1", 6}}, 9},
      {"D1Ccda", figure, "watch x : some longest flow matches c c d a", {{"p1", 6}}, 9},
      {"D1Feda", figure, "watch x : some longest flow matches f e d a", {{"p1", 6}}, 9},
      {"D1PredecessorsOfTheLastF",
       figure,
       "watch x : every longest flow at f matches c c f | f e f",
       {{"p4", 5}},
       2},
      {"D2SomeBeforeD",
       figure,
       "watch x : some longest flow contains [a c f] -> d",
       {{"p1", 6}, {"p3", 6}},
       9},
      {"D2EveryBeforeD",
       figure,
       "watch x : every longest flow contains [a c f] -> d",
       {{"p1", 6}, {"p3", 6}},
       9},
      {"D2SomeWithoutB",
       figure,
       "watch x : some longest flow contains c -> a without b",
       {{"p1", 6}},
       9},
      {"D2NotEveryWithoutB",
       figure,
       "watch x : every longest flow contains c -> a without b",
       {},
       9},
  };
}

/// 3 and 4: words that die, and words with several runs.
std::vector<Case> about_every_word() {
  return {
      {"D3SomeWordMatches", two_ways, "watch x : some longest flow matches a b", {{"p2", 3}}, 3},
      {"D3ADeadWordIsStillAWord", two_ways, "watch x : every longest flow matches a b", {}, 3},
      {"D3EveryWordMatches",
       two_ways,
       "watch x : every longest flow matches [a c] b",
       {{"p2", 3}},
       3},
      {"D4SeveralRunsOfOneWord",
       a_a_b,
       "watch x : every longest flow ends with a .",
       {{"p", 2}, {"p", 3}},
       3},
      {"D4AlongAllFlows", a_a_b, "watch x : every flow ends with a .", {{"p", 2}, {"p", 3}}, 3},
      {"D4AWordThatHasRunsButNoMatch",
       a_a_b,
       "watch x : every longest flow ends with a b .",
       {},
       3},
  };
}

/// 5: a letter is all that its event carries.
std::vector<Case> about_letters() {
  return {
      {"D5WithoutSeesEveryLabel",
       two_labels_at_once,
       "watch x : some longest flow contains a -> c without b",
       {},
       3},
      {"D5OneLabelOfTheLetter",
       two_labels_at_once,
       "watch x : some longest flow matches a m c",
       {{"p", 3}},
       3},
      {"D5TheOtherLabelOfTheLetter",
       two_labels_at_once,
       "watch x : some longest flow matches a b c",
       {{"p", 3}},
       3},
      {"D5NoneOfMeansNone",
       two_labels_at_once,
       "watch x : some longest flow matches a [^b] c",
       {},
       3},
  };
}

/// 6 and 7: where messages come from, and which states are letters.
std::vector<Case> about_states() {
  return {
      {"D6TheStateThatTheSendCreated",
       labelled_send,
       "watch x : logic {\n  y := sent\n  x := receive and msg y\n}",
       {{"p2", 1}},
       6},
      {"D6NotTheStateBeforeTheSend",
       labelled_send,
       "watch x : logic {\n  y := before\n  x := receive and msg y\n}",
       {},
       6},
      {"D6NotWhatTheSenderDoesLater",
       labelled_send,
       "watch x : logic {\n  y := later\n  x := receive and msg y\n}",
       {},
       6},
      {"D6TheSendIsALetter",
       labelled_send,
       "watch x : some flow matches before sent",
       {{"p1", 2}, {"p2", 1}},
       4},
      {"D7UnlabelledStatesContributeNothing",
       labelled_start,
       "watch x : some flow matches i a",
       {{"p", 2}, {"p", 3}, {"q", 2}},
       5},
      {"D7ALabelledStartIsALetter", labelled_start, "watch x : some flow matches i", {{"p", 1}}, 5},
      {"D7EveryWordOfAMerge",
       labelled_start,
       "watch x : every flow matches i a",
       {{"p", 2}, {"p", 3}},
       5},
      {"D7TheEmptyWord",
       labelled_start,
       "watch x : some flow matches a{0}",
       {{"q", 1}, {"q", 2}},
       5},
      {"D7LongestFlowsLeaveTheStartOut",
       labelled_start,
       "watch x : some longest flow matches a",
       {{"p", 2}},
       1},
  };
}

}  // namespace

std::vector<Case> decisions() {
  std::vector<Case> cases = about_the_figure();
  for (const auto& more : {about_every_word(), about_letters(), about_states()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

std::vector<Case> all() {
  std::vector<Case> cases = decisions();
  for (const auto& more : {flows(), logic(), predicates()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

void PrintTo(const Case& shown, std::ostream* out) {
  *out << shown.properties << "\nof the trace\n" << shown.trace;
}

}  // namespace lightcone::semantics
