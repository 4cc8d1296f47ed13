// `for each` and `within` of a growing trace: the answers are those of the recorded one.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"
#include "model/generators/arbitrary_times.h"
#include "model/programs/told_lines.h"

namespace lightcone {
namespace {

[[nodiscard]] std::string places_of(const Report& report, const std::vector<EventPlace>& places) {
  std::string text;
  for (const EventPlace place : places) {
    text += fmt::format(" {}:{}", report.processes[place.process], place.rank);
  }
  return text;
}

[[nodiscard]] std::string essence(const Report& report, const PropertyReport& one) {
  std::string text = fmt::format(
      "{} found {} lost {} kept {} asked {} found {} undecided {} at{} missing{}",
      name_of(one.verdict), one.found, one.lost, one.of_kept_part, one.asked_count, one.found_count,
      one.undecided_count, places_of(report, one.at), places_of(report, one.missing));
  std::vector<std::string> values;  // their order depends on that of the lines
  for (const PropertyReport& value : one.values) {
    const std::string name =
        std::visit([](const auto& v) { return fmt::format("{}", v); }, value.value);
    values.push_back(
        fmt::format("\n    {}/{}: {}", value.value.index(), name, essence(report, value)));
  }
  std::ranges::sort(values);
  for (const std::string& value : values) text += value;
  return text;
}

[[nodiscard]] std::string essence(const Expected<Report>& report) {
  if (!report) return "refused";  // hints may differ
  std::string text = fmt::format("{} events\n", report->events);
  for (const PropertyReport& one : report->properties) {
    text += fmt::format("  {}: {}\n", one.name, essence(*report, one));
  }
  return text;
}

/// What was told while lines came: for each property, the values and how often.
using ToldValues = std::map<std::pair<std::uint32_t, ReportedValue>, int>;

[[nodiscard]] Expected<Report> growing(const TraceLines& lines, const Properties& properties,
                                       const ReadOptions& options, ToldValues& told) {
  MonitorOptions monitor;
  monitor.file = "trace";
  monitor.on_sighting = [&](const Sighting& it) {
    if (it.value) ++told[{it.property, *it.value}];
  };
  monitor.on_global = [&](const GlobalSighting& it) {
    if (it.value) ++told[{it.property, *it.value}];
  };
  Monitor check(PropertyFile(properties), monitor);
  LineTeller teller(check);
  for (const std::string& line : lines.all()) {
    if (auto possible = teller.tell(line); !possible) return failure(possible.error());
  }
  return check.finish({options.cut_off, options.lenient});
}

[[nodiscard]] Expected<Report> recorded(const TraceLines& lines, const Properties& properties,
                                        const ReadOptions& options) {
  const auto reading = read_trace_text(lines.text(), "trace", Format::jsonl, options);
  if (!reading) return failure(reading.error());
  const auto check = RecordedCheck::run(properties, *reading, {});
  if (!check) return failure(check.error());
  return check->report();
}

/// Of some traces, something is lost.
[[nodiscard]] ReadOptions lose_some(TraceLines& lines, std::mt19937_64& random) {
  ReadOptions options;
  const std::uint64_t how = random() % 4;
  options.lenient = how == 0;
  options.cut_off = how == 1;
  if (options.lenient) {
    lines.keep([&](const std::string& line) {
      return line.find("\"kind\": \"send\"") == std::string::npos || random() % 8 != 0;
    });
  }
  if (options.cut_off) {
    std::map<std::string, std::size_t> left;  // lines of each process that are kept
    lines.keep([&](const std::string& line) {
      if (line.starts_with("{\"lightcone\"")) return true;
      const auto at = left.try_emplace(line.substr(0, line.find(',')), random() % 12).first;
      return at->second > 0 && at->second-- > 0;
    });
  }
  return options;
}

struct Counts {
  int compared = 0, values = 0, found = 0, unknown = 0, told = 0;
};

/// Checks the lines both ways, and compares.
void compare(const Computation& c, const Properties& properties, std::mt19937_64& random,
             Counts& counts) {
  if (!Monitor::can_check(PropertyFile(properties))) return;
  TraceLines lines(c, random);
  const ReadOptions options = lose_some(lines, random);
  ToldValues told;
  const auto grown = growing(lines, properties, options, told);
  const auto whole = recorded(lines, properties, options);
  if (essence(grown) != essence(whole)) {
    RC_FAIL(lines.text() + "growing:\n" + essence(grown) + "recorded:\n" + essence(whole));
  }
  if (!grown) return;
  ++counts.compared;
  for (std::uint32_t i = 0; i < grown->properties.size(); ++i) {
    const PropertyReport& one = grown->properties[i];
    counts.unknown += one.verdict == Verdict::unknown ? 1 : 0;
    for (const PropertyReport& value : one.values) {
      ++counts.values;
      counts.found += value.found ? 1 : 0;
      const auto at = told.find({i, value.value});
      const int times = at == told.end() ? 0 : at->second;
      counts.told += times;
      if (one.is_global) {
        if (times > 1) RC_FAIL("told twice of " + one.name);
        continue;
      }
      const bool is_worth_it = one.verb == Verb::require ? !value.missing.empty() : value.found;
      if (times != (is_worth_it ? 1 : 0) && !value.lost) RC_FAIL("told wrongly of " + one.name);
    }
  }
}

TEST(GrowingValues, FlowsAndLogicAnswerAsRecorded) {
  Counts counts;
  arbitrary::for_all_computations("growing for each", 3000, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    auto options = arbitrary::property_options(c);
    options.flows = 2;
    options.blocks = 1;
    if (options.variables.empty()) return;
    const std::string text = arbitrary::random_properties(random, options);
    RC_LOG(text);
    auto properties = parse_property_syntax(text, "random");
    if (!properties) RC_FAIL(properties.error().text());
    for (Property& property : properties->properties) {
      property.each = options.variables[random() % options.variables.size()];
      property.verb = static_cast<Verb>(random() % 4);
    }
    compare(c, *properties, random, counts);
  });
  EXPECT_GT(counts.compared, 500 / arbitrary::one_in);
  EXPECT_GT(counts.values, 4000 / arbitrary::one_in);
  EXPECT_GT(counts.found, 500 / arbitrary::one_in);
  EXPECT_GT(counts.told, 500 / arbitrary::one_in);
}

TEST(GrowingValues, GlobalPropertiesAnswerAsRecorded) {
  Counts counts;
  arbitrary::for_all_globals("growing global for each", 2000,
                             [&](const Computation& c, const Properties& plain) {
                               std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
                               Properties properties = plain;
                               for (Property& property : properties.properties) {
                                 property.each = std::array{"x", "y", "flag", "name"}[random() % 4];
                                 property.verb = static_cast<Verb>(random() % 4);
                               }
                               compare(c, properties, random, counts);
                             });
  EXPECT_GT(counts.values, 4000 / arbitrary::one_in);
  EXPECT_GT(counts.found, 500 / arbitrary::one_in);
  EXPECT_GT(counts.told, 100 / arbitrary::one_in);
}

TEST(GrowingValues, FlowsWithTimesAnswerAsRecorded) {
  Counts counts;
  arbitrary::for_all("growing within", 3000, [&] {
    const Computation c = arbitrary::timed_computation(*arbitrary::script(48));
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text =
        arbitrary::timed_properties(random, random() % 2 == 0 ? " for each id" : "");
    RC_LOG(text);
    const auto properties = parse_property_syntax(text, "random");
    if (!properties) RC_FAIL(properties.error().text());
    compare(c, *properties, random, counts);
  });
  EXPECT_GT(counts.compared, 1000 / arbitrary::one_in);
  EXPECT_GT(counts.unknown, 20 / arbitrary::one_in);
  EXPECT_GT(counts.values, 1000 / arbitrary::one_in);
}

[[nodiscard]] MonitoredEvent event_of(std::string_view process, std::string_view label,
                                      std::pair<std::string_view, SpelledValue>& variable) {
  MonitoredEvent event;
  event.process = process;
  static thread_local std::array<std::string_view, 1> labels;
  labels[0] = label;
  event.labels = labels;
  event.variables = std::span(&variable, 1);
  return event;
}

// A value whose verdict is certain is forgotten if there are many. Its verdict stays.
TEST(GrowingValues, ForgetValuesThatAreDecided) {
  const auto file =
      parse_properties("expect answered for each id : some flow contains ask -> answer\n", "p");
  ASSERT_TRUE(file);
  std::size_t told = 0;
  MonitorOptions options;
  options.on_sighting = [&](const Sighting& it) { told += it.value ? 1 : 0; };
  Monitor monitor(*file, options);
  for (std::int64_t id = 0; id < 20'000; ++id) {
    for (const char* label : {"ask", "answer"}) {
      std::pair<std::string_view, SpelledValue> variable{"id", id};
      if (id == 7 && label == std::string_view("answer")) continue;
      ASSERT_TRUE(monitor.add(event_of("p", label, variable)));
    }
  }
  EXPECT_EQ(told, 19'999U);
  const auto report = monitor.finish();
  ASSERT_TRUE(report);
  const PropertyReport& answered = report->properties[0];
  EXPECT_EQ(answered.verdict, Verdict::fail);
  EXPECT_EQ(answered.value_count, 20'000U);
  EXPECT_EQ(answered.values[0].value, ReportedValue(std::int64_t{7}));
  EXPECT_EQ(std::ranges::count(answered.values, Verdict::pass, &PropertyReport::verdict), 19'999);
  EXPECT_TRUE(std::ranges::any_of(answered.values, &PropertyReport::ended_early));
}

// Values that are still open are followed up to a limit. Beyond it the property is unknown.
TEST(GrowingValues, ALimitOnOpenValuesEndsInUnknown) {
  const auto file =
      parse_properties("forbid twice for each id : some longest flow contains ask -> ask\n", "p");
  ASSERT_TRUE(file);
  Monitor monitor(*file);
  for (std::int64_t id = 0; id < 10'001; ++id) {
    std::pair<std::string_view, SpelledValue> variable{"id", id};
    const std::string process = "p" + std::to_string(id % 2000);  // few values are in each past
    ASSERT_TRUE(monitor.add(event_of(process, "ask", variable)));
  }
  const auto report = monitor.finish();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->properties[0].verdict, Verdict::unknown);
}

}  // namespace
}  // namespace lightcone
