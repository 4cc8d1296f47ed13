// Walks through characters as RFC 3629 defines them: no overlong forms, no surrogates.
#include <lightcone/base/utf8.h>

#include <fmt/format.h>
#include <cstdint>
#include <cstring>

namespace lightcone {
namespace {

/// What a text begins with: a character of so many bytes, or so many bytes that begin one at best.
struct Beginning {
  std::size_t size = 1;
  bool is_character = true;
};

[[nodiscard]] Beginning beginning_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {};
  if (first < 0xC2 || first > 0xF4) return {1, false};
  const std::size_t size = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
  // Of the second byte, so that no form is overlong, no surrogate, and none beyond U+10FFFF.
  unsigned least = first == 0xE0 ? 0xA0 : (first == 0xF0 ? 0x90 : 0x80);
  unsigned most = first == 0xED ? 0x9F : (first == 0xF4 ? 0x8F : 0xBF);
  for (std::size_t i = 1; i < size; ++i) {
    if (i >= text.size() || byte(i) < least || byte(i) > most) return {i, false};
    least = 0x80;
    most = 0xBF;
  }
  return {size, true};
}

/// Returns how many bytes a text begins with that are characters by themselves, or somewhat less.
/// Most texts have no others: eight of them are looked at in one step.
[[nodiscard]] std::size_t plain_bytes(std::string_view text) {
  std::size_t plain = 0;
  for (std::uint64_t word = 0; text.size() - plain >= sizeof(word); plain += sizeof(word)) {
    std::memcpy(&word, text.data() + plain, sizeof(word));
    if ((word & 0x8080808080808080U) != 0) break;
  }
  return plain;
}

/// FNV-1a.
[[nodiscard]] std::uint32_t hash_of(std::string_view bytes) {
  std::uint32_t hash = 2166136261U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

bool is_utf8(std::string_view text) {
  text.remove_prefix(plain_bytes(text));
  while (!text.empty()) {
    const Beginning next = beginning_of(text);
    if (!next.is_character) return false;
    text.remove_prefix(next.size);
  }
  return true;
}

std::string as_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Beginning next = beginning_of(text);
    out += next.is_character ? text.substr(0, next.size) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(next.size);
  }
  return out;
}

std::string as_utf8_name(std::string_view name) {
  if (is_utf8(name)) return std::string(name);
  return fmt::format("{}#{:08x}", as_utf8(name), hash_of(name));
}

}  // namespace lightcone
