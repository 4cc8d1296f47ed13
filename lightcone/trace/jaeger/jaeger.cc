// Reading Jaeger's traces: spans refer to the processes of their trace by short names.
#include <lightcone/trace/jaeger/jaeger.h>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <array>
#include <utility>

namespace lightcone {
namespace dom = simdjson::dom;
namespace {

/// The members that are read; all others are kept.
constexpr std::array<std::string_view, 10> of_span{
    "traceID",  "spanID",    "parentSpanID", "operationName", "startTime",
    "duration", "processID", "references",   "tags",          "logs"};
constexpr std::array<std::string_view, 2> of_entry{"timestamp", "fields"};
constexpr std::array<std::string_view, 2> of_process{"serviceName", "tags"};

/// Keeps what is not known of an object.
void keep(const dom::object& object, std::span<const std::string_view> known, std::string_view name,
          SpanTable& table, KeptTexts& texts, std::size_t index) {
  MemberText others;
  others.add_others(object, known);
  if (others.empty()) return;
  texts.set(index,
            table.names.intern(fmt::format(R"("jaeger": {{"{}": {{{}}}}})", name, others.text())));
}

[[nodiscard]] SpanKind kind_named(std::string_view name) {
  if (name == "server") return SpanKind::server;
  if (name == "client") return SpanKind::client;
  if (name == "producer") return SpanKind::producer;
  if (name == "consumer") return SpanKind::consumer;
  return SpanKind::internal;
}

/// A list that may be missing or null.
[[nodiscard]] bool list_in(const dom::object& object, std::string_view name, dom::array& list,
                           SpanProblem& problem) {
  dom::element value;
  if (object[name].get(value) || value.is_null()) return false;
  if (!value.get_array().get(list)) return true;
  problem = fmt::format("`{}` is not a list", name);
  return false;
}

/// Adds the tags of a list as attributes; `visit` sees each.
template <class Visit>
[[nodiscard]] SpanProblem add_tags(const dom::object& object, std::string_view name,
                                   SpanTable& table, SpanRange& range, const Visit& visit) {
  const std::size_t begin = table.attributes.size();
  dom::array tags;
  SpanProblem problem;
  if (list_in(object, name, tags, problem)) {
    for (const dom::element tag : tags) {
      std::string_view key;
      dom::element value;
      if (tag["key"].get_string().get(key)) return "a tag has no `key` that is a string";
      if (tag["value"].get(value)) continue;
      std::string kept;
      if (const auto spelled = json_value_of(value, kept)) {
        table.add_attribute(key, *spelled);
        visit(key, *spelled);
      }
    }
  }
  range = table.attributes_since(begin);
  return problem;
}

[[nodiscard]] std::string_view text_in(const SpelledValue& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  return text == nullptr ? std::string_view() : *text;
}

[[nodiscard]] SpanProblem read_microseconds(const dom::object& object, std::string_view name,
                                            std::optional<std::uint64_t>& time) {
  dom::element value;
  if (object[name].get(value)) return std::nullopt;
  const auto number = json_natural_of(value);
  time = number ? nanoseconds_of(*number) : std::nullopt;
  if (!time) return fmt::format("`{}` is not a number of microseconds", name);
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_id(const dom::object& object, std::string_view name, SpanId& id) {
  std::string_view text;
  if (object[name].get_string().get(text) || text.empty()) return std::nullopt;
  const auto number = span_id_in(text);
  if (!number) return fmt::format("`{}` is not an id of at most 16 hexadecimal digits", name);
  id = *number;
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_id(const dom::object& object, TraceId& id) {
  std::string_view text;
  const bool is_text = !object["traceID"].get_string().get(text);
  const auto number = is_text ? trace_id_in(text) : std::nullopt;
  if (!number) return "`traceID` is not an id of at most 32 hexadecimal digits";
  id = *number;
  return std::nullopt;
}

/// The first span that this one is a child of is its parent; all others are linked.
[[nodiscard]] SpanProblem add_references(const dom::object& object, Span& span, SpanTable& table) {
  span.links.begin = span.links.end = static_cast<std::uint32_t>(table.links.size());
  dom::array references;
  SpanProblem problem;
  if (!list_in(object, "references", references, problem)) return problem;
  for (const dom::element reference : references) {
    dom::object members;
    if (reference.get_object().get(members)) return "a reference is not an object";
    SpanLink link;
    if ((problem = read_id(members, link.trace))) return problem;
    if ((problem = read_id(members, "spanID", link.span))) return problem;
    std::string_view type;
    const bool is_child = !members["refType"].get_string().get(type) && type == "CHILD_OF";
    if (is_child && span.parent == 0 && link.trace == span.trace) {
      span.parent = link.span;
    } else {
      table.links.push_back(link);
    }
  }
  span.links.end = static_cast<std::uint32_t>(table.links.size());
  return std::nullopt;
}

/// An entry of the log: its field `event` or `message` names it.
[[nodiscard]] SpanProblem add_entry(const dom::element& entry, SpanTable& table) {
  dom::object object;
  if (entry.get_object().get(object)) return "an entry of `logs` is not an object";
  SpanEvent event;
  std::optional<std::uint64_t> time;
  if (auto problem = read_microseconds(object, "timestamp", time)) return problem;
  event.time = time.value_or(0);
  NameIndex by_event = NameIndex::none, by_message = NameIndex::none;
  auto problem = add_tags(object, "fields", table, event.attributes,
                          [&](std::string_view key, const SpelledValue& value) {
                            if (key == "event") by_event = table.names.intern(text_in(value));
                            if (key == "message") by_message = table.names.intern(text_in(value));
                          });
  event.name = by_event != NameIndex::none     ? by_event
               : by_message != NameIndex::none ? by_message
                                               : table.names.intern("log");
  keep(object, of_entry, "log", table, table.kept.events, table.events.size());
  table.events.push_back(event);
  return problem;
}

[[nodiscard]] SpanProblem add_logs(const dom::object& object, Span& span, SpanTable& table) {
  span.events.begin = span.events.end = static_cast<std::uint32_t>(table.events.size());
  dom::array logs;
  SpanProblem problem;
  if (!list_in(object, "logs", logs, problem)) return problem;
  for (const dom::element entry : logs) {
    if ((problem = add_entry(entry, table))) return problem;
  }
  span.events.end = static_cast<std::uint32_t>(table.events.size());
  return std::nullopt;
}

using ProcessResources = tsl::robin_map<std::string_view, std::uint32_t>;

[[nodiscard]] SpanProblem add_process(const dom::object& process, SpanTable& table) {
  const std::size_t begin = table.attributes.size();
  std::string_view service;
  if (!process["serviceName"].get_string().get(service)) {
    table.add_attribute("service.name", service);
  }
  SpanRange tags;
  std::string host, instance;  // as Jaeger's own clients call them
  auto problem =
      add_tags(process, "tags", table, tags, [&](std::string_view key, const SpelledValue& value) {
        if (key == "hostname") host = text_in(value);
        if (key == "client-uuid") instance = text_in(value);
      });
  if (!host.empty()) table.add_attribute("host.name", std::string_view(host));
  if (!instance.empty()) table.add_attribute("service.instance.id", std::string_view(instance));
  keep(process, of_process, "process", table, table.kept.resources, table.resources.size());
  table.resources.push_back(table.attributes_since(begin));
  return problem;
}

[[nodiscard]] SpanProblem add_span(const dom::element& value, const ProcessResources& processes,
                                   SpanTable& table) {
  dom::object object;
  if (value.get_object().get(object)) return "a span is not an object";
  Span span;
  if (auto problem = read_id(object, span.trace)) return problem;
  if (auto problem = read_id(object, "spanID", span.id)) return problem;
  if (span.id == 0) return "a span has no `spanID`, or one of zeros";
  if (auto problem = read_id(object, "parentSpanID", span.parent)) return problem;
  std::string_view name;
  if (object["operationName"].get_string().get(name)) name = {};
  span.name = table.names.intern(name);
  std::optional<std::uint64_t> start, duration;
  if (auto problem = read_microseconds(object, "startTime", start)) return problem;
  if (auto problem = read_microseconds(object, "duration", duration)) return problem;
  if (!start) {
    return fmt::format(
        "span {} has no `startTime`: its place among the events of its process is "
        "not known",
        hex_of(span.id));
  }
  span.start = *start;
  span.end = span.start + std::min(duration.value_or(0), UINT64_MAX - span.start);
  std::string_view process;
  if (object["processID"].get_string().get(process)) process = {};
  const auto resource = processes.find(process);
  if (resource == processes.end()) {
    return fmt::format("span {}: the trace has no process {}", hex_of(span.id), process);
  }
  span.resource = resource->second;
  if (auto problem = add_references(object, span, table)) return problem;
  auto problem = add_tags(
      object, "tags", table, span.attributes, [&](std::string_view key, const SpelledValue& tag) {
        if (key == "span.kind") span.kind = kind_named(text_in(tag));
        const bool says_error =
            (key == "error" && (tag == SpelledValue(true) || text_in(tag) == "true")) ||
            (key == "otel.status_code" && text_in(tag) == "ERROR");
        span.failed = span.failed || says_error;
      });
  if (problem) return problem;
  if ((problem = add_logs(object, span, table))) return problem;
  keep(object, of_span, "span", table, table.kept.starts, table.spans.size());
  table.spans.push_back(span);
  return std::nullopt;
}

[[nodiscard]] SpanProblem add_trace(const dom::element& value, SpanTable& table) {
  dom::object trace;
  if (value.get_object().get(trace)) return "`data` has an item that is not an object";
  ProcessResources processes;
  dom::object listed;
  if (!trace["processes"].get_object().get(listed)) {
    for (const auto field : listed) {
      dom::object process;
      if (field.value.get_object().get(process)) return "a process is not an object";
      processes.emplace(field.key, static_cast<std::uint32_t>(table.resources.size()));
      if (auto problem = add_process(process, table)) return problem;
    }
  }
  dom::array spans;
  if (trace["spans"].get_array().get(spans)) return "a trace has no list `spans`";
  for (const dom::element span : spans) {
    if (auto problem = add_span(span, processes, table)) return problem;
  }
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_unit(const dom::element& unit, JsonUnit::Kind kind, SpanTable& table,
                                    SpanTally& /*tally*/) {
  if (kind == JsonUnit::Kind::item) return add_trace(unit, table);
  dom::array traces;
  if (unit["data"].get_array().get(traces)) return "is not an object with a list `data`";
  for (const dom::element trace : traces) {
    const bool is_elsewhere = kind == JsonUnit::Kind::outline && trace.is_number();
    if (is_elsewhere) continue;
    if (auto problem = add_trace(trace, table)) return problem;
  }
  return std::nullopt;
}

}  // namespace

const SpanFormat& jaeger_format() {
  static const SpanFormat format{
      {"data"}, read_unit, "Jaeger JSON is what its query service answers: an object with `data`"};
  return format;
}

}  // namespace lightcone
