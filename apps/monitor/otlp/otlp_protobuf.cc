// Reads the fields that matter of OTLP's messages, straight from the wire.
#include "otlp/otlp_protobuf.h"

#include <fmt/format.h>
#include <lightcone/base/json_text.h>

#include <bit>
#include <optional>

namespace lightcone::service {
namespace {

constexpr int deepest_value = 16;  // lists within lists

/// What is wrong with the bytes; thrown, and turned into an Error before it leaves this file.
struct BadMessage {
  const char* what;
};

/// A field of a message.
struct Field {
  std::uint32_t number = 0;
  std::uint32_t type = 0;
  std::uint64_t value = 0;      // of a number, and of one of fixed size
  std::string_view bytes = {};  // of all else
};

/// The fields of a message, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : left_(bytes) {}

  [[nodiscard]] std::optional<Field> next() {
    if (left_.empty()) return std::nullopt;
    const std::uint64_t key = number();
    Field field{static_cast<std::uint32_t>(key >> 3), static_cast<std::uint32_t>(key & 7)};
    if (field.number == 0) throw BadMessage{"a field has the number 0"};
    switch (field.type) {
      case 0: field.value = number(); break;
      case 1: field.value = fixed(8); break;
      case 2: field.bytes = take(number()); break;
      case 5: field.value = fixed(4); break;
      default: throw BadMessage{"a field has a type that does not exist"};
    }
    return field;
  }

 private:
  [[nodiscard]] std::string_view take(std::uint64_t size) {
    if (size > left_.size()) throw BadMessage{"it ends in the middle of a field"};
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  [[nodiscard]] std::uint64_t fixed(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view taken = take(size);
    for (std::size_t i = 0; i < size; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
    }
    return value;
  }
  [[nodiscard]] std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      if (shift < 64) value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
    throw BadMessage{"a number has more than ten bytes"};
  }

