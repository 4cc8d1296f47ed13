// Decodes texts of a trace, however wrong, and writes only valid and readable XML.
#include "draw/svg_text.h"

namespace lightcone::cli {
namespace {

constexpr char32_t no_character = 0xFFFFFFFF;
constexpr char32_t ellipsis = 0x2026;

struct Character {
  char32_t code = no_character;  // no_character: these bytes are not UTF-8
  std::size_t size = 1;
};

/// The character at the beginning of a text that is not empty.
[[nodiscard]] Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return {};
  char32_t code = byte(0) & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[size] || code > 0x10FFFF || surrogate) return {};
  return {code, size};
}

/// Returns whether it can be shown and does nothing else: no control, no mark of direction, and a
/// character at all.
[[nodiscard]] bool is_harmless(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  if (code == 0x200E || code == 0x200F || code == 0xFEFF) return false;
  if ((code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x206F)) return false;
  return code < 0xFFF9 || (code > 0xFFFB && (code & 0xFFFE) != 0xFFFE && code <= 0x10FFFF);
}

[[nodiscard]] std::size_t columns_of_character(char32_t code) {
  return code >= 0x2E80 || (code >= 0x1100 && code < 0x1160) ? 2 : 1;
}

}  // namespace

std::string safe_text(std::string_view text, bool keep_lines) {
  std::string safe;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.code == '\n' || c.code == '\t' || c.code == '\r') {
      safe += keep_lines && c.code == '\n' ? '\n' : ' ';
    } else if (is_harmless(c.code)) {
      safe += text.substr(0, c.size);
    } else {
      safe += '?';
    }
    text.remove_prefix(c.size);
  }
  return safe;
}

std::size_t svg_columns(std::string_view safe) {
  std::size_t columns = 0;
  while (!safe.empty()) {
    const Character c = first_character(safe);
    columns += columns_of_character(c.code);
    safe.remove_prefix(c.size);
  }
  return columns;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string safe = safe_text(text.substr(0, 4 * most + 4));  // no more could be shown
  if (svg_columns(safe) <= most) return safe;
  std::size_t end = 0;
  for (std::size_t columns = 1;;) {  // one for the ellipsis
    const Character c = first_character(std::string_view(safe).substr(end));
    columns += columns_of_character(c.code);
    if (columns > most) break;
    end += c.size;
  }
  return safe.substr(0, end) + "…";
}

bool may_change_font(std::string_view safe) {
  while (!safe.empty()) {
    const Character c = first_character(safe);
    if (c.code >= 0x300 && c.code != ellipsis) return true;
    safe.remove_prefix(c.size);
  }
  return false;
}

std::string escaped(std::string_view safe) {
  std::string out;
  for (const char c : safe) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace lightcone::cli
