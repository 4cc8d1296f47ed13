// Strings and numbers as JSON text.
#pragma once

#include <string>
#include <string_view>

namespace lightcone {

/// The text in quotes, escaped; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);
/// The shortest text that reads back as this finite real, and as no integer.
[[nodiscard]] std::string json_real(double value);

}  // namespace lightcone
