// Writes the page with all that it needs to answer by itself.
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/property.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "view/base64.h"
#include "view/comparison_answers.h"
#include "view/packed_arrays.h"
#include "view/property_answers.h"
#include "view/trace_answers.h"
#include "view/view_page.h"
#include "view/view_server.h"

namespace lightcone::cli {
namespace {

constexpr std::uint32_t most_exported_events = 200'000;
constexpr double seconds_per_exported_property = 60;
constexpr std::size_t most_witnesses = 50;  // of one property

/// Strings by number; 0 is none.
class StringTable {
 public:
  [[nodiscard]] std::uint32_t add(std::string_view text) {
    const auto [at, is_new] =
        numbers_.emplace(text, static_cast<std::uint32_t>(list_.items().size()) + 1);
    if (is_new) list_.push_back(text);
    return at->second;
  }
  [[nodiscard]] Json& list() { return list_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Json list_ = Json::array();
};

/// The columns of a computation, as `viewer/src/embedded/computation.ts` reads them.
class ColumnPacker {
 public:
  explicit ColumnPacker(const TraceSnapshot& trace)
      : trace_(trace), computation_(trace.computation()) {}

  [[nodiscard]] std::string pack() {
    add_events();
    add_rows();
    Json messages = Json::array();
    for (MessageIndex m = 0; m < computation_.message_count(); ++m) {
      messages.push_back(computation_.message_name(m));
    }
    return arrays_.bytes({{"strings", std::move(strings_.list())},
                          {"messages", std::move(messages)},
                          {"sets", std::move(sets_)}});
  }

 private:
  void add_events() {
    std::vector<std::uint32_t> first, sends, takes_begin{0}, takes, sent_by, duplicates;
    std::vector<std::uint8_t> kinds;
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      first.push_back(computation_.first_event(p));
    }
    first.push_back(computation_.event_count());
    for (EventIndex e = 0; e < computation_.event_count(); ++e) {
      kinds.push_back(static_cast<std::uint8_t>(computation_.kind(e)));
      sends.push_back(computation_.sends(e));
      for (const MessageIndex m : computation_.takes(e)) takes.push_back(m);
      takes_begin.push_back(static_cast<std::uint32_t>(takes.size()));
      if (computation_.is_duplicate(e)) duplicates.push_back(e);
    }
    for (MessageIndex m = 0; m < computation_.message_count(); ++m) {
      sent_by.push_back(computation_.sent_by(m));
    }
    arrays_.add("first", first);
    arrays_.add("kind", kinds);
    arrays_.add("sends", sends);
    arrays_.add("takes_begin", takes_begin);
    arrays_.add("takes", takes);
    arrays_.add("sent_by", sent_by);
    arrays_.add("duplicates", duplicates);
    arrays_.add("order", computation_.order());
  }

  /// What events and initial states carry.
  void add_rows() {
    std::vector<std::uint32_t> labels, to, text, source, extra, digests, begin{0}, variables,
        values;
    std::vector<double> times;
    const auto number = [&](const auto& name) { return name ? strings_.add(*name) : 0U; };
    for (Row row = 0; row < computation_.row_count(); ++row) {
      labels.push_back(set_of(computation_.labels(row)));
      to.push_back(row < computation_.event_count() ? set_of(computation_.to(row)) : 0);
      text.push_back(number(computation_.text(row)));
      source.push_back(number(trace_.source(row)));
      extra.push_back(computation_.extra(row).empty() ? 0 : strings_.add(computation_.extra(row)));
      const auto digest = computation_.digest(row);
      digests.push_back(digest ? strings_.add(digest_text(*digest)) : 0);
      times.push_back(computation_.time(row).value_or(std::numeric_limits<double>::quiet_NaN()));
      for (const Assignment& assignment : computation_.assignments(row)) {
        variables.push_back(strings_.add(computation_.names()[assignment.variable]));
        values.push_back(strings_.add(value_text(computation_, assignment.value)));
      }
      begin.push_back(static_cast<std::uint32_t>(variables.size()));
    }
    arrays_.add("labels", labels);
    arrays_.add("to", to);
    arrays_.add("text", text);
    arrays_.add("source", source);
    arrays_.add("extra", extra);
    arrays_.add("digest", digests);
    arrays_.add("time", times);
    arrays_.add("assignments_begin", begin);
    arrays_.add("variables", variables);
    arrays_.add("values", values);
  }

  /// The number of a set of names; 0 is the empty one.
  [[nodiscard]] std::uint32_t set_of(std::span<const NameIndex> names) {
    if (names.empty()) return 0;
    Json set = Json::array();
    for (const NameIndex name : names) set.push_back(strings_.add(computation_.names()[name]));
    const auto [at, is_new] =
        set_numbers_.emplace(set.dump(), static_cast<std::uint32_t>(sets_.items().size()) + 1);
    if (is_new) sets_.push_back(std::move(set));
    return at->second;
  }

