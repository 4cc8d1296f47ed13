// Riders, offline and live, find what brute force finds: flows and logic.
#include "model/definitions/property_definitions.h"
#include "model/definitions/semantics_cases.h"
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"
#include "model/programs/live_replay.h"

#include <gtest/gtest.h>
#include <lightcone/causal/order/linear_extension.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <set>

namespace lightcone {
namespace {

using definition::State;

[[nodiscard]] State state_of(const Computation& c, Row row) {
  if (row >= c.event_count()) return {row - c.event_count(), 0};
  return {c.process_of(row), c.rank_of(row)};
}

/// What the riders say, in the words of the definition.
[[nodiscard]] definition::Answer answer_of(const Inspection& inspection, std::uint32_t property) {
  definition::Answer answer;
  const Computation& c = inspection.computation();
  for (Row row = 0; row < c.row_count(); ++row) {
    if (inspection.is_asked(property, row)) answer.asked.push_back(state_of(c, row));
    if (inspection.answer(property)->found_at(row)) answer.found.push_back(state_of(c, row));
  }
  std::sort(answer.asked.begin(), answer.asked.end());
  std::sort(answer.found.begin(), answer.found.end());
  EXPECT_EQ(answer.asked.size(), inspection.answer(property)->asked_count());
  EXPECT_EQ(answer.found.size(), inspection.answer(property)->found_count());
  return answer;
}

void expect_as_decided(const semantics::Case& it) {
  SCOPED_TRACE(it.name);
  SCOPED_TRACE(it.properties);
  const auto reading = read_trace_text(it.trace, "trace", Format::jsonl);
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  auto parsed = parse_property_syntax(it.properties, "properties");
  ASSERT_TRUE(parsed) << parsed.error().text();
  const auto names = check_names(*parsed, c);
  ASSERT_TRUE(names) << names.error().text();
  const auto compiled = CompiledProperties::compile(std::move(*parsed), event_labels(c));
  const Inspection inspection(compiled, c);
  const definition::Answer answer = answer_of(inspection, 0);
  std::vector<std::pair<std::string, Rank>> found;
  for (const State& state : answer.found)
    found.emplace_back(c.process_name(state.first), state.second);
  EXPECT_EQ(found, it.found);
  EXPECT_EQ(answer.asked.size(), it.asked);
}

TEST(SemanticsOfRiders, AreAsDecided) {
  for (const semantics::Case& it : semantics::all()) expect_as_decided(it);
}

/// What the papers leave open or get wrong, one test a case.
class Decisions : public testing::TestWithParam<semantics::Case> {};

TEST_P(Decisions, AreKept) { expect_as_decided(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Semantics, Decisions, testing::ValuesIn(semantics::decisions()),
                         [](const auto& it) { return it.param.name; });

/// A random property file about this computation.
[[nodiscard]] std::string some_properties(const Computation& c) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  return random_properties(random, arbitrary::property_options(c));
}

/// Compares what is found with brute force. With more processes than `most_riders`, there are none.
void compare_offline(const char* what, std::uint32_t most_riders) {
  int compared = 0;
  arbitrary::for_all_computations(what, 2000, [&](const Computation& c) {
    const std::string text = some_properties(c);
    auto parsed = parse_property_syntax(text, "random");
    if (!parsed) RC_FAIL(parsed.error().text() + "\n\n" + text);
    const auto compiled = CompiledProperties::compile(std::move(*parsed), event_labels(c));
    const Properties& properties = compiled.source();
    const Inspection inspection(compiled, c, {}, {}, most_riders);
    for (std::uint32_t i = 0; i < properties.properties.size(); ++i) {
      const auto expected = definition::answer(properties, properties.properties[i], c);
      if (!expected || inspection.answer(i) == nullptr) continue;
      ++compared;
      const definition::Answer found = answer_of(inspection, i);
      if (found.asked != expected->asked) RC_FAIL("asked elsewhere: " + text);
      if (found.found != expected->found) {
        RC_FAIL("found elsewhere: " + properties.properties[i].name + "\n" + text);
      }
    }
  });
  EXPECT_GT(compared, 10000 / arbitrary::one_in);
}

TEST(FlowAgreement, OfflineRidersFindWhatBruteForceFinds) {
  compare_offline("offline riders", UINT32_MAX);
}

TEST(FlowAgreement, WithoutRidersTheSameIsFound) { compare_offline("immediate predecessors", 0); }

/// Lets live riders live through it, and compares what they tell with brute force.
void compare_live(const Computation& c, const live_replay::Options& options) {
  const std::string text = some_properties(c);
  const auto properties = parse_property_syntax(text, "random");
  RC_ASSERT(properties.has_value());
  const auto order = random_linear_extension(c, *rc::gen::arbitrary<std::uint64_t>());
  const auto detected = live_replay::replay(c, text, order, options);
  for (const Property& property : properties->properties) {
    const auto expected = definition::answer(*properties, property, c);
    if (!expected || detected.undecided.contains(property.name)) continue;
    const auto found = detected.told.find(property.name);
    const std::set<State> places = found == detected.told.end() ? std::set<State>() : found->second;
    if (places != live_replay::places_told(*expected, property.verb)) {
      RC_FAIL(property.name + "\n" + text);
    }
  }
}

TEST(FlowAgreement, LiveRidersTellWhatBruteForceFinds) {
  arbitrary::for_all_computations("live riders", 2000, [&](const Computation& c) {
    live_replay::Options options;
    options.members = *rc::gen::inRange<std::uint32_t>(0, c.process_count() + 1);
    options.clocks = *rc::gen::arbitrary<bool>();
    options.receivers_known = *rc::gen::arbitrary<bool>();
    compare_live(c, options);
  });
}

TEST(FlowAgreement, TagsOfFifoChannelsLeaveOutNothingThatIsNeeded) {
  int fifo = 0;
  arbitrary::for_all_computations("fifo channels", 3000, [&](const Computation& c) {
    if (!live_replay::is_fifo(c)) return;
    ++fifo;
    compare_live(c, {.members = c.process_count() / 2, .clocks = true, .fifo = true});
  });
  EXPECT_GT(fifo, 200 / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
