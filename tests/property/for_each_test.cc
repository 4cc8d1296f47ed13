// `for each` answers what the plain question answers on the slice of each value, built as a copy.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"

namespace lightcone {
namespace {

/// Whether a value of a trace is the value of a report: numbers by value, booleans as 0 and 1.
[[nodiscard]] bool is_value(const nlohmann::json& written, const ReportedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return written.is_string() && written.get<std::string>() == *text;
  }
  if (written.is_string() || written.is_object()) return false;
  if (written.is_boolean()) return value == ReportedValue(std::int64_t{written.get<bool>()});
  if (written.is_number_integer()) return value == ReportedValue(written.get<std::int64_t>());
  const auto real = written.get<double>();
  const bool is_integer = real == std::trunc(real) && std::abs(real) < 9.2e18;
  if (is_integer) return value == ReportedValue(static_cast<std::int64_t>(real));
  return value == ReportedValue(real);
}

/// The same trace, in which only events that assign the value carry labels, variables and texts.
[[nodiscard]] Reading slice_of(const Computation& c, const std::string& variable,
                               const ReportedValue& value) {
  std::istringstream lines(write_trace_text(c, Format::jsonl));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    auto event = nlohmann::json::parse(line);
    const bool is_event = event.contains("kind") && event["kind"] != "init";
    const bool belongs = is_event && event.contains("vars") && event["vars"].contains(variable) &&
                         is_value(event["vars"][variable], value);
    if (is_event && !belongs) {
      for (const char* member : {"labels", "vars", "text", "source"}) event.erase(member);
    }
    text += event.dump() + '\n';
  }
  auto reading = read_trace_text(text, "slice", Format::jsonl);
  if (!reading) RC_FAIL(reading.error().text());
  return std::move(*reading);
}

[[nodiscard]] std::string essence(const PropertyReport& report) {
  std::string text = fmt::format("{} {} asked {} found {}", name_of(report.verdict), report.found,
                                 report.asked_count, report.found_count);
  for (const auto* places : {&report.at, &report.missing}) {
    text += ';';
    for (const EventPlace place : *places) text += fmt::format(" {}:{}", place.process, place.rank);
  }
  return text;
}

/// The plain question on the slice, with the alphabet of the whole trace.
[[nodiscard]] std::string plain_answer(const CompiledProperties& compiled, std::uint32_t index,
                                       const Reading& slice) {
  const Inspection inspection(compiled, slice.computation);
  std::optional<GlobalAnswer> global;
  if (const auto* question = std::get_if<Global>(&compiled.source().properties[index].question)) {
    global = answer_global(compiled.source(), *question, slice, {});
  }
  return essence(
      property_report(compiled, &inspection, global ? &*global : nullptr, index, {}, {}));
}

/// Asks all properties for each value of a variable, and compares; returns how many values.
int compare_each(const Computation& c, Properties properties, const std::string& variable,
                 std::mt19937_64& random) {
  for (Property& property : properties.properties) {
    property.each = variable;
    property.verb = static_cast<Verb>(random() % 4);
  }
  Reading reading;
  const std::string text = write_trace_text(c, Format::jsonl);
  reading = std::move(*read_trace_text(text, "whole", Format::jsonl));
  int values = 0;
  std::map<ReportedValue, Reading> slices;
  for (std::uint32_t i = 0; i < properties.properties.size(); ++i) {
    const RecordedOptions options;
    const auto compiled =
        CompiledProperties::compile_alone(properties, event_labels(reading.computation), i);
    const ValueCheck check(properties, i, reading, event_labels(reading.computation), options);
    const auto asked = check.run();
    if (!asked) RC_FAIL(asked.error().text());
    const PropertyReport& report = *asked;
    RC_ASSERT(report.values.size() == report.value_count);
    bool fails = false, passes = true;
    for (const PropertyReport& one : report.values) {
      ++values;
      if (!slices.contains(one.value)) {
        slices.emplace(one.value, slice_of(reading.computation, variable, one.value));
      }
      const Reading& slice = slices.at(one.value);
      const std::string expected = plain_answer(compiled, i, slice);
      if (essence(one) != expected) {
        RC_FAIL(fmt::format("property {}: {} instead of {}", i, essence(one), expected));
      }
      fails = fails || one.verdict == Verdict::fail;
      passes = passes && (one.verdict == Verdict::pass || one.verdict == Verdict::info);
    }
    RC_ASSERT((report.verdict == Verdict::fail) == fails);
    if (!fails) RC_ASSERT((report.verdict != Verdict::unknown) == passes);
  }
  return values;
}

TEST(ForEach, FlowsAndLogicAnswerAsOnSlices) {
  int values = 0;
  arbitrary::for_all_computations("for each", 2000, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    auto options = arbitrary::property_options(c);
    options.flows = 2;
    options.blocks = 1;
    if (options.variables.empty()) return;
    auto parsed = parse_property_syntax(arbitrary::random_properties(random, options), "random");
    if (!parsed) RC_FAIL(parsed.error().text());
    const std::string& variable = options.variables[random() % options.variables.size()];
    values += compare_each(c, std::move(*parsed), variable, random);
  });
  EXPECT_GT(values, 10'000 / arbitrary::one_in);
}

TEST(ForEach, GlobalPropertiesAnswerAsOnSlices) {
  int values = 0;
  arbitrary::for_all_globals(
      "global for each", 1000, [&](const Computation& c, const Properties& properties) {
        std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
        const std::string variable = std::array{"x", "y", "flag", "name"}[random() % 4];
        values += compare_each(c, properties, variable, random);
      });
  EXPECT_GT(values, 2'000 / arbitrary::one_in);
}

TEST(ForEach, ALimitOnValuesEndsInUnknown) {
  const auto reading = read_trace_text(
      R"({"process": "p", "kind": "internal", "labels": ["a"], "vars": {"id": 1}}
{"process": "p", "kind": "internal", "labels": ["a"], "vars": {"id": 2.0}}
{"process": "p", "kind": "internal", "labels": ["a"], "vars": {"id": "2"}}
)",
      "t", Format::jsonl);
  ASSERT_TRUE(reading);
  const auto file = parse_properties("expect x for each id : some flow contains a\n", "p");
  ASSERT_TRUE(file) << file.error().text();
  CheckOptions options;
  const auto all = check(*file, *reading, options);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->properties[0].verdict, Verdict::pass);
  EXPECT_EQ(all->properties[0].value_count, 3U);
  options.most_values = 2;
  const auto some = check(*file, *reading, options);
  ASSERT_TRUE(some);
  EXPECT_EQ(some->properties[0].verdict, Verdict::unknown);
  EXPECT_EQ(some->properties[0].value_count, 3U);
}

}  // namespace
}  // namespace lightcone
