// Reads and writes one member of the `baggage` header, and base64url (RFC 4648, section 5).
#include <lightcone/transport.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lightcone {
namespace {

constexpr std::string_view baggage_member = "lightcone";
constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void append_base64url(std::string_view bytes, std::string& out) {
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += digits[bits >> (count - 6) & 63];
  }
  if (count > 0) out += digits[bits << (6 - count) & 63];
}

/// Returns the bytes, or nothing if the text is no base64url. Padding is not needed.
[[nodiscard]] std::optional<std::string> base64url_bytes(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// A member of a list: `key = value; properties`.
struct BaggageMember {
  std::string_view whole, key, value;
};

/// Removes the first member from the list.
[[nodiscard]] BaggageMember next_member(std::string_view& list) {
  const std::string_view whole = list.substr(0, list.find(','));
  list.remove_prefix(std::min(list.size(), whole.size() + 1));
  const std::size_t equals = whole.find('=');
  if (equals == std::string_view::npos) return {trimmed(whole), trimmed(whole), {}};
  const std::string_view rest = whole.substr(equals + 1);
  return {trimmed(whole), trimmed(whole.substr(0, equals)),
          trimmed(rest.substr(0, rest.find(';')))};
}

}  // namespace

std::string baggage_with_tag(std::string_view tag, std::string_view baggage) {
  std::string out;
  while (!baggage.empty()) {
    const BaggageMember member = next_member(baggage);
    if (member.whole.empty() || member.key == baggage_member) continue;
    out.append(member.whole) += ',';
  }
  out.append(baggage_member) += '=';
  append_base64url(tag, out);
  return out;
}

std::string tag_in_baggage(std::string_view baggage) {
  while (!baggage.empty()) {
    const BaggageMember member = next_member(baggage);
    if (member.key != baggage_member) continue;
    return base64url_bytes(member.value).value_or(std::string(member.value));
  }
  return {};
}

}  // namespace lightcone
