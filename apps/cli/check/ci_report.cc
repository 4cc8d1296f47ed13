// Writes JUnit XML and SARIF 2.1.0.
#include "check/ci_report.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/base/wording.h>

#include <algorithm>
#include <charconv>

#include "draw/svg_text.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_places = 100;

/// Notes count as one more case with this name, which no property can have.
constexpr std::string_view strict_case = "--strict";

/// `app.log:12` as file and line.
void set_source(CiPlace& place, std::string_view source) {
  const std::size_t colon = source.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return;
  const char* const end = source.data() + source.size();
  const auto read = std::from_chars(source.data() + colon + 1, end, place.line);
  if (read.ec != std::errc() || read.ptr != end || place.line == 0) {
    place.line = 0;
    return;
  }
  place.file = source.substr(0, colon);
}

/// The text as an attribute or the inside of an element.
[[nodiscard]] std::string xml(std::string_view text) {
  return escaped(safe_text(text, /*keep_lines=*/true));
}

[[nodiscard]] bool is_bad(const CiCase& one) {
  return one.verdict == Verdict::fail || one.verdict == Verdict::unknown;
}

/// Where it fails; of a property with `for each`, for each value that does.
[[nodiscard]] std::vector<EventPlace> bad_places(const PropertyReport& property) {
  if (property.verdict != Verdict::fail) return {};
  if (property.each.empty()) return property.verb == Verb::require ? property.missing : property.at;
  std::vector<EventPlace> places;
  for (const PropertyReport& value : property.values) {
    const std::vector<EventPlace> of_value = bad_places(value);
    places.insert(places.end(), of_value.begin(), of_value.end());
  }
  return places;
}

/// How many such places there are, listed or not.
[[nodiscard]] std::uint64_t bad_place_count(const PropertyReport& property) {
  if (property.verdict != Verdict::fail || property.is_global) return 0;
  if (property.each.empty() && property.verb != Verb::require) return property.found_count;
  if (property.each.empty()) {
    return property.asked_count - property.found_count - property.undecided_count;
  }
  std::uint64_t count = 0;
  for (const PropertyReport& value : property.values) count += bad_place_count(value);
  return count;
}

[[nodiscard]] std::string message_of(const CiCase& one) {
  const bool says_so = one.verdict != Verdict::unknown || one.finding.starts_with("not known");
  return fmt::format("{} {}: {}{}", one.verb, one.name, says_so ? "" : "not known, ", one.finding);
}

/// The text inside a failure: the question and the places.
[[nodiscard]] std::string details_of(const CiReport& report, const CiCase& one) {
  std::string text = fmt::format("{} {} : {}\n{}:{}\n", one.verb, one.name, one.question,
                                 report.properties, one.line);
  for (const CiPlace& place : one.places) {
    text += place.event;
    if (!place.file.empty()) text += fmt::format("  {}:{}", place.file, place.line);
    text += '\n';
  }
  if (one.more_places > 0) text += fmt::format("... and {} more\n", grouped(one.more_places));
  return text;
}

