// Unknown members may come from any file, so that nothing is taken for granted.
#include <lightcone/trace/otlp/otlp_members.h>

#include <lightcone/trace/spans/kept_members.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <span>

namespace lightcone {
namespace dom = simdjson::dom;
namespace {

using MemberNames = std::span<const std::string_view>;

/// What the writer writes itself, and what the reader would take for it.
constexpr std::array<std::string_view, 14> of_span{"traceId",
                                                   "trace_id",
                                                   "spanId",
                                                   "span_id",
                                                   "parentSpanId",
                                                   "parent_span_id",
                                                   "startTimeUnixNano",
                                                   "start_time_unix_nano",
                                                   "endTimeUnixNano",
                                                   "end_time_unix_nano",
                                                   "name",
                                                   "attributes",
                                                   "events",
                                                   "links"};
constexpr std::array<std::string_view, 4> of_link{"traceId", "trace_id", "spanId", "span_id"};
constexpr std::array<std::string_view, 4> of_item{
    "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"};
constexpr std::array<std::string_view, 1> of_scope{"spans"};
constexpr std::array<std::string_view, 1> of_resource{"attributes"};

class Taken {
 public:
  explicit Taken(OtlpMembers& to) : to_(to) {}

  void all(const dom::object& extra) {
    for (const auto field : extra) {
      if (field.key == "otlp" && field.value.is_object()) {
        otlp(field.value.get_object().value_unsafe());
      } else {
        add(others_, field.key, field.value);
      }
    }
    span_.add_object("lightcone", others_.text());
    to_.span = span_.text();
  }

 private:
  void add(MemberText& to, std::string_view key, const dom::element& value) {
    to_.is_whole = to.add(key, value) && to_.is_whole;
  }

  void otlp(const dom::object& parts) {
    for (const auto part : parts) {
      dom::object object;
      if (part.value.get_object().get(object)) {
        to_.is_whole = false;
      } else if (part.key == "span" || part.key == "event") {
        span(object);
      } else if (part.key == "scopeSpans") {
        to_.scope_spans = without(of_scope, object);
      } else if (part.key == "resourceSpans") {
        item(object);
      } else if (part.key == "links") {
        for (const auto link : object) {
          dom::object members;
          if (link.value.get_object().get(members)) continue;
          to_.links[std::string(link.key)] = without(of_link, members);
        }
      } else {
        to_.is_whole = false;
      }
    }
  }

  void span(const dom::object& members) {
    constexpr std::uint64_t kinds = 6;
    for (const auto field : members) {
      dom::object object;
      std::uint64_t number = 0;
      if (field.key == "kind") {
        if (!field.value.get_uint64().get(number) && number < kinds) to_.kind = number;
      } else if (field.key == "lightcone" && !field.value.get_object().get(object)) {
        for (const auto other : object) add(others_, other.key, other.value);
      } else if (!is_in(of_span, field.key)) {
        add(span_, field.key, field.value);
      }
    }
  }

  void item(const dom::object& members) {
    MemberText text;
    for (const auto field : members) {
      dom::object object;
      if (field.key == "resource") {
        if (!field.value.get_object().get(object)) to_.resource = without(of_resource, object);
      } else if (!is_in(of_item, field.key)) {
        add(text, field.key, field.value);
      }
    }
    to_.resource_spans = text.text();
  }

  [[nodiscard]] std::string without(MemberNames names, const dom::object& members) {
    MemberText text;
    for (const auto field : members) {
      if (!is_in(names, field.key)) add(text, field.key, field.value);
    }
    return text.text();
  }

  [[nodiscard]] static bool is_in(MemberNames names, std::string_view key) {
    return std::find(names.begin(), names.end(), key) != names.end();
  }

  OtlpMembers& to_;
  MemberText span_, others_;
};

}  // namespace

OtlpMembers otlp_members(std::string_view extra) {
  OtlpMembers members;
  if (extra.empty()) return members;
  dom::parser parser;
  dom::object object;
  const std::string text = "{" + std::string(extra) + "}";
  if (parser.parse(text).get_object().get(object)) {
    members.is_whole = false;
  } else {
    Taken(members).all(object);
  }
  return members;
}

}  // namespace lightcone
