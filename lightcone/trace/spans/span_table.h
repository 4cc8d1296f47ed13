// Spans of one or many traces, whatever format they come from; what lists hold stands in shared
// arrays.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/trace/spans/kept_members.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// The id of a trace: 16 bytes, the first of which are the highest of `high`.
struct TraceId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const TraceId&, const TraceId&) = default;
};

struct TraceIdHash {
  [[nodiscard]] std::size_t operator()(const TraceId& id) const {
    const std::uint64_t mixed = (id.low ^ (id.high * 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U;
    return mixed ^ (mixed >> 32);
  }
};

/// The id of a span within its trace: 8 bytes; 0 is no id.
using SpanId = std::uint64_t;

/// Ids may count up, or be random in some of their bytes only.
struct SpanIdHash {
  [[nodiscard]] std::size_t operator()(SpanId id) const {
    const std::uint64_t mixed = (id ^ (id >> 32)) * 0x9e3779b97f4a7c15U;
    return mixed ^ (mixed >> 32);
  }
};

/// 32 digits `0` to `f`.
[[nodiscard]] std::string hex_of(TraceId id);
/// 16 digits `0` to `f`.
[[nodiscard]] std::string hex_of(SpanId id);
/// The number that at most 32 or 16 hexadecimal digits spell; nothing for any other text. Leading
/// zeros may be left out.
[[nodiscard]] std::optional<TraceId> trace_id_in(std::string_view text);
[[nodiscard]] std::optional<SpanId> span_id_in(std::string_view text);

enum class SpanKind : std::uint8_t { internal, server, client, producer, consumer };

/// A range of one of the arrays of a SpanTable.
struct SpanRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

/// A piece of work, from its start to its end. Times are nanoseconds.
struct Span {
  TraceId trace;
  SpanId id = 0;
  SpanId parent = 0;  ///< 0: none
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  NameIndex name = NameIndex::none;
  std::uint32_t resource = 0;  ///< who made it, an index into the table's resources
  SpanRange attributes = {};
  SpanRange events = {};
  SpanRange links = {};
  SpanKind kind = SpanKind::internal;
  bool failed = false;  ///< its status is an error
  bool shared = false;  ///< the server's half of a span whose client's half has the same id
};

/// A moment within a span.
struct SpanEvent {
  std::uint64_t time = 0;
  NameIndex name = NameIndex::none;
  SpanRange attributes = {};
};

/// Another span that a span depends on.
struct SpanLink {
  TraceId trace;
  SpanId span = 0;
};

/// Spans of any number of traces, in the order in which they were read. A reader fills one: first
/// the resource, then its spans; or it fills several at the same time, which are then joined.
struct SpanTable {
  Names names;  ///< of spans and events, of attributes, and their texts
  std::vector<Span> spans;
  std::vector<Assignment> attributes;
  std::vector<SpanEvent> events;
  std::vector<SpanLink> links;
  std::vector<SpanRange> resources;  ///< the attributes of each
  KeptMembers kept;                  ///< what is not known of each of these

  [[nodiscard]] std::span<const Assignment> operator[](SpanRange range) const {
    return {attributes.data() + range.begin, range.size()};
  }
  /// The attribute of this name; null if there is none.
  [[nodiscard]] const Value* find(SpanRange range, NameIndex name) const;
  /// A value as people write it; texts without quotes.
  [[nodiscard]] std::string spelled(const Value& value) const;
  void add_attribute(std::string_view name, const SpelledValue& value);
  [[nodiscard]] SpanRange attributes_since(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(attributes.size())};
  }
  /// Forgets all but the names.
  void clear_spans();
  /// Returns whether all arrays are small enough for their indices.
  [[nodiscard]] bool fits() const;
};

/// Joins tables; resources that are equal become one.
class SpanCollector {
 public:
  /// `renamed` has what earlier parts with these names, or with the first of them, were told.
  void add(const SpanTable& part, std::vector<NameIndex>& renamed);
  /// Makes room for spans like those so far, so many times.
  void expect(double times);
  [[nodiscard]] const SpanTable& table() const { return all_; }
  [[nodiscard]] SpanTable take() { return std::move(all_); }

 private:
  using Renamed = std::vector<NameIndex>;
  [[nodiscard]] std::uint32_t resource(const SpanTable& part, std::size_t index,
                                       const Renamed& renamed);
  void add_attributes(std::span<const Assignment> attributes, const Renamed& renamed);

  SpanTable all_;
  tsl::robin_map<std::string, std::uint32_t> resources_;
};

}  // namespace lightcone
