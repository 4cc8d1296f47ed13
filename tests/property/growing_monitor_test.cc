// A check of a growing trace finds what the check of the whole one finds, each as soon as it can.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"
#include "model/programs/told_lines.h"

#include <gtest/gtest.h>
#include <lightcone/causal/consistent_prefix.h>
#include <lightcone/causality.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>

namespace lightcone {
namespace {

[[nodiscard]] Properties parsed(const std::string& text) {
  auto properties = parse_property_syntax(text, "random");
  if (!properties) RC_FAIL(properties.error().text() + "\n" + text);
  return std::move(*properties);
}

/// All that a report says, but for methods, and which of several global states was found.
[[nodiscard]] std::string essence(const Report& report) {
  std::ostringstream out;
  out << report.events << " events, left out "
      << (report.wholeness.left_out ? static_cast<long>(*report.wholeness.left_out) : -1L)
      << ", incomplete " << report.wholeness.incomplete << ", lost processes "
      << report.wholeness.lost_processes << '\n';
  for (const PropertyReport& property : report.properties) {
    out << property.name << ' ' << name_of(property.verdict) << ' ' << property.found << ' '
        << property.lost << ' ' << property.of_kept_part << ' ' << property.asked_count << ' '
        << property.found_count << " at";
    for (const EventPlace place : property.at) {
      out << ' ' << report.processes[place.process] << ':' << place.rank;
    }
    out << '\n';
  }
  return out.str();
}

/// The same with the processes in the order of their names, as the places of `at` then stand.
[[nodiscard]] bool holds_in(const Computation& c, const Properties& properties,
                            const Expression& expression, const std::vector<Rank>& cut) {
  const GlobalPredicate predicate(c, properties, expression);
  std::vector<Datum> values;
  for (const ReadColumn& column : predicate.columns()) {
    const Rank rank = cut[column.process];
    const Rank state = rank == 0 ? 0 : predicate.relevant().rank(c.event(column.process, rank));
    values.push_back(column.values[state]);
  }
  return is_true(value_of(predicate.term(), values));
}

[[nodiscard]] bool is_consistent(const Computation& c, const std::vector<Rank>& cut) {
  std::vector<EventIndex> last;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    if (cut[p] > 0) last.push_back(c.event(p, cut[p]));
  }
  return causal_past(c, last) == cut;
}

/// What both ways of checking say of the same lines.
struct Both {
  Expected<Report> growing, recorded;
  std::optional<Reading> reading;
  std::vector<std::size_t> told;  ///< by property: after how many lines it was told of; 0: never
};

[[nodiscard]] Both check_both(const TraceLines& lines, const Properties& properties,
                              const ReadOptions& options) {
  Both both;
  both.told.assign(properties.properties.size(), 0);
  std::size_t line = 0;
  MonitorOptions growing;
  growing.file = "trace";
  growing.on_global = [&](const GlobalSighting& it) { both.told[it.property] = line; };
  Monitor check(PropertyFile(properties), growing);
  LineTeller telling(check);
  const auto told = [&]() -> Expected<void> {
    for (const std::string& one : lines.all()) {
      ++line;
      if (auto possible = telling.tell(one); !possible) return possible;
    }
    return {};
  }();
  line = 0;
  both.growing = told ? check.finish({options.cut_off, options.lenient}) : failure(told.error());
  auto reading = read_trace_text(lines.text(), "trace", Format::jsonl, options);
  if (!reading) {
    both.recorded = failure(reading.error());
    return both;
  }
  both.reading.emplace(std::move(*reading));
  const auto recorded = RecordedCheck::run(properties, *both.reading, {});
  if (recorded) {
    both.recorded = recorded->report();
  } else {
    both.recorded = failure(recorded.error());
  }
  return both;
}

void expect_agreement(const Both& both, const Properties& properties, const std::string& what) {
  if (both.growing.has_value() != both.recorded.has_value()) {
    RC_FAIL(what + "one of them is refused\n" + (both.growing ? "" : both.growing.error().text()) +
            (both.recorded ? "" : both.recorded.error().text()));
  }
  if (!both.growing) {
    RC_ASSERT(both.growing.error().text() == both.recorded.error().text());
    return;
  }
  if (essence(*both.growing) != essence(*both.recorded)) {
    RC_FAIL(what + "growing:\n" + essence(*both.growing) + "recorded:\n" + essence(*both.recorded));
  }
  RC_ASSERT(both.growing->warnings == both.recorded->warnings);
  const Computation& c = both.reading->computation;
  for (std::size_t i = 0; i < properties.properties.size(); ++i) {
    const PropertyReport& found = both.growing->properties[i];
    if (both.told[i] > 0 && !found.found && found.verdict != Verdict::unknown) {
      RC_FAIL(what + "told of what is not found: " + found.name);
    }
    if (!found.is_global || !found.found || found.cut.empty()) continue;
    const auto& global = std::get<Global>(properties.properties[i].question);
    if (!is_consistent(c, found.cut)) RC_FAIL(what + "an inconsistent cut of " + found.name);
    const bool must_hold = global.modality != Global::Modality::definitely;
    if (must_hold && !holds_in(c, properties, global.expression, found.cut)) {
      RC_FAIL(what + "a cut that does not satisfy " + found.name);
    }
  }
}

TEST(Monitor, FindsTheGlobalPropertiesOfTheWhole) {
  std::size_t found = 0, early = 0, cuts = 0;
  arbitrary::for_all_globals("growing globals", 3000,
                             [&](const Computation& c, const Properties& properties) {
                               std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
                               const TraceLines lines(c, random);
                               const Both both = check_both(lines, properties, {});
                               expect_agreement(both, properties, lines.text());
                               for (std::size_t i = 0; i < both.told.size(); ++i) {
                                 found += both.growing->properties[i].found ? 1 : 0;
                                 early += both.told[i] > 0 ? 1 : 0;
                                 cuts += both.growing->properties[i].cut.empty() ? 0 : 1;
                               }
                             });
  EXPECT_GT(found, 1000U / arbitrary::one_in);
  EXPECT_GT(early, 500U / arbitrary::one_in);
  EXPECT_GT(cuts, 1000U / arbitrary::one_in);
}

// A monitor of `possibly` tells as soon as the events that have happened decide it, if the header
// has named the processes.
TEST(Monitor, TellsOfPossiblyAsSoonAsItIsCertain) {
  std::size_t told_early = 0;
  arbitrary::for_all_globals(
      "early globals", 600, [&](const Computation& c, const Properties& properties) {
        std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
        const TraceLines lines(c, random);
        if (!lines.all().front().starts_with("{\"lightcone\"")) return;
        const Both both = check_both(lines, properties, {});
        for (std::size_t i = 0; i < both.told.size(); ++i) {
          const auto& global = std::get<Global>(properties.properties[i].question);
          const bool by_monitor =
              both.growing->properties[i].method.find("on the fly") != std::string::npos;
          if (global.modality != Global::Modality::possibly || !by_monitor) continue;
          // Names that no line has used yet, and processes that have not spoken, make it later
          // here.
          std::size_t first = 0;
          for (std::size_t count = 1; count <= lines.all().size() && first == 0; ++count) {
            const auto part =
                read_trace_text(lines.text(count), "part", Format::jsonl, {.cut_off = true});
            if (part->lost_processes || !check_names(properties, part->computation)) continue;
            const auto check = RecordedCheck::run(properties, *part, {});
            if (check->report().properties[i].found) first = count;
            if (count == both.told[i] && first != count) RC_FAIL("told too early");
          }
          told_early += both.told[i] > 0 ? 1 : 0;
          // Names that no line has used yet, and processes that have not spoken, make it later
          // here.
          if (first != 0 && (both.told[i] == 0 || both.told[i] > first)) RC_FAIL("told too late");
        }
      });
  EXPECT_GT(told_early, 50U / arbitrary::one_in);
}

TEST(Monitor, AgreesOnTracesThatAreNotWhole) {
  std::size_t cut = 0, lenient = 0, unknown = 0;
  arbitrary::for_all_globals(
      "growing holes", 2000, [&](const Computation& c, const Properties& properties) {
        std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
        TraceLines lines(c, random);
        ReadOptions options;
        options.cut_off = random() % 2 == 0;
        options.lenient = !options.cut_off;
        if (options.cut_off) {
          std::map<std::string, std::size_t> left;  // lines of each process that are kept
          lines.keep([&](const std::string& line) {
            if (line.starts_with("{\"lightcone\"")) return true;
            const std::string process = line.substr(0, line.find(','));
            const auto [place, is_new] = left.try_emplace(process, random() % 9);
            return place->second > 0 && place->second-- > 0;
          });
        } else {
          lines.keep([&](const std::string& line) {
            return line.find("\"kind\": \"send\"") == std::string::npos || random() % 4 != 0;
          });
        }
        const Both both = check_both(lines, properties, options);
        expect_agreement(both, properties, lines.text());
        if (!both.growing) return;
        cut += both.growing->wholeness.left_out.value_or(0) > 0 ? 1 : 0;
        lenient += both.growing->wholeness.incomplete ? 1 : 0;
        unknown += both.growing->verdict() == Verdict::unknown ? 1 : 0;
      });
  EXPECT_GT(cut, 50U / arbitrary::one_in);
  EXPECT_GT(lenient, 100U / arbitrary::one_in);
  EXPECT_GT(unknown, 100U / arbitrary::one_in);
}

TEST(Monitor, FindsTheFlowsAndLogicOfTheWhole) {
  std::size_t found = 0, refused = 0;
  arbitrary::for_all_computations("growing flows", 1500, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Properties properties = parsed(random_properties(random, arbitrary::property_options(c)));
    if (!Monitor::can_check(PropertyFile(properties))) return;
    TraceLines lines(c, random);
    ReadOptions options;
    if (random() % 3 == 0) {
      options.lenient = true;
      lines.keep([&](const std::string& line) {
        return line.find("\"kind\": \"send\"") == std::string::npos || random() % 8 != 0;
      });
    }
    const Both both = check_both(lines, properties, options);
    expect_agreement(both, properties, lines.text());
    if (!both.growing) {
      ++refused;
      return;
    }
    for (const PropertyReport& property : both.growing->properties) found += property.found_count;
  });
  EXPECT_GT(found, 5000U / arbitrary::one_in);
}

