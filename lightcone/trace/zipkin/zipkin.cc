// Reading Zipkin's spans: each names its service itself, and both halves of a call may share an id.
#include <lightcone/trace/zipkin/zipkin.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lightcone {
namespace dom = simdjson::dom;
namespace {

/// Tags that say which process made the span, as exporters write those of resources.
constexpr std::array<std::string_view, 4> tags_of_resources{"service.instance.id", "host.name",
                                                            "host.id", "process.pid"};

/// The members that are read and that a computation shows; all others are kept.
constexpr std::array<std::string_view, 9> of_span{"traceId",       "id",       "parentId",
                                                  "name",          "tags",     "timestamp",
                                                  "localEndpoint", "duration", "annotations"};
constexpr std::array<std::string_view, 1> of_endpoint{"serviceName"};
constexpr std::array<std::string_view, 2> of_annotation{"timestamp", "value"};

[[nodiscard]] NameIndex kept_text(SpanTable& table, std::string_view of,
                                  const MemberText& members) {
  return table.names.intern(fmt::format(R"("zipkin": {{"{}": {{{}}}}})", of, members.text()));
}

void keep_members(const dom::object& object, SpanTable& table) {
  MemberText others, of_local;
  dom::object endpoint;
  others.add_others(object, of_span);
  if (!object["localEndpoint"].get_object().get(endpoint)) {
    of_local.add_others(endpoint, of_endpoint);
  }
  others.add_object("localEndpoint", of_local.text());
  if (others.empty()) return;
  table.kept.starts.set(table.spans.size(), kept_text(table, "span", others));
}

[[nodiscard]] SpanProblem read_microseconds(const dom::object& object, std::string_view name,
                                            std::optional<std::uint64_t>& time) {
  dom::element value;
  if (object[name].get(value) || value.is_null()) return std::nullopt;
  const auto number = json_natural_of(value);
  time = number ? nanoseconds_of(*number) : std::nullopt;
  if (!time) return fmt::format("`{}` is not a number of microseconds", name);
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_ids(const dom::object& object, Span& span) {
  std::string_view text;
  const bool has_trace = !object["traceId"].get_string().get(text);
  const auto trace = has_trace ? trace_id_in(text) : std::nullopt;
  if (!trace) return "`traceId` is not an id of at most 32 hexadecimal digits";
  span.trace = *trace;
  const bool has_id = !object["id"].get_string().get(text);
  const auto id = has_id ? span_id_in(text) : std::nullopt;
  if (!id || *id == 0) return "`id` is not an id of at most 16 hexadecimal digits, or is zero";
  span.id = *id;
  if (object["parentId"].get_string().get(text) || text.empty()) return std::nullopt;
  const auto parent = span_id_in(text);
  if (!parent) return "`parentId` is not an id of at most 16 hexadecimal digits";
  span.parent = *parent;
  return std::nullopt;
}

[[nodiscard]] SpanKind kind_of(const dom::object& object) {
  std::string_view name;
  if (object["kind"].get_string().get(name)) return SpanKind::internal;
  if (name == "SERVER") return SpanKind::server;
  if (name == "CLIENT") return SpanKind::client;
  if (name == "PRODUCER") return SpanKind::producer;
  if (name == "CONSUMER") return SpanKind::consumer;
  return SpanKind::internal;
}

[[nodiscard]] SpanProblem add_tags(const dom::object& object, Span& span, SpanTable& table) {
  const std::size_t begin = table.attributes.size();
  dom::element value;
  dom::object tags;
  const bool has_tags = !object["tags"].get(value) && !value.is_null();
  if (has_tags && value.get_object().get(tags)) return "`tags` is not an object";
  if (has_tags) {
    for (const auto tag : tags) {
      std::string kept;
      if (const auto spelled = json_value_of(tag.value, kept)) {
        table.add_attribute(tag.key, *spelled);
      }
      const bool says_no = tag.value.is_string() && json_text_of(tag.value) == "false";
      if (tag.key == "error" && !says_no) span.failed = true;
    }
  }
  span.attributes = table.attributes_since(begin);
  return std::nullopt;
}

/// Who made the span: its service, and what its tags say about the process.
void add_resource(const dom::object& object, Span& span, SpanTable& table) {
  const std::size_t begin = table.attributes.size();
  dom::object endpoint;
  std::string_view service;
  if (!object["localEndpoint"].get_object().get(endpoint) &&
      !endpoint["serviceName"].get_string().get(service)) {
    table.add_attribute("service.name", service);
  }
  for (std::uint32_t i = span.attributes.begin; i < span.attributes.end; ++i) {
    const Assignment tag = table.attributes[i];
    const std::string_view name = table.names[tag.variable];
    const auto* found = std::find(tags_of_resources.begin(), tags_of_resources.end(), name);
    if (found != tags_of_resources.end()) table.attributes.push_back(tag);
  }
  span.resource = static_cast<std::uint32_t>(table.resources.size());
  table.resources.push_back(table.attributes_since(begin));
}

[[nodiscard]] SpanProblem add_annotations(const dom::object& object, Span& span, SpanTable& table) {
  span.events.begin = span.events.end = static_cast<std::uint32_t>(table.events.size());
  dom::element value;
  if (object["annotations"].get(value) || value.is_null()) return std::nullopt;
  dom::array annotations;
  if (value.get_array().get(annotations)) return "`annotations` is not a list";
  for (const dom::element item : annotations) {
    dom::object annotation;
    if (item.get_object().get(annotation)) return "an annotation is not an object";
    std::optional<std::uint64_t> time;
    if (auto problem = read_microseconds(annotation, "timestamp", time)) return problem;
    std::string_view name;
    if (annotation["value"].get_string().get(name)) name = {};
    MemberText others;
    others.add_others(annotation, of_annotation);
    if (!others.empty()) {
      table.kept.events.set(table.events.size(), kept_text(table, "annotation", others));
    }
    const auto none_yet = static_cast<std::uint32_t>(table.attributes.size());
    table.events.push_back({time.value_or(0), table.names.intern(name), {none_yet, none_yet}});
  }
  span.events.end = static_cast<std::uint32_t>(table.events.size());
  return std::nullopt;
}

[[nodiscard]] SpanProblem add_span(const dom::element& value, SpanTable& table) {
  dom::object object;
  if (value.get_object().get(object)) return "a span is not an object";
  Span span;
  if (auto problem = read_ids(object, span)) return problem;
  span.kind = kind_of(object);
  std::string_view name;
  if (object["name"].get_string().get(name)) name = {};
  span.name = table.names.intern(name);
  bool shared = false;
  span.shared = !object["shared"].get_bool().get(shared) && shared;
  std::optional<std::uint64_t> start, duration;
  if (auto problem = read_microseconds(object, "timestamp", start)) return problem;
  if (auto problem = read_microseconds(object, "duration", duration)) return problem;
  if (!start) {
    return fmt::format(
        "span {} has no `timestamp`: its place among the events of its process is "
        "not known",
        hex_of(span.id));
  }
  span.start = *start;
  span.end = span.start + std::min(duration.value_or(0), UINT64_MAX - span.start);
  if (auto problem = add_tags(object, span, table)) return problem;
  add_resource(object, span, table);
  if (auto problem = add_annotations(object, span, table)) return problem;
  span.links.begin = span.links.end = static_cast<std::uint32_t>(table.links.size());
  keep_members(object, table);
  table.spans.push_back(span);
  return std::nullopt;
}

/// A span, or a list of spans and lists.
[[nodiscard]] SpanProblem add_all(const dom::element& value, JsonUnit::Kind kind,
                                  SpanTable& table) {
  dom::array items;
  if (value.get_array().get(items)) return add_span(value, table);
  for (const dom::element item : items) {
    if (kind == JsonUnit::Kind::outline && item.is_number()) continue;
    if (auto problem = add_all(item, kind, table)) return problem;
  }
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_unit(const dom::element& unit, JsonUnit::Kind kind, SpanTable& table,
                                    SpanTally& /*tally*/) {
  return add_all(unit, kind, table);
}

}  // namespace

const SpanFormat& zipkin_format() {
  static const SpanFormat format{
      {}, read_unit, "Zipkin JSON is a list of spans, or a list of such lists"};
  return format;
}

}  // namespace lightcone
