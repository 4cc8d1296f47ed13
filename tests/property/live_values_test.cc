// `for each` and `within` in live processes: they tell what is found in the slices of the trace.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"
#include "model/generators/arbitrary_times.h"
#include "model/programs/live_replay.h"

namespace lightcone {
namespace {

using live_replay::ToldPlaces;

/// Where the answer to a property in one slice is worth telling; where it is asked and found, in
/// words, at each row.
struct SliceAnswers {
  std::map<Row, std::optional<bool>> answers;

  SliceAnswers(const CompiledProperties& compiled, std::uint32_t property, const Computation& c,
               ValueSlice slice) {
    const Inspection inspection(compiled, c, {}, slice);
    const FoundRows& rows = *inspection.answer(property);
    for (Row row = 0; row < c.row_count(); ++row) {
      const bool is_initial = row >= c.event_count();
      const bool is_flow =
          std::holds_alternative<Flow>(compiled.source().properties[property].question);
      if ((is_initial && is_flow) || !inspection.is_asked(property, row)) continue;
      answers[row] = rows.is_undecided(row) ? std::nullopt : std::optional(rows.found_at(row));
    }
  }

  /// Where a live process tells of it: where the answer is worth it, and another one than in the
  /// slice of a value that does not occur.
  [[nodiscard]] ToldPlaces told(const Computation& c, Verb verb, const SliceAnswers* other) const {
    ToldPlaces places;
    for (const auto& [row, found] : answers) {
      if (!found || !is_told(verb, *found)) continue;
      if (other != nullptr) {
        const auto at = other->answers.find(row);
        if (at != other->answers.end() && at->second == found) continue;
      }
      const EventPlace place = place_of(c, row);
      places.insert({place.process, place.rank});
    }
    return places;
  }
};

struct LiveCounts {
  int values = 0, told = 0;
};

/// Lets live processes live through the computation, and compares what they tell.
void compare_live(const Computation& c, const std::string& text, std::mt19937_64& random,
                  LiveCounts& counts) {
  const auto parsed = parse_property_syntax(text, "random");
  if (!parsed) RC_FAIL(parsed.error().text() + text);
  live_replay::Options options;
  options.members = static_cast<std::uint32_t>(random() % (c.process_count() + 1));
  options.receivers_known = random() % 2 == 0;
  const std::vector<EventIndex> order(c.order().begin(), c.order().end());
  const auto detected = live_replay::replay(c, text, order, options);
  for (std::uint32_t i = 0; i < parsed->properties.size(); ++i) {
    const Property& property = parsed->properties[i];
    const auto compiled = CompiledProperties::compile_alone(*parsed, event_labels(c), i);
    if (!compiled.undecided().empty()) continue;
    if (property.each.empty()) {
      const auto found = detected.told.find(property.name);
      const auto told = found == detected.told.end() ? ToldPlaces() : found->second;
      if (told != SliceAnswers(compiled, i, c, {}).told(c, property.verb, nullptr)) {
        RC_FAIL(property.name);
      }
      counts.told += static_cast<int>(told.size());
      continue;
    }
    const AssignedValues values(c, property.each);
    const SliceAnswers background(compiled, i, c, {&values, none});
    std::size_t told_values = 0;
    for (std::uint32_t v = 0; v < values.size(); ++v) {
      ++counts.values;
      const auto expected =
          SliceAnswers(compiled, i, c, {&values, v}).told(c, property.verb, &background);
      const auto found = detected.told_of_values.find({property.name, owned(values[v])});
      const auto told = found == detected.told_of_values.end() ? ToldPlaces() : found->second;
      if (told != expected) RC_FAIL(fmt::format("{} for value {}", property.name, v));
      counts.told += static_cast<int>(told.size());
      told_values += told.empty() ? 0 : 1;
    }
    const auto all = std::ranges::count_if(
        detected.told_of_values, [&](const auto& it) { return it.first.first == property.name; });
    RC_ASSERT(static_cast<std::size_t>(all) == told_values);
  }
}

TEST(LiveValues, FlowsAndLogicAreToldOfAsRecorded) {
  LiveCounts counts;
  arbitrary::for_all_computations("live for each", 2000, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    auto options = arbitrary::property_options(c);
    options.flows = 2;
    options.blocks = 1;
    if (options.variables.empty()) return;
    const std::string& variable = options.variables[random() % options.variables.size()];
    std::string text = arbitrary::random_properties(random, options);
    const auto parsed = parse_property_syntax(text, "random");
    RC_ASSERT(parsed.has_value());
    for (const Property& property : parsed->properties) {
      const std::size_t at = text.find(" " + property.name + " :");
      RC_ASSERT(at != std::string::npos);
      text.insert(at + 1 + property.name.size(), " for each " + variable);
    }
    RC_LOG(text);
    compare_live(c, text, random, counts);
  });
  EXPECT_GT(counts.values, 4000 / arbitrary::one_in);
  EXPECT_GT(counts.told, 2000 / arbitrary::one_in);
}

TEST(LiveValues, FlowsWithTimesAreToldOfAsRecorded) {
  LiveCounts counts;
  arbitrary::for_all("live within", 2000, [&] {
    const Computation c = arbitrary::timed_computation(*arbitrary::script(40));
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text =
        arbitrary::timed_properties(random, random() % 2 == 0 ? " for each id" : "");
    RC_LOG(text);
    compare_live(c, text, random, counts);
  });
  EXPECT_GT(counts.values, 1000 / arbitrary::one_in);
  EXPECT_GT(counts.told, 1000 / arbitrary::one_in);
}

/// A process alone, which asks and answers.
class Asker {
 public:
  Asker(const std::string& properties, std::uint32_t most_values) {
    ProcessOptions options;
    options.name = "p";
    options.most_values = most_values;
    auto parsed = parse_property_syntax(properties, "p");
    watcher_.emplace(CompiledProperties::compile(std::move(*parsed)), 7, options);
    watcher_->start({});
  }
  /// Returns how many detections there are.
  std::size_t say(std::string_view label, std::int64_t id) {
    watcher_->event(Kind::internal, {.labels = {label}, .variables = {{"id", id}}});
    return std::exchange(watcher_->detections(), {}).size();
  }
  [[nodiscard]] std::vector<Error>& errors() { return watcher_->errors(); }

 private:
  std::optional<Watcher> watcher_;
};

// Of a value that was forgotten only paths are missing: what rests on one path is still told.
TEST(LiveValues, AreForgottenIfThereAreTooMany) {
  Asker asker(
      "forbid twice for each id : some flow at ask ends with ask -> ask\n"
      "require first for each id : every longest flow at answer contains ask\n",
      4);
  for (std::int64_t id = 0; id < 4; ++id) EXPECT_EQ(asker.say("ask", id), 0U);
  EXPECT_EQ(asker.say("ask", 0), 1U) << "the second time";
  EXPECT_TRUE(asker.errors().empty());
  EXPECT_EQ(asker.say("ask", 4), 0U) << "1 is forgotten";
  EXPECT_EQ(asker.errors().size(), 2U) << "one for each property";
  EXPECT_EQ(asker.say("ask", 1), 0U) << "not known to be the second time";
  EXPECT_EQ(asker.say("ask", 1), 1U);
  EXPECT_EQ(asker.say("answer", 9), 0U) << "perhaps it was asked, and forgotten";
  EXPECT_EQ(asker.errors().size(), 2U) << "it is told once";
}

}  // namespace
}  // namespace lightcone