/// After which line the past of each event has been told of, itself included.
[[nodiscard]] std::map<std::pair<std::string, Rank>, std::size_t> happened_after(
    const TraceLines& lines) {
  std::map<std::pair<std::string, Rank>, std::size_t> after;
  for (std::size_t count = 1; count <= lines.all().size(); ++count) {
    const auto part = read_trace_text(lines.text(count), "part", Format::jsonl, {.cut_off = true});
    const Computation& c = part->computation;
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      after.try_emplace({std::string(c.process_name(c.process_of(e))), c.rank_of(e)}, count);
    }
  }
  return after;
}

TEST(Monitor, TellsOfPlacesAsSoonAsTheyAreDecided) {
  std::size_t told = 0;
  arbitrary::for_all_computations("growing sightings", 300, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Properties properties = parsed(random_properties(random, arbitrary::property_options(c)));
    const TraceLines lines(c, random);
    const auto after = happened_after(lines);
    std::set<std::tuple<std::uint32_t, std::string, Rank>> places;
    std::size_t line = 0;
    MonitorOptions options;
    options.on_sighting = [&](const Sighting& it) {
      const std::string process(it.process);
      if (!places.emplace(it.property, process, it.rank).second) RC_FAIL("told twice");
      if (it.rank > 0 && after.at({process, it.rank}) != line) RC_FAIL("too late or too early");
    };
    Monitor check(PropertyFile(properties), options);
    LineTeller telling(check);
    for (const std::string& one : lines.all()) {
      ++line;
      RC_ASSERT(telling.tell(one).has_value());
    }
    told += places.size();
  });
  EXPECT_GT(told, 2000U / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
