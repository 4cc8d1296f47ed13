// Reading OTLP JSON: members in camelCase as the encoding says, or in snake_case.
#include <lightcone/trace/otlp/otlp.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace lightcone {
namespace dom = simdjson::dom;
namespace {

/// A member as its two spellings.
struct MemberName {
  std::string_view camel, snake;
  /// Inlined, a comparison with a constant is that of one or two numbers.
  [[nodiscard, gnu::always_inline]] constexpr bool operator==(std::string_view key) const {
    return key == camel || key == snake;
  }
};

constexpr MemberName resource_spans{"resourceSpans", "resource_spans"};
constexpr MemberName scope_spans{"scopeSpans", "scope_spans"};
/// What version 0.9 of the protocol and earlier ones called it.
constexpr MemberName library_spans{"instrumentationLibrarySpans", "instrumentation_library_spans"};
constexpr MemberName trace_id{"traceId", "trace_id"};
constexpr MemberName span_id{"spanId", "span_id"};
constexpr MemberName parent_span_id{"parentSpanId", "parent_span_id"};
constexpr MemberName start_time{"startTimeUnixNano", "start_time_unix_nano"};
constexpr MemberName end_time{"endTimeUnixNano", "end_time_unix_nano"};
constexpr MemberName event_time{"timeUnixNano", "time_unix_nano"};
constexpr MemberName string_value{"stringValue", "string_value"};
constexpr MemberName bool_value{"boolValue", "bool_value"};
constexpr MemberName int_value{"intValue", "int_value"};
constexpr MemberName double_value{"doubleValue", "double_value"};
constexpr MemberName array_value{"arrayValue", "array_value"};
constexpr MemberName list_value{"kvlistValue", "kvlist_value"};
constexpr MemberName bytes_value{"bytesValue", "bytes_value"};

/// Members that are only kept. With 0 or an empty text they are the same as none.
constexpr std::array<MemberName, 6> only_kept{
    {{"flags", "flags"},
     {"droppedAttributesCount", "dropped_attributes_count"},
     {"droppedEventsCount", "dropped_events_count"},
     {"droppedLinksCount", "dropped_links_count"},
     {"traceState", "trace_state"},
     {"schemaUrl", "schema_url"}}};

/// Documents that the same exporters write, and that are no spans.
constexpr std::array<MemberName, 4> other_signals{{{"resourceMetrics", "resource_metrics"},
                                                   {"resourceLogs", "resource_logs"},
                                                   {"resourceProfiles", "resource_profiles"},
                                                   {"partialSuccess", "partial_success"}}};

[[nodiscard]] SpanProblem wrong(const MemberName& member, std::string_view wanted) {
  return fmt::format("`{}` is not {}", member.camel, wanted);
}

/// The number of 64 bits that a value spells, as a number or as digits.
[[nodiscard]] std::optional<std::int64_t> integer_of(const dom::element& value) {
  std::int64_t number = 0;
  if (!value.get_int64().get(number)) return number;
  const auto text = json_text_of(value);
  if (!text) return std::nullopt;
  const bool is_negative = text->starts_with('-');
  std::uint64_t digits = 0;
  for (const char c : text->substr(is_negative ? 1 : 0)) {
    if (c < '0' || c > '9' || digits > UINT64_MAX / 10 - 1) return std::nullopt;
    digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
  }
  const std::uint64_t most = std::uint64_t{INT64_MAX} + (is_negative ? 1 : 0);
  if (text->size() <= (is_negative ? 1U : 0U) || digits > most) return std::nullopt;
  return static_cast<std::int64_t>(is_negative ? 0 - digits : digits);
}

/// A number, or the text that stands for one that is not finite.
[[nodiscard]] std::optional<double> real_of(const dom::element& value) {
  double number = 0;
  if (!value.get_double().get(number)) return number;
  const auto text = json_text_of(value);
  if (!text) return std::nullopt;
  if (*text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (*text == "Infinity") return std::numeric_limits<double>::infinity();
  if (*text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

/// What a value of any kind is: the member that says it, and its value.
struct AnyValue {
  std::string_view kind;
  dom::element value;
};

[[nodiscard]] std::optional<AnyValue> any_value_of(const dom::element& value) {
  dom::object object;
  if (value.get_object().get(object)) return std::nullopt;
  for (const auto field : object) return AnyValue{field.key, field.value};
  return AnyValue{};
}

/// Calls `visit` with each item of the member `values` of a list.
template <class Visit>
void for_each_value(const dom::element& list, const Visit& visit) {
  dom::array values;
  if (list["values"].get_array().get(values)) return;
  for (const dom::element item : values) visit(item);
}

/// Appends plain JSON for a value that is or holds a list.
void append_plain(std::string& out, const dom::element& value) {
  const auto any = any_value_of(value);
  if (!any || any->kind.empty()) {
    out += "null";
  } else if (array_value == any->kind) {
    out += '[';
    for_each_value(any->value, [&](const dom::element& item) {
      if (out.back() != '[') out += ',';
      append_plain(out, item);
    });
    out += ']';
  } else if (list_value == any->kind) {
    out += '{';
    for_each_value(any->value, [&](const dom::element& item) {
      dom::element key, inner;
      if (item["key"].get(key) || !key.is_string() || item["value"].get(inner)) return;
      if (out.back() != '{') out += ',';
      out += json_string(json_text_of(key).value_or(""));
      out += ':';
      append_plain(out, inner);
    });
    out += '}';
  } else if (int_value == any->kind && integer_of(any->value)) {
    out += std::to_string(*integer_of(any->value));
  } else {
    out += simdjson::minify(any->value);
  }
}

[[nodiscard]] SpanProblem add_attribute(const dom::element& attribute, SpanTable& table) {
  dom::object object;
  if (attribute.get_object().get(object)) return "an attribute is not an object";
  std::optional<std::string_view> name;
  std::optional<AnyValue> any = AnyValue{};
  dom::element value;
  for (const auto field : object) {
    if (field.key == "key") {
      name = json_text_of(field.value);
    } else if (field.key == "value" && !field.value.is_null()) {
      value = field.value;
      any = any_value_of(value);
    }
  }
  if (!name) return "an attribute has no `key` that is a string";
  if (!any) return fmt::format("the value of attribute {} is not an object", *name);
  const auto bad = [&](const MemberName& kind) {
    return fmt::format("attribute {}: `{}` has a value of another type", *name, kind.camel);
  };
  if (any->kind.empty() || any->value.is_null()) return std::nullopt;
  if (string_value == any->kind || bytes_value == any->kind) {
    const auto text = json_text_of(any->value);
    if (!text) return bad(string_value);
    table.add_attribute(*name, *text);
  } else if (int_value == any->kind) {
    const auto number = integer_of(any->value);
    if (!number) return bad(int_value);
    table.add_attribute(*name, *number);
  } else if (bool_value == any->kind) {
    bool truth = false;
    if (any->value.get_bool().get(truth)) return bad(bool_value);
    table.add_attribute(*name, truth);
  } else if (double_value == any->kind) {
    const auto number = real_of(any->value);
    if (!number) return bad(double_value);
    table.add_attribute(*name, *number);
  } else {
    std::string text;
    append_plain(text, value);
    table.add_attribute(*name, std::string_view(text));
  }
  return std::nullopt;
}

[[nodiscard]] SpanProblem add_attributes(const dom::element& list, SpanTable& table,
                                         SpanRange& range) {
  const std::size_t begin = table.attributes.size();
  dom::array attributes;
  if (!list.is_null() && list.get_array().get(attributes)) return "`attributes` is not a list";
  if (!list.is_null()) {
    for (const dom::element attribute : attributes) {
      if (auto problem = add_attribute(attribute, table)) return problem;
    }
  }
  range = table.attributes_since(begin);
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_time(const MemberName& member, const dom::element& value,
                                    std::uint64_t& time) {
  const auto number = json_natural_of(value);
  if (!number) return wrong(member, "a number of nanoseconds");
  time = *number;
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_id(const MemberName& member, const dom::element& value, SpanId& id) {
  const auto text = json_text_of(value);
  if (text && text->empty()) return std::nullopt;
  const auto number = text ? span_id_in(*text) : std::nullopt;
  if (!number) return wrong(member, "an id of at most 16 hexadecimal digits");
  id = *number;
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_id(const dom::element& value, TraceId& id) {
  const auto text = json_text_of(value);
  const auto number = text ? trace_id_in(*text) : std::nullopt;
  if (!number) return wrong(trace_id, "an id of at most 32 hexadecimal digits");
  id = *number;
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_kind(const dom::element& value, SpanKind& kind) {
  constexpr std::array<SpanKind, 6> kinds{SpanKind::internal, SpanKind::internal,
                                          SpanKind::server,   SpanKind::client,
                                          SpanKind::producer, SpanKind::consumer};
  constexpr std::array<std::string_view, 6> names{"SPAN_KIND_UNSPECIFIED", "SPAN_KIND_INTERNAL",
                                                  "SPAN_KIND_SERVER",      "SPAN_KIND_CLIENT",
                                                  "SPAN_KIND_PRODUCER",    "SPAN_KIND_CONSUMER"};
  auto number = json_natural_of(value);
  if (const auto text = json_text_of(value); text && !number) {
    const auto found = std::find(names.begin(), names.end(), *text);
    number = static_cast<std::uint64_t>(found - names.begin());
  }
  if (!number || *number >= kinds.size()) return "`kind` is not a kind of span";
  kind = kinds[*number];
  return std::nullopt;
}

/// Returns whether a status says that something went wrong.
[[nodiscard]] bool is_error(const dom::element& status) {
  constexpr std::uint64_t error_code = 2;
  dom::element code;
  if (status["code"].get(code)) return false;
  return json_natural_of(code) == error_code || json_text_of(code) == "STATUS_CODE_ERROR";
}

/// Returns whether a value is one that a member has where it is missing.
[[nodiscard]] bool is_nothing(const dom::element& value) {
  std::int64_t number = 1;
  if (!value.get_int64().get(number)) return number == 0;
  const auto text = json_text_of(value);
  return text && text->empty();
}

/// Keeps a member that is not known.
void keep(MemberText& members, std::string_view key, const dom::element& value) {
  const auto has_key = [&](const MemberName& member) { return member == key; };
  if (is_nothing(value) && std::any_of(only_kept.begin(), only_kept.end(), has_key)) return;
  members.add(key, value);
}

/// A status that says more than that nothing is said; its members are kept.
void keep_status(MemberText& members, const dom::element& status) {
  dom::object object;
  if (status.get_object().get(object)) return;
  bool says_more = false;
  for (const auto field : object) {
    const bool is_unset = is_nothing(field.value) || field.value.is_null() ||
                          json_text_of(field.value) == "STATUS_CODE_UNSET";
    says_more = says_more || !is_unset;
  }
  if (says_more) members.add("status", status);
}

/// Unknown members as an event holds them.
[[nodiscard]] NameIndex kept_text(SpanTable& table, std::string_view of,
                                  const std::string& members) {
  return table.names.intern(fmt::format(R"("otlp": {{"{}": {{{}}}}})", of, members));
}

[[nodiscard]] SpanProblem add_event(const dom::element& value, SpanTable& table) {
  dom::object object;
  if (value.get_object().get(object)) return "an event is not an object";
  SpanEvent event;
  event.name = table.names.intern("");
  MemberText others;
  for (const auto field : object) {
    SpanProblem problem;
    if (event_time == field.key) {
      problem = read_time(event_time, field.value, event.time);
    } else if (field.key == "name") {
      event.name = table.names.intern(json_text_of(field.value).value_or(""));
    } else if (field.key == "attributes") {
      problem = add_attributes(field.value, table, event.attributes);
    } else {
      keep(others, field.key, field.value);
    }
    if (problem) return problem;
  }
  if (!others.empty()) {
    table.kept.events.set(table.events.size(), kept_text(table, "event", others.text()));
  }
  table.events.push_back(event);
  return std::nullopt;
}

[[nodiscard]] SpanProblem add_link(const dom::element& value, SpanTable& table) {
  dom::object object;
  if (value.get_object().get(object)) return "a link is not an object";
  SpanLink link;
  MemberText others;
  for (const auto field : object) {
    SpanProblem problem;
    if (trace_id == field.key) {
      problem = read_id(field.value, link.trace);
    } else if (span_id == field.key) {
      problem = read_id(span_id, field.value, link.span);
    } else {
      keep(others, field.key, field.value);
    }
    if (problem) return problem;
  }
  if (!others.empty()) table.kept.links.set(table.links.size(), table.names.intern(others.text()));
  table.links.push_back(link);
  return std::nullopt;
}

/// Calls `add` with each item of a list.
template <class Add>
[[nodiscard]] SpanProblem for_each_item(std::string_view name, const dom::element& list,
                                        const Add& add) {
  if (list.is_null()) return std::nullopt;
  dom::array items;
  if (list.get_array().get(items)) return fmt::format("`{}` is not a list", name);
  for (const dom::element item : items) {
    if (auto problem = add(item)) return problem;
  }
  return std::nullopt;
}

/// Where spans stand, and what is used for one after the other.
struct SpanPlace {
  std::uint32_t resource = 0;
  std::string scope;            // unknown members of the item of `scopeSpans`, with their brackets
  MemberText of_start, of_end;  // of the span at hand
  std::string text;
  std::string last_text;  // of the span before: spans of one program often have the same
  NameIndex last = NameIndex::none;

  /// Unknown members of the start of a span, as an event holds them.
  [[nodiscard]] NameIndex start_text(SpanTable& table) {
    text = R"("otlp": {)";
    if (!of_start.empty()) text.append(R"("span": {)").append(of_start.text()).append("}");
    if (!of_start.empty() && !scope.empty()) text += ", ";
    if (!scope.empty()) text.append(R"("scopeSpans": )").append(scope);
    text += '}';
    if (last == NameIndex::none || text != last_text) {
      last = table.names.intern(text);
      std::swap(text, last_text);
    }
    return last;
  }

  /// Called before the span is added to the table.
  void keep_members(SpanTable& table) {
    if (!of_start.empty() || !scope.empty()) {
      table.kept.starts.set(table.spans.size(), start_text(table));
    }
    if (!of_end.empty()) {
      table.kept.ends.set(table.spans.size(), kept_text(table, "span", of_end.text()));
    }
  }
};

/// A span while its members are read, in any order.
struct SpanMembers {
  SpanPlace& place;
  Span span = {};
  bool has_trace = false, has_start = false, has_end = false;

  [[nodiscard]] SpanProblem read(std::string_view key, const dom::element& value,
                                 SpanTable& table) {
    if (trace_id == key) {
      has_trace = true;
      return read_id(value, span.trace);
    }
    if (span_id == key) return read_id(span_id, value, span.id);
    if (parent_span_id == key) return read_id(parent_span_id, value, span.parent);
    if (key == "name") {
      span.name = table.names.intern(json_text_of(value).value_or(""));
    } else if (key == "kind") {
      return read_kind(value, span.kind);
    } else if (start_time == key) {
      has_start = true;
      return read_time(start_time, value, span.start);
    } else if (end_time == key) {
      has_end = true;
      return read_time(end_time, value, span.end);
    } else if (key == "attributes") {
      return add_attributes(value, table, span.attributes);
    } else if (key == "status") {
      span.failed = is_error(value);
      keep_status(place.of_end, value);
    } else {
      keep(place.of_start, key, value);
    }
    return std::nullopt;
  }
};

[[nodiscard]] SpanProblem add_span(const dom::element& value, SpanPlace& place, SpanTable& table) {
  dom::object object;
  if (value.get_object().get(object)) return "a span is not an object";
  place.of_start.clear();
  place.of_end.clear();
  SpanMembers members{place};
  Span& span = members.span;
  span.resource = place.resource;
  const auto begin_of = [](const auto& items) { return static_cast<std::uint32_t>(items.size()); };
  span.events.begin = span.events.end = begin_of(table.events);
  span.links.begin = span.links.end = begin_of(table.links);
  for (const auto field : object) {
    SpanProblem problem;
    if (field.key == "events") {
      problem = for_each_item("events", field.value,
                              [&](const dom::element& item) { return add_event(item, table); });
      span.events.end = begin_of(table.events);
    } else if (field.key == "links") {
      problem = for_each_item("links", field.value,
                              [&](const dom::element& item) { return add_link(item, table); });
      span.links.end = begin_of(table.links);
    } else {
      problem = members.read(field.key, field.value, table);
    }
    if (problem) return problem;
  }
  if (!members.has_trace) return "a span has no `traceId`";
  if (span.id == 0) return "a span has no `spanId`, or one of zeros";
  if (!members.has_start) {
    return fmt::format(
        "span {} has no `startTimeUnixNano`: its place among the events of its "
        "process is not known",
        hex_of(span.id));
  }
  if (!members.has_end) span.end = span.start;
  if (span.name == NameIndex::none) span.name = table.names.intern("");
  // Messages of the computation show what the kind meant, but not the kind.
  constexpr std::uint64_t first_kind = 1;
  if (span.kind != SpanKind::internal) {
    place.of_start.add("kind", static_cast<std::uint64_t>(span.kind) + first_kind);
  }
  place.keep_members(table);
  table.spans.push_back(span);
  return std::nullopt;
}

/// Keeps what is not known of a resource, and of the item of `resourceSpans` that has it.
void keep_resource(const dom::object& item, std::size_t resource, SpanTable& table) {
  MemberText of_item, of_resource;
  for (const auto field : item) {
    dom::object object;
    if (scope_spans == field.key || library_spans == field.key) continue;
    if (field.key != "resource") {
      keep(of_item, field.key, field.value);
    } else if (!field.value.get_object().get(object)) {
      for (const auto member : object) {
        if (member.key != "attributes") keep(of_resource, member.key, member.value);
      }
    }
  }
  of_item.add_object("resource", of_resource.text());
  if (of_item.empty()) return;
  table.kept.resources.set(resource, kept_text(table, "resourceSpans", of_item.text()));
}

/// What is not known of an item of `scopeSpans`, with brackets; or an empty text.
[[nodiscard]] std::string kept_of_scope(const dom::object& item) {
  MemberText members;
  for (const auto field : item) {
    dom::object object;
    const bool is_empty = !field.value.get_object().get(object) && object.size() == 0;
    const bool has_spans = field.key == "spans";
    const bool says_nothing = is_empty || is_nothing(field.value);
    if (!has_spans && !says_nothing) members.add(field.key, field.value);
  }
  constexpr std::size_t longest = 1024;  // each span of the scope may need a copy
  const bool is_kept = !members.empty() && members.text().size() <= longest;
  return is_kept ? "{" + members.text() + "}" : std::string();
}

/// Spans of one resource, which may stand behind them.
[[nodiscard]] SpanProblem add_resource(const dom::element& value, SpanTable& table) {
  dom::object object;
  if (value.get_object().get(object)) return "`resourceSpans` has an item that is no object";
  const auto resource = static_cast<std::uint32_t>(table.resources.size());
  table.resources.emplace_back();
  for (const auto field : object) {
    if (field.key != "resource") continue;
    dom::element attributes;
    if (field.value["attributes"].get(attributes)) continue;
    SpanRange range;
    if (auto problem = add_attributes(attributes, table, range)) return problem;
    table.resources[resource] = range;
  }
  keep_resource(object, resource, table);
  SpanPlace place;
  place.resource = resource;
  const auto add_scope = [&](const dom::element& scope) -> SpanProblem {
    dom::object members;
    if (scope.get_object().get(members)) return "`scopeSpans` has an item that is no object";
    place.scope = kept_of_scope(members);
    for (const auto field : members) {
      if (field.key != "spans") continue;
      auto problem = for_each_item("spans", field.value, [&](const dom::element& item) {
        return add_span(item, place, table);
      });
      if (problem) return problem;
    }
    return std::nullopt;
  };
  for (const auto field : object) {
    if (!(scope_spans == field.key) && !(library_spans == field.key)) continue;
    if (auto problem = for_each_item("scopeSpans", field.value, add_scope)) return problem;
  }
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_document(const dom::element& value, JsonUnit::Kind kind,
                                        SpanTable& table, SpanTally& tally) {
  dom::object object;
  if (value.get_object().get(object)) return "is not an object with `resourceSpans`";
  bool has_spans = object.begin() == object.end();  // an empty export
  bool has_others = false;
  for (const auto field : object) {
    if (resource_spans == field.key) {
      has_spans = true;
      const auto add = [&](const dom::element& item) -> SpanProblem {
        const bool is_elsewhere = kind == JsonUnit::Kind::outline && item.is_number();
        return is_elsewhere ? std::nullopt : add_resource(item, table);
      };
      if (auto problem = for_each_item("resourceSpans", field.value, add)) return problem;
    }
    for (const MemberName& other : other_signals) has_others = has_others || other == field.key;
  }
  if (has_spans) return std::nullopt;
  if (!has_others) return "has no `resourceSpans`";
  ++tally["without spans passed over"];
  return std::nullopt;
}

[[nodiscard]] SpanProblem read_unit(const dom::element& unit, JsonUnit::Kind kind, SpanTable& table,
                                    SpanTally& tally) {
  if (kind == JsonUnit::Kind::item) return add_resource(unit, table);
  return read_document(unit, kind, table, tally);
}

}  // namespace

const SpanFormat& otlp_format() {
  static const SpanFormat format{
      {resource_spans.camel, resource_spans.snake},
      read_unit,
      "OTLP JSON is an object with `resourceSpans`, or one such object per line"};
  return format;
}

}  // namespace lightcone
