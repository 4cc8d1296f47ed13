// Puts numbers and names into the form that people read.
#include <lightcone/base/wording.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
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

std::string printable(std::string_view name, std::size_t most) {
  std::string safe;
  std::size_t width = 0;
  for (const char c : name) {
    if (!is_continuation(c) && ++width > most) {
      while (!safe.empty() && is_continuation(safe.back())) safe.pop_back();
      if (!safe.empty()) safe.pop_back();
      return safe + "~";
    }
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return safe;
}

}  // namespace lightcone
