// Puts numbers and names into the form that people read.
#include <lightcone/base/wording.h>

#include <fmt/format.h>
#include <locale.h>
#include <wchar.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// The columns of a character by the tables of the C library, whatever the user's locale is.
[[nodiscard]] std::size_t columns_of(wchar_t character) {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (utf8 == nullptr) return 1;
  const locale_t before = ::uselocale(utf8);
  const int columns = ::wcwidth(character);
  ::uselocale(before);
  return columns < 0 ? 1 : static_cast<std::size_t>(columns);
}

}  // namespace

std::string grouped_digits(std::string digits) {
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string grouped(std::uint64_t number) { return grouped_digits(std::to_string(number)); }

std::string with_grouped_numbers(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string all;
  for (auto at = text.begin(); at != text.end();) {
    const auto number = std::find_if(at, text.end(), is_digit);
    const auto end = std::find_if_not(number, text.end(), is_digit);
    all.append(at, number).append(grouped_digits(std::string(number, end)));
    at = end;
  }
  return all;
}

std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural) {
  if (number != 1 && !plural.empty()) return grouped(number) + ' ' + std::string(plural);
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

ShownCharacter first_shown(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0xC0) return {};
  const std::size_t size = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
  std::uint32_t code = first & (0xFFU >> (size + 1));
  std::size_t bytes = 1;
  for (; bytes < std::min(size, text.size()) && is_continuation(text[bytes]); ++bytes) {
    code = code << 6 | (static_cast<unsigned char>(text[bytes]) & 0x3FU);
  }
  if (bytes < size) return {bytes, 1};
  return {bytes, columns_of(static_cast<wchar_t>(code))};
}

std::size_t shown_columns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const ShownCharacter next = first_shown(text);
    columns += next.columns;
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string printable(std::string_view name, std::size_t most) {
  std::string safe(name);
  for (char& c : safe) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = '?';
  }
  const std::size_t columns = shown_columns(safe);
  if (columns <= most) return safe;
  if (most == 0) return {};
  const std::size_t tail = (most - 1) / 2, head = most - 1 - tail;
  std::size_t head_end = 0, tail_begin = safe.size();
  for (std::size_t at = 0, before = 0; at < safe.size();) {
    const ShownCharacter next = first_shown(std::string_view(safe).substr(at));
    const bool begins_tail = next.columns > 0 && columns - before <= tail;
    if (begins_tail) tail_begin = std::min(tail_begin, at);
    before += next.columns;
    at += next.bytes;
    if (before <= head) head_end = at;
  }
  return safe.substr(0, head_end) + '~' + safe.substr(tail_begin);
}

}  // namespace lightcone