  std::string_view left_;
};

[[nodiscard]] std::string_view bytes_in(const Field& field) {
  if (field.type != 2) throw BadMessage{"a field has a value of another type"};
  return field.bytes;
}

/// An id of up to 8 bytes.
[[nodiscard]] std::uint64_t id_in(std::string_view bytes) {
  std::uint64_t id = 0;
  for (const char byte : bytes) id = id << 8 | static_cast<unsigned char>(byte);
  return id;
}

[[nodiscard]] TraceId trace_id_of(const Field& field) {
  const std::string_view bytes = bytes_in(field);
  if (bytes.size() != 16) throw BadMessage{"the id of a trace has not 16 bytes"};
  return {id_in(bytes.substr(0, 8)), id_in(bytes.substr(8))};
}

[[nodiscard]] SpanId span_id_of(const Field& field) {
  const std::string_view bytes = bytes_in(field);
  if (!bytes.empty() && bytes.size() != 8) throw BadMessage{"the id of a span has not 8 bytes"};
  return id_in(bytes);
}

struct KeyedValue {
  std::string_view key;
  std::optional<std::string_view> value;
};

[[nodiscard]] KeyedValue keyed_value(std::string_view message) {
  KeyedValue found;
  Fields fields(message);
  while (const auto field = fields.next()) {
    if (field->number == 1) found.key = bytes_in(*field);
    if (field->number == 2) found.value = bytes_in(*field);
  }
  return found;
}

/// A value of any kind as JSON text.
void append_json(std::string& out, std::string_view value, int depth) {
  if (depth > deepest_value) throw BadMessage{"lists are nested too deep"};
  const std::size_t before = out.size();
  Fields fields(value);
  while (const auto field = fields.next()) {
    out.resize(before);
    switch (field->number) {
      case 1:
      case 7: out += json_string(bytes_in(*field)); break;
      case 2: out += field->value != 0 ? "true" : "false"; break;
      case 3: out += fmt::format("{}", static_cast<std::int64_t>(field->value)); break;
      case 4: out += json_real(std::bit_cast<double>(field->value)); break;
      case 5: {
        out += '[';
        Fields items(bytes_in(*field));
        while (const auto item = items.next()) {
          if (out.back() != '[') out += ',';
          append_json(out, bytes_in(*item), depth + 1);
        }
        out += ']';
        break;
      }
      case 6: {
        out += '{';
        Fields items(bytes_in(*field));
        while (const auto item = items.next()) {
          const KeyedValue entry = keyed_value(bytes_in(*item));
          if (out.back() != '{') out += ',';
          out += json_string(entry.key) + ':';
          append_json(out, entry.value.value_or(""), depth + 1);
        }
        out += '}';
        break;
      }
      default: break;
    }
  }
  if (out.size() == before) out += "null";
}

void add_attribute(std::string_view message, SpanTable& table) {
  const KeyedValue attribute = keyed_value(message);
  if (!attribute.value) return;
  Fields fields(*attribute.value);
  while (const auto field = fields.next()) {
    switch (field->number) {
      case 1:
      case 7: table.add_attribute(attribute.key, bytes_in(*field)); return;
      case 2: table.add_attribute(attribute.key, field->value != 0); return;
      case 3: table.add_attribute(attribute.key, static_cast<std::int64_t>(field->value)); return;
      case 4: table.add_attribute(attribute.key, std::bit_cast<double>(field->value)); return;
      case 5:
      case 6: {
        std::string text;
        append_json(text, *attribute.value, 0);
        table.add_attribute(attribute.key, std::string_view(text));
        return;
      }
      default: break;
    }
  }
}

/// The attributes that a message has as fields of this number.
[[nodiscard]] SpanRange add_attributes(std::string_view message, std::uint32_t number,
                                       SpanTable& table) {
  const std::size_t begin = table.attributes.size();
  Fields fields(message);
  while (const auto field = fields.next()) {
    if (field->number == number) add_attribute(bytes_in(*field), table);
  }
  return table.attributes_since(begin);
}

void add_event(std::string_view message, SpanTable& table) {
  SpanEvent event;
  event.name = table.names.intern("");
  Fields fields(message);
  while (const auto field = fields.next()) {
    if (field->number == 1) event.time = field->value;
    if (field->number == 2) event.name = table.names.intern(bytes_in(*field));
  }
  event.attributes = add_attributes(message, 3, table);
  table.events.push_back(event);
}

void add_link(std::string_view message, SpanTable& table) {
  SpanLink link;
  Fields fields(message);
  while (const auto field = fields.next()) {
    if (field->number == 1) link.trace = trace_id_of(*field);
    if (field->number == 2) link.span = span_id_of(*field);
  }
  table.links.push_back(link);
}

[[nodiscard]] bool is_failed(std::string_view status) {
  constexpr std::uint64_t error_code = 2;
  bool failed = false;
  Fields fields(status);
  while (const auto field = fields.next()) {
    if (field->number == 3) failed = field->value == error_code;
  }
  return failed;
}

[[nodiscard]] SpanKind kind_of(std::uint64_t value) {
  switch (value) {
    case 2: return SpanKind::server;
    case 3: return SpanKind::client;
    case 4: return SpanKind::producer;
    case 5: return SpanKind::consumer;
    default: return SpanKind::internal;
  }
}

void add_span(std::string_view message, std::uint32_t resource, SpanTable& table) {
  Span span;
  span.resource = resource;
  span.name = table.names.intern("");
  const auto size_of = [](const auto& all) { return static_cast<std::uint32_t>(all.size()); };
  span.events.begin = size_of(table.events);
  span.links.begin = size_of(table.links);
  bool has_trace = false;
  Fields fields(message);
  while (const auto field = fields.next()) {
    switch (field->number) {
      case 1:
        span.trace = trace_id_of(*field);
        has_trace = true;
        break;
      case 2: span.id = span_id_of(*field); break;
      case 4: span.parent = span_id_of(*field); break;
      case 5: span.name = table.names.intern(bytes_in(*field)); break;
      case 6: span.kind = kind_of(field->value); break;
      case 7: span.start = field->value; break;
      case 8: span.end = field->value; break;
      case 11: add_event(bytes_in(*field), table); break;
      case 13: add_link(bytes_in(*field), table); break;
      case 15: span.failed = is_failed(bytes_in(*field)); break;
      default: break;
    }
  }
  if (!has_trace) throw BadMessage{"a span has no id of a trace"};
  if (span.id == 0) throw BadMessage{"a span has no id"};
  span.events.end = size_of(table.events);
  span.links.end = size_of(table.links);
  span.attributes = add_attributes(message, 9, table);
  table.spans.push_back(span);
}

void add_resource_spans(std::string_view message, SpanTable& table) {
  SpanRange attributes{static_cast<std::uint32_t>(table.attributes.size()),
                       static_cast<std::uint32_t>(table.attributes.size())};
  Fields first(message);
  while (const auto field = first.next()) {
    if (field->number == 1) attributes = add_attributes(bytes_in(*field), 1, table);
  }
  const auto resource = static_cast<std::uint32_t>(table.resources.size());
  table.resources.push_back(attributes);
  constexpr std::uint32_t of_scope = 2, of_library = 1000;
  Fields fields(message);
  while (const auto field = fields.next()) {
    if (field->number != of_scope && field->number != of_library) continue;
    Fields spans(bytes_in(*field));
    while (const auto span = spans.next()) {
      if (span->number == 2) add_span(bytes_in(*span), resource, table);
    }
  }
}

}  // namespace

Expected<SpanTable> read_otlp_protobuf(std::string_view bytes) {
  SpanTable table;
  try {
    Fields fields(bytes);
    while (const auto field = fields.next()) {
      if (field->number == 1) add_resource_spans(bytes_in(*field), table);
    }
  } catch (const BadMessage& bad) {
    return failure(fmt::format("these are no spans as OTLP has them: {}", bad.what));
  }
  if (!table.fits()) return failure("too many spans in one request");
  return table;
}

}  // namespace lightcone::service