/// The notes as lines.
[[nodiscard]] std::string lines_of(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

/// A run that came to its end, and what it has to say besides its results.
[[nodiscard]] Json invocation_of(const CiReport& report) {
  Json told = Json::array();
  for (const std::string& note : report.notes) {
    told.push_back(Json{{"level", "note"}, {"message", Json{{"text", note}}}});
  }
  return Json{{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(told)}};
}

/// The path as a reference to a file by RFC 3986.
[[nodiscard]] std::string uri_of(std::string_view path) {
  constexpr std::string_view others_kept = "-._~/:@!$&'()*+,;=";
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool has_drive = path.size() > 2 && is_letter(path[0]) && path[1] == ':' &&
                         (path[2] == '\\' || path[2] == '/');
  std::string uri;
  if (has_drive) {
    uri = "file:///";
  } else if (path.starts_with('/')) {
    uri = "file://";
  } else if (path.substr(0, path.find('/')).find(':') != std::string_view::npos) {
    uri = "./";  // what is before a colon would be the scheme
  }
  for (const char c : path) {
    const bool is_kept =
        is_letter(c) || (c >= '0' && c <= '9') || others_kept.find(c) != std::string_view::npos;
    if (is_kept) {
      uri += c;
    } else if (has_drive && c == '\\') {
      uri += '/';
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

[[nodiscard]] Json location_in(std::string_view file, std::uint64_t line) {
  return {{"physicalLocation",
           Json{{"artifactLocation", Json{{"uri", uri_of(file)}}},
                {"region", Json{{"startLine", std::max<std::uint64_t>(1, line)}}}}}};
}

/// The line that a note about the properties begins with: `rules.prop:7:33: ...`. Otherwise 1.
[[nodiscard]] std::uint64_t line_of_note(const CiReport& report, std::string_view note) {
  std::uint64_t line = 1;
  if (!note.starts_with(report.properties + ":")) return line;
  note.remove_prefix(report.properties.size() + 1);
  (void)std::from_chars(note.data(), note.data() + note.size(), line);
  return line;
}

[[nodiscard]] Json location_of(const CiReport& report, const CiCase& one) {
  const bool has_source = !one.places.empty() && !one.places.front().file.empty();
  Json location = has_source ? location_in(one.places.front().file, one.places.front().line)
                             : location_in(report.properties, one.line);
  if (!one.places.empty()) {
    Json events = Json::array();
    for (const CiPlace& place : one.places) {
      events.push_back(Json{{"fullyQualifiedName", place.event}});
    }
    location["logicalLocations"] = std::move(events);
  }
  return location;
}

[[nodiscard]] Expected<void> write_text(const std::string& path, const std::string& text) {
  if (path.empty()) return {};
  auto file = OutputFile::create(path);
  if (!file) return failure(std::move(file.error()));
  file->write(text);
  return file->commit();
}

}  // namespace

CiReport ci_report(const PropertyFile& properties, const Report& report,
                   const Computation* computation, const std::string& trace) {
  CiReport made{properties.file(), trace};
  made.notes = report.notes;
  if (auto extent = extent_sentence(report.wholeness); !extent.empty()) {
    made.notes.push_back(std::move(extent));
  }
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    const PropertyReport& property = report.properties[i];
    CiCase one{property.name,          std::string(name_of(property.verb)),
               properties.question(i), properties.line(i),
               property.verdict,       report.finding(property)};
    for (const EventPlace place : bad_places(property)) {
      if (one.places.size() == most_places) break;
      CiPlace& added = one.places.emplace_back();
      added.event = fmt::format("{}:{}", report.processes[place.process], place.rank);
      if (computation == nullptr) continue;
      const Row row = place.rank == 0 ? computation->initial_row(place.process)
                                      : computation->event(place.process, place.rank);
      if (const auto source = computation->source(row)) set_source(added, *source);
    }
    const std::uint64_t places = bad_place_count(property);
    one.more_places = places - std::min<std::uint64_t>(places, one.places.size());
    made.cases.push_back(std::move(one));
  }
  return made;
}

CiReport ci_report(const PropertyFile& properties, const ExecutionsReport& report,
                   const std::string& trace) {
  CiReport made{properties.file(), trace};
  made.notes = report.notes;
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    const ExecutionsProperty& property = report.properties[i];
    CiCase one{property.name,          std::string(name_of(property.verb)),
               properties.question(i), properties.line(i),
               property.verdict,       report.finding(property)};
    const bool fails = property.verdict == Verdict::fail;
    for (const std::string& id : fails ? property.failing : property.undecided) {
      one.places.push_back({"execution " + id, {}, 0});
    }
    one.more_places = (fails ? property.failed : property.unknown) - one.places.size();
    made.cases.push_back(std::move(one));
  }
  return made;
}

std::string junit_text(const CiReport& report) {
  std::size_t failures = report.warnings.empty() ? 0 : 1, errors = 0;
  for (const CiCase& one : report.cases) {
    failures += one.verdict == Verdict::fail ? 1 : 0;
    errors += one.verdict == Verdict::unknown ? 1 : 0;
  }
  const std::size_t tests = report.cases.size() + (report.warnings.empty() ? 0 : 1);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  const std::string counts = fmt::format(R"(name="{}" tests="{}" failures="{}" errors="{}")",
                                         xml(report.properties), tests, failures, errors);
  text += fmt::format("<testsuites {}>\n<testsuite {}>\n", counts, counts);
  for (const CiCase& one : report.cases) {
    text += fmt::format(R"(<testcase classname="{}" name="{}")", xml(report.trace), xml(one.name));
    if (is_bad(one)) {
      const std::string_view element = one.verdict == Verdict::fail ? "failure" : "error";
      text += fmt::format(">\n<{} type=\"{}\" message=\"{}\">{}</{}>\n</testcase>\n", element,
                          one.verdict == Verdict::fail ? one.verb : "unknown", xml(message_of(one)),
                          xml(details_of(report, one)), element);
    } else if (one.verdict == Verdict::info) {
      text += fmt::format(">\n<system-out>{}</system-out>\n</testcase>\n", xml(message_of(one)));
    } else {
      text += "/>\n";
    }
  }
  if (!report.warnings.empty()) {
    text += fmt::format(
        "<testcase classname=\"{}\" name=\"{}\">\n<failure type=\"strict\" "
        "message=\"notes about what was checked\">{}</failure>\n</testcase>\n",
        xml(report.trace), strict_case, xml(lines_of(report.warnings)));
  }
  if (!report.notes.empty()) {
    text += fmt::format("<system-out>{}</system-out>\n", xml(lines_of(report.notes)));
  }
  return text + "</testsuite>\n</testsuites>\n";
}

std::string sarif_text(const CiReport& report) {
  Json rules = Json::array(), results = Json::array();
  for (const CiCase& one : report.cases) {
    rules.push_back(Json{{"id", one.name},
                         {"shortDescription", Json{{"text", one.verb + " " + one.name}}},
                         {"fullDescription", Json{{"text", one.question}}}});
    if (!is_bad(one)) continue;
    Json locations = Json::array();
    locations.push_back(location_of(report, one));
    results.push_back(
        Json{{"ruleId", one.name},
             {"level", one.verdict == Verdict::fail ? "error" : "warning"},
             {"message", Json{{"text", message_of(one) + " (in " + report.trace + ")"}}},
             {"locations", std::move(locations)}});
  }
  if (!report.warnings.empty()) {
    rules.push_back(Json{{"id", strict_case},
                         {"shortDescription", Json{{"text", "notes about what was checked"}}}});
  }
  for (const std::string& warning : report.warnings) {
    Json locations = Json::array();
    locations.push_back(location_in(report.properties, line_of_note(report, warning)));
    results.push_back(Json{{"ruleId", strict_case},
                           {"level", "error"},
                           {"message", Json{{"text", warning}}},
                           {"locations", std::move(locations)}});
  }
  Json driver{{"name", "lightcone"}, {"version", LIGHTCONE_VERSION}, {"rules", std::move(rules)}};
  Json runs = Json::array();
  runs.push_back(
      Json{{"tool", Json{{"driver", std::move(driver)}}}, {"results", std::move(results)}});
  if (!report.notes.empty()) {
    Json invocations = Json::array();
    invocations.push_back(invocation_of(report));
    runs.back()["invocations"] = std::move(invocations);
  }
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", std::move(runs)}};
  return document.dump(Json::Layout::indented) + "\n";
}

Expected<void> write_ci_reports(const CiReport& report, const std::string& junit,
                                const std::string& sarif) {
  if (auto ok = write_text(junit, junit_text(report)); !ok) return ok;
  return write_text(sarif, sarif_text(report));
}

}  // namespace lightcone::cli
