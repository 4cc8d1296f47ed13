// Texts of observed programs as UTF-8, whatever bytes they had.
#pragma once

#include <string>
#include <string_view>

namespace lightcone {

[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with U+FFFD for what is no character: each longest run of bytes that could begin one,
/// or each byte that cannot.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// The same for a name by which something is known again: a process, a message, a variable. A name
/// that was not UTF-8 ends in a number made of its bytes, so that different names stay different.
[[nodiscard]] std::string as_utf8_name(std::string_view name);

}  // namespace lightcone
