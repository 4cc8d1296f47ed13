// The definitions themselves, held to what the papers and docs/semantics.md say.
#include "model/definitions/property_definitions.h"

#include "model/definitions/semantics_cases.h"

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <set>
#include <string>

namespace lightcone {
namespace {

using definition::Answer;
using definition::State;

Computation computation_of(const std::string& trace) {
  auto reading = read_trace_text(trace, "case", Format::jsonl);
  if (!reading) throw std::runtime_error(reading.error().text());
  return std::move(reading->computation);
}

Properties properties_of(const std::string& text) {
  auto properties = parse_property_syntax(text, "case");
  if (!properties) throw std::runtime_error(properties.error().text());
  return std::move(*properties);
}

void expect_as_defined(const semantics::Case& expected) {
  SCOPED_TRACE(expected.name);
  SCOPED_TRACE(expected.properties);
  const Computation computation = computation_of(expected.trace);
  const Properties properties = properties_of(expected.properties);
  ASSERT_EQ(properties.properties.size(), 1U);
  const auto answer = definition::answer(properties, properties.properties[0], computation);
  ASSERT_TRUE(answer);
  std::vector<std::pair<std::string, Rank>> found;
  for (const auto& [process, rank] : answer->found) {
    found.emplace_back(computation.process_name(process), rank);
  }
  EXPECT_EQ(found, expected.found);
  EXPECT_EQ(answer->asked.size(), expected.asked);
}

TEST(PropertyDefinitions, AreAsDecided) {
  for (const semantics::Case& it : semantics::all()) expect_as_defined(it);
}

TEST(PropertyDefinitions, SpellTheWordsOfTheFigure) {
  auto reading = read_trace(LIGHTCONE_TEST_DATA "/cases/control-flows.jsonl", Format::jsonl);
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  const Properties properties = properties_of("watch x : some longest flow matches a");
  const auto& flow = std::get<Flow>(properties.properties[0].question);
  const auto spelled = definition::words_of(properties, flow, c);
  ASSERT_TRUE(spelled);
  std::set<std::string> words;
  for (const auto& [state, of_state] : *spelled) {
    if (state != State(0, 6)) continue;
    for (const auto& word : of_state) {
      std::string letters;
      for (const State& letter : word) {
        letters += c.names()[c.labels(definition::row_of(c, letter))[0]];
      }
      words.insert(letters);
    }
  }
  EXPECT_EQ(words, (std::set<std::string>{"abda", "cbda", "ccda", "feda"}));
}

TEST(PropertyDefinitions, AreSortedByProcessAndRank) {
  const Computation c = computation_of(R"(
{"lightcone": 1, "processes": ["p1", "p2"]}
{"process": "p2", "kind": "internal"}
{"process": "p1", "kind": "internal"}
{"process": "p2", "kind": "internal"})");
  const Properties properties = properties_of("watch x : logic { x := not initial }");
  const Answer expected{{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}}, {{0, 1}, {1, 1}, {1, 2}}};
  EXPECT_EQ(definition::answer(properties, properties.properties[0], c), expected);
}

TEST(PropertyDefinitions, KeepSilentAboutGlobalPredicates) {
  const Properties properties = properties_of("watch x : possibly true");
  EXPECT_FALSE(definition::answer(properties, properties.properties[0], Computation()));
}

// Two processes that send each other messages all the time: words double at every receive.
TEST(PropertyDefinitions, GiveUpOnTooManyWords) {
  std::string trace;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    for (const std::string me : {"p", "q"}) {
      const std::string other = me == "p" ? "q" : "p";
      trace += R"({"process": ")" + me + R"(", "kind": "send", "labels": ["a"], "message": ")" +
               me + number + "\"}\n";
      trace += R"({"process": ")" + me + R"(", "kind": "receive", "labels": ["b"], "message": ")" +
               other + number + "\"}\n";
    }
  }
  const Computation c = computation_of(trace);
  const Properties properties = properties_of(
      "watch x : some flow matches a\nwatch y : some longest flow matches a\n"
      "watch z : logic { z := a and any z }");
  EXPECT_FALSE(definition::answer(properties, properties.properties[0], c));
  EXPECT_FALSE(definition::answer(properties, properties.properties[1], c));
  EXPECT_TRUE(definition::answer(properties, properties.properties[2], c));
}

}  // namespace
}  // namespace lightcone
