// Spans as OTLP's messages have them, so that some of a request can go elsewhere.
#include <lightcone/base/wire.h>
#include <lightcone/trace/spans/span_table.h>

#include <bit>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accept/span_batch.h"

namespace lightcone::service {
namespace {

/// A message, field by field.
class MessageBytes {
 public:
  void number(std::uint32_t field, std::uint64_t value) {
    writer_.number(field << 3);
    writer_.number(value);
  }
  void fixed(std::uint32_t field, std::uint64_t value) {
    writer_.number(field << 3 | 1);
    writer_.fixed(value, 8);
  }
  void bytes(std::uint32_t field, std::string_view value) {
    writer_.number(field << 3 | 2);
    writer_.text(value);
  }
  void message(std::uint32_t field, MessageBytes value) { bytes(field, value.writer_.bytes()); }
  [[nodiscard]] std::string take() { return std::move(writer_.bytes()); }

 private:
  WireWriter writer_;
};

/// The highest byte first.
[[nodiscard]] std::string id_bytes(std::uint64_t id) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(id >> shift);
  return bytes;
}
[[nodiscard]] std::string id_bytes(TraceId id) { return id_bytes(id.high) + id_bytes(id.low); }

void add_attributes(MessageBytes& to, std::uint32_t field, const SpanTable& table,
                    SpanRange range) {
  for (const Assignment& attribute : table[range]) {
    MessageBytes value;
    if (const auto* text = std::get_if<NameIndex>(&attribute.value)) {
      value.bytes(1, table.names[*text]);
    } else if (const auto* truth = std::get_if<bool>(&attribute.value)) {
      value.number(2, *truth ? 1 : 0);
    } else if (const auto* number = std::get_if<std::int64_t>(&attribute.value)) {
      value.number(3, static_cast<std::uint64_t>(*number));
    } else {
      value.fixed(4, std::bit_cast<std::uint64_t>(std::get<double>(attribute.value)));
    }
    MessageBytes keyed;
    keyed.bytes(1, table.names[attribute.variable]);
    keyed.message(2, std::move(value));
    to.message(field, std::move(keyed));
  }
}

[[nodiscard]] std::uint64_t number_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::server: return 2;
    case SpanKind::client: return 3;
    case SpanKind::producer: return 4;
    case SpanKind::consumer: return 5;
    case SpanKind::internal: break;
  }
  return 1;
}

[[nodiscard]] MessageBytes message_of(const SpanTable& table, const Span& span) {
  MessageBytes message;
  message.bytes(1, id_bytes(span.trace));
  message.bytes(2, id_bytes(span.id));
  if (span.parent != 0) message.bytes(4, id_bytes(span.parent));
  if (span.name != NameIndex::none) message.bytes(5, table.names[span.name]);
  message.number(6, number_of(span.kind));
  message.fixed(7, span.start);
  message.fixed(8, span.end);
  add_attributes(message, 9, table, span.attributes);
  for (std::uint32_t i = span.events.begin; i < span.events.end; ++i) {
    const SpanEvent& event = table.events[i];
    MessageBytes one;
    one.fixed(1, event.time);
    if (event.name != NameIndex::none) one.bytes(2, table.names[event.name]);
    add_attributes(one, 3, table, event.attributes);
    message.message(11, std::move(one));
  }
  for (std::uint32_t i = span.links.begin; i < span.links.end; ++i) {
    MessageBytes one;
    one.bytes(1, id_bytes(table.links[i].trace));
    one.bytes(2, id_bytes(table.links[i].span));
    message.message(13, std::move(one));
  }
  if (span.failed) {
    MessageBytes status;
    status.number(3, 2);
    message.message(15, std::move(status));
  }
  return message;
}

}  // namespace

std::string protobuf_of(const SpanTable& table, std::span<const std::uint32_t> spans) {
  std::map<std::uint32_t, MessageBytes> of_resources;
  for (const std::uint32_t index : spans) {
    const Span& span = table.spans[index];
    of_resources[span.resource].message(2, message_of(table, span));
  }
  MessageBytes request;
  for (auto& [index, scope] : of_resources) {
    MessageBytes attributes, resource;
    add_attributes(attributes, 1, table, table.resources[index]);
    resource.message(1, std::move(attributes));
    resource.message(2, std::move(scope));
    request.message(1, std::move(resource));
  }
  return request.take();
}

}  // namespace lightcone::service
