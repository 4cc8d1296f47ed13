// What the JSON formats of spans have in common: units are parsed on all cores, and their spans
// joined in the order of the text.
#pragma once

#include <lightcone/error.h>
#include <lightcone/progress.h>
#include <lightcone/trace/spans/json_units.h>
#include <lightcone/trace/spans/span_table.h>

#include <simdjson.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What is wrong with a value: what, and a hint. The file and the line are added later.
using SpanProblem = std::optional<std::string>;

/// What a unit adds besides spans: sentences, each with how often it holds.
using SpanTally = std::map<std::string, std::uint64_t, std::less<>>;

/// How a format reads its units.
struct SpanFormat {
  std::vector<std::string_view> lists;  ///< see JsonUnitReader
  /// Adds the spans of a unit. Returns what is wrong with it.
  std::function<SpanProblem(const simdjson::dom::element& unit, JsonUnit::Kind kind,
                            SpanTable& table, SpanTally& tally)>
      read;
  std::string_view hint;  ///< what the text should be
};

/// Spans of a file, and what was passed over.
struct SpanText {
  SpanTable table;
  SpanTally tally;
  bool is_torn = false;  ///< the last value is cut off and left out
};

/// Reads all units of a text; `total` is its size, or 0.
[[nodiscard]] Expected<SpanText> read_span_text(const JsonUnitReader::Source& source,
                                                std::uint64_t total, const std::string& name,
                                                const SpanFormat& format, const Progress& progress,
                                                TornEnd torn_end = TornEnd::error);

/// The text of a string; nothing for any other value.
[[nodiscard]] inline std::optional<std::string_view> json_text_of(
    const simdjson::dom::element& value) {
  std::string_view text;
  if (value.get_string().get(text)) return std::nullopt;
  return text;
}
/// A number that is not negative, written as a number or as a string of digits. Fractions are
/// rounded.
[[nodiscard]] std::optional<std::uint64_t> json_natural_of(const simdjson::dom::element& value);
/// A value as one of a variable: a list or an object becomes its JSON text, which `kept` holds.
/// Nothing for null.
[[nodiscard]] std::optional<SpelledValue> json_value_of(const simdjson::dom::element& value,
                                                        std::string& kept);
/// So many times as nanoseconds; nothing beyond 64 bits.
[[nodiscard]] std::optional<std::uint64_t> nanoseconds_of(std::uint64_t microseconds);

}  // namespace lightcone
