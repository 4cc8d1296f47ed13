// Puts what was found into words.
#include <lightcone/check.h>

#include <fmt/format.h>
#include <lightcone/base/wording.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/check/warnings.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::size_t places_shown = 3;

[[nodiscard]] std::string place_text(const Report& report, EventPlace place) {
  return fmt::format("{}:{}", distinct_name(report.processes[place.process], 24, report.processes),
                     place.rank);
}

/// `p2:4, p3:1, ...`
[[nodiscard]] std::string places_text(const Report& report, const std::vector<EventPlace>& places,
                                      std::uint64_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), places_shown); ++i) {
    text += (i == 0 ? "" : ", ") + place_text(report, places[i]);
  }
  return count > places_shown ? text + ", ..." : text;
}

/// `some global state satisfies it: p1:3, p2:0`
[[nodiscard]] std::string global_finding(const Report& report, const PropertyReport& property) {
  if (property.meaning.empty()) return with_grouped_numbers(property.method);
  if (property.cut.empty()) return property.meaning;
  std::vector<EventPlace> parts;
  for (const ProcessIndex p : property.read) parts.push_back({p, property.cut[p]});
  return property.meaning + (parts.empty() ? "" : ": ") + places_text(report, parts, parts.size());
}

/// What was found, of whatever part of the execution it is said.
[[nodiscard]] std::string bare_finding(const Report& report, const PropertyReport& property) {
  if (property.is_global) return global_finding(report, property);
  if (property.undecided_count > 0 && property.verdict == Verdict::unknown) {
    return fmt::format("the clocks cannot tell at {} of {}: {}", grouped(property.undecided_count),
                       counted(property.asked_count, "place"),
                       places_text(report, property.undecided, property.undecided_count));
  }
  if (property.verdict == Verdict::unknown) return property.method;
  const std::uint64_t asked = property.asked_count, found = property.found_count;
  if (asked == 0) return "asked nowhere";
  if (property.verb == Verb::require) {
    if (found == asked && asked == 1) return "at the only place";
    if (found == asked) return fmt::format("at all {} places", grouped(asked));
    const std::uint64_t missing = asked - found - property.undecided_count;
    return fmt::format("missing at {} of {}: {}", grouped(missing), grouped(asked),
                       places_text(report, property.missing, missing));
  }
  const std::string undecided =
      property.undecided_count == 0
          ? ""
          : fmt::format("; the clocks cannot tell at {}", grouped(property.undecided_count));
  if (found == 0) return fmt::format("nowhere among {}{}", counted(asked, "place"), undecided);
  return fmt::format("at {}: {}{}", counted(found, "place"),
                     places_text(report, property.at, found), undecided);
}

constexpr std::size_t values_shown = 3;

/// `; asked nowhere for 1: 17`
[[nodiscard]] std::string unasked_values(const PropertyReport& property) {
  const ListedValues nowhere = listed_values(property, is_asked_nowhere);
  if (nowhere.count == 0) return {};
  return fmt::format("; asked nowhere for {}: {}", grouped(nowhere.count), nowhere.text);
}

/// `2 of 17 values of request_id: 17 (missing at 1 of 1: p2:4), ...`
[[nodiscard]] std::string each_finding(const Report& report, const PropertyReport& property) {
  const std::string name = printable(property.each, 24);
  if (property.value_count == 0) return fmt::format("no event assigns {}", name);
  const auto is_told = [&](const PropertyReport& one) {
    if (property.verdict == Verdict::pass) return false;
    return property.verdict == Verdict::info ? one.found : one.verdict == property.verdict;
  };
  const auto told = static_cast<std::uint64_t>(std::ranges::count_if(property.values, is_told));
  const std::string values = fmt::format("{} of {}", counted(property.value_count, "value"), name);
  if (property.verdict == Verdict::pass) return "for each of " + values + unasked_values(property);
  if (told == 0) {
    return property.verdict == Verdict::info ? "for none of " + values : property.method;
  }
  std::string text = fmt::format("for {} of {}:", grouped(told), values);
  std::size_t shown = 0;
  for (const PropertyReport& one : property.values) {
    if (!is_told(one) || shown++ >= values_shown) continue;
    text += fmt::format("{} {} ({}{})", shown == 1 ? "" : ",", value_words(one.value),
                        bare_finding(report, one), one.ended_early ? ", perhaps more" : "");
  }
  if (told > values_shown) text += ", ...";
  if (property.verdict != Verdict::fail) return text;
  const ListedValues unknown = listed_values(
      property, [](const PropertyReport& one) { return one.verdict == Verdict::unknown; });
  if (unknown.count == 0) return text;
  return fmt::format("{}; not known for {}: {}", text, grouped(unknown.count), unknown.text);
}

[[nodiscard]] std::uint64_t count_of(const Report& report, Verdict verdict) {
  return static_cast<std::uint64_t>(
      std::ranges::count(report.properties, verdict, &PropertyReport::verdict));
}

}  // namespace

std::string value_words(const ReportedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return fmt::format("\"{}\"", printable(*text, SIZE_MAX));
  }
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<std::int64_t>(value));
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::info: return "info";
    case Verdict::unknown: break;
  }
  return "unknown";
}

Verdict Report::verdict() const {
  if (count_of(*this, Verdict::fail) > 0) return Verdict::fail;
  return count_of(*this, Verdict::unknown) > 0 ? Verdict::unknown : Verdict::pass;
}

std::string Report::finding(const PropertyReport& property) const {
  if (property.lost) return "not known: the lost part of the trace could decide it";
  const std::string found =
      property.each.empty() ? bare_finding(*this, property) : each_finding(*this, property);
  return property.of_kept_part ? found + " (of the part that was kept)" : found;
}

std::string Report::summary() const {
  return fmt::format("{} on {} of {}.",
                     verdict_counts(count_of(*this, Verdict::fail),
                                    count_of(*this, Verdict::unknown), properties.size()),
                     counted(events, "event"), counted(processes.size(), "process", "processes"));
}

std::string Report::text() const {
  std::string all;
  for (const PropertyReport& property : properties) {
    all += fmt::format("{:<7}  {} ({}): {}\n", name_of(property.verdict), printable(property.name),
                       name_of(property.verb), finding(property));
  }
  all += summary() + '\n';
  const std::string extent = extent_sentence(wholeness);
  return extent.empty() ? all : all + extent + '\n';
}

std::string extent_sentence(const Wholeness& wholeness) {
  if (wholeness.incomplete) {
    return "The trace is incomplete: this is true of what was read, not of the execution.";
  }
  if (!wholeness.left_out) return {};
  if (*wholeness.left_out == 0) {
    return "The trace was cut off: this is true of the part that was kept.";
  }
  return fmt::format(
      "The trace was cut off: this is true of the part that was kept, without {} that {} on what "
      "was lost.",
      counted(*wholeness.left_out, "event"), *wholeness.left_out == 1 ? "depends" : "depend");
}

}  // namespace lightcone