  const TraceSnapshot& trace_;
  const Computation& computation_;
  StringTable strings_;
  std::unordered_map<std::string, std::uint32_t> set_numbers_;
  Json sets_ = Json::array();
  PackedArrays arrays_;
};

/// Witnesses by property and place, as in `0` and `0 p2:4`.
[[nodiscard]] Json witnesses_json(const PropertyAnswers& answers, const Json& checked,
                                  const Computation& computation) {
  Json witnesses = Json::object();
  std::uint32_t index = 0;
  for (const Json& property : checked.find("properties")->items()) {
    const std::string number = std::to_string(index);
    witnesses[number] = answers.witness(index, {});
    for (const char* where : {"at", "missing"}) {
      const Json& places = *property.find(where);
      const auto& processes = places.find("process")->items();
      const auto& ranks = places.find("rank")->items();
      for (std::size_t i = 0; i < std::min(processes.size(), most_witnesses); ++i) {
        const auto process = static_cast<ProcessIndex>(*processes[i].natural());
        const std::string place =
            fmt::format("{}:{}", computation.process_name(process), *ranks[i].natural());
        witnesses[number + " " + place] = answers.witness(index, place);
      }
    }
    ++index;
  }
  return witnesses;
}

[[nodiscard]] Json embedded_json(const ViewOptions& options,
                                 const std::shared_ptr<const TraceSnapshot>& trace,
                                 const std::string& path, const std::string& properties) {
  Json json = trace_json(*trace);
  json["name"] = std::filesystem::path(path).filename().string();
  json["properties"] = properties;
  json["properties_file"] = std::filesystem::path(options.properties).filename().string();
  json["problem"] = "";
  Json embedded{{"trace", std::move(json)}, {"races", races_json(*trace)}};
  if (!options.properties.empty()) {
    PropertyAnswers answers(seconds_per_exported_property);
    Json checked = answers.check(trace, properties);
    if (!checked.contains("error")) {
      embedded["witnesses"] = witnesses_json(answers, checked, trace->computation());
    }
    embedded["check"] = std::move(checked);
  }
  embedded["columns"] = base64(ColumnPacker(*trace).pack());
  return embedded;
}

/// JSON that cannot end the element that it stands in.
[[nodiscard]] std::string safe_in_html(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

[[nodiscard]] Expected<void> check_size(const Reading& reading, const std::string& path) {
  const std::uint32_t events = reading.computation.event_count();
  if (events <= most_exported_events) return {};
  return failure(fmt::format("the trace has {} events, and an exported page holds at most {}",
                             events, most_exported_events),
                 path, 0,
                 "leave out --export to see all of it, and save what is visible as SVG or PNG");
}

/// Whoever gets the page cannot mend the properties, so they must be right.
[[nodiscard]] Expected<void> check_properties(const std::string& text, const std::string& path,
                                              const Reading& reading) {
  const auto parsed = parse_properties(text, path);
  if (!parsed) return failure(parsed.error());
  const auto known = check_names(parsed->syntax(), reading.computation);
  if (!known) return failure(known.error());
  return {};
}

[[nodiscard]] Expected<void> write_page(const std::string& path, const std::string& data) {
  const std::string_view page = view_page();
  const std::size_t mark = page.find(embedded_data_mark);
  LIGHTCONE_ASSERT(mark != std::string_view::npos);
  auto file = OutputFile::create(path);
  if (!file) return failure(file.error());
  file->write(page.substr(0, mark));
  file->write(data);
  file->write(page.substr(mark + embedded_data_mark.size()));
  return file->commit();
}

}  // namespace

Expected<void> export_view(const ViewOptions& options, Reading reading) {
  if (auto fits = check_size(reading, options.trace.path); !fits) return fits;
  const auto properties = property_text(options);
  if (!properties) return failure(properties.error());
  if (auto usable = check_properties(*properties, options.properties, reading); !usable) {
    return usable;
  }
  const auto trace =
      std::make_shared<const TraceSnapshot>(std::move(reading), 1, options.trace.path);
  Json embedded = embedded_json(options, trace, options.trace.path, *properties);
  if (!options.second.empty()) {
    auto other = read_second(options);
    if (!other) return failure(other.error());
    if (auto fits = check_size(*other, options.second); !fits) return fits;
    const auto second = std::make_shared<const TraceSnapshot>(std::move(*other), 1, options.second);
    embedded["comparison"] =
        comparison_json({*trace, options.trace.path}, {*second, options.second});
    ViewOptions without_properties = options;
    without_properties.properties.clear();
    embedded["second"] = embedded_json(without_properties, second, options.second, {});
  }
  return write_page(options.exported, safe_in_html(embedded.dump()));
}

}  // namespace lightcone::cli
