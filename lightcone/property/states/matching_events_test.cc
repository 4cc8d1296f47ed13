// Atoms alone: which are atoms, which events they match, which names they may use.
#include <lightcone/property/states/matching_events.h>

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

namespace lightcone {
namespace {

[[nodiscard]] Computation some_computation() {
  auto reading = read_trace_text(R"({"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["a", "b"]}
{"process": "p", "kind": "internal"}
{"process": "q", "kind": "internal", "labels": ["b"]}
{"process": "q", "kind": "internal", "labels": ["c"]}
)",
                                 "test", Format::jsonl);
  return std::move(reading.value().computation);
}

/// Which of the five events match, as digits; or what is wrong.
[[nodiscard]] std::string matched(const std::string& text) {
  const Computation computation = some_computation();
  const auto atom = parse_atom(text, "here");
  if (!atom) return atom.error().text();
  const auto matching = matching_events(computation, *atom, "here");
  if (!matching) return matching.error().text();
  std::string digits;
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    digits += matching->events.contains(e) ? '1' : '0';
  }
  for (const std::string& warning : matching->warnings) digits += "; " + warning;
  return digits;
}

TEST(MatchingEvents, OfEachKindOfAtom) {
  EXPECT_EQ(matched("a"), "11000");
  EXPECT_EQ(matched("!a"), "00111");
  EXPECT_EQ(matched("!!a"), "11000");
  EXPECT_EQ(matched("[a c]"), "11001");
  EXPECT_EQ(matched("[^a b]"), "00101");
  EXPECT_EQ(matched("."), "11111");
  EXPECT_EQ(matched("q:b"), "00010");
  EXPECT_EQ(matched("[q:b p:a]"), "11010");
  EXPECT_EQ(matched("\"b\""), "01010");
}

TEST(MatchingEvents, NamesMustMeanSomething) {
  EXPECT_EQ(matched("absent"), "00000; here:1:1: no event carries the label `absent`");
  EXPECT_NE(matched("r:a").find("no process or group is called `r`"), std::string::npos);
}

TEST(MatchingEvents, OfOneAtomOnly) {
  for (const char* text : {"", " ", "a b", "a*", "(a)", "[a", "[]", "a |", "!", "a:", "?", "\"a"}) {
    EXPECT_FALSE(parse_atom(text, "here").has_value()) << text;
  }
  EXPECT_NE(matched("a b").find("`[a b]`"), std::string::npos) << matched("a b");
}

}  // namespace
}  // namespace lightcone
