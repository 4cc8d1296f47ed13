// Strings and numbers as JSON text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// The text in quotes, escaped; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);
/// The shortest text that reads back as this real, and as no integer. One that is not finite is an
/// object, since JSON has no number for it: `{"real": "NaN"}`, `"Infinity"`, `"-Infinity"`.
[[nodiscard]] std::string json_real(double value);
/// The JSON text with each number in quotes that neither 64 bits nor a finite real can hold.
/// Nothing if it has no such number.
[[nodiscard]] std::optional<std::string> large_numbers_as_texts(std::string_view json);
/// Whether the text is JSON. Numbers may have any size.
[[nodiscard]] bool is_json(std::string_view text);

}  // namespace lightcone
