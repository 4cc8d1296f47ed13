// Puts numbers and names into the form that people read.
#include <lightcone/base/wording.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

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
  std::vector<std::size_t> columns;  // where each begins
  std::string safe(name);
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const auto byte = static_cast<unsigned char>(safe[i]);
    if (byte < 0x20 || byte == 0x7F) safe[i] = '?';
    if (!is_continuation(safe[i])) columns.push_back(i);
  }
  if (columns.size() <= most) return safe;
  if (most == 0) return {};
  const std::size_t tail = (most - 1) / 2, head = most - 1 - tail;
  std::string shown = safe.substr(0, columns[head]) + '~';
  return tail == 0 ? shown : shown + safe.substr(columns[columns.size() - tail]);
}

}  // namespace lightcone
