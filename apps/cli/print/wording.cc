// Puts numbers and sentences into the form that people read.
#include "print/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "print/terminal.h"

namespace lightcone::cli {

namespace {

constexpr std::size_t many_digits = 30;

}  // namespace

std::string short_number(std::string_view digits) {
  if (digits.size() <= many_digits) return grouped_digits(std::string(digits));
  return fmt::format("{}.{} * 10^{}", digits[0], digits.substr(1, 2), digits.size() - 1);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0 || part == 0) return "0%";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (share < 1) return "<1%";
  if (part < whole && share > 99) return ">99%";
  return fmt::format("{:.0f}%", share);
}

std::string roughly(double number) {
  const char* const units[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (number >= 999.5 && unit + 1 < std::size(units)) {
    number /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", number, decimals, units[unit]);
}

std::string byte_size(std::uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  return roughly(static_cast<double>(bytes)) + "B";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  bool line_start = true;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '\n') {
      out += '\n';
      if (i + 1 < text.size() && text[i + 1] != '\n') out.append(indent, ' ');
      column = indent;
      line_start = true;
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
    const std::string_view word = text.substr(i, end - i);
    const std::size_t length = display_width(word);
    if (!line_start && column + 1 + length > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!line_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    line_start = false;
    i = end < text.size() && text[end] == ' ' ? end + 1 : end;
  }
  return out;
}

std::string bar(std::uint64_t part, std::uint64_t whole, std::size_t width, bool unicode) {
  if (whole == 0) return {};
  const double exact =
      static_cast<double>(part) / static_cast<double>(whole) * static_cast<double>(width);
  if (!unicode) return std::string(static_cast<std::size_t>(std::lround(exact)), '#');
  const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto count = static_cast<std::size_t>(std::lround(exact * 8));
  std::string drawn;
  for (; count >= 8; count -= 8) drawn += "█";
  return drawn + eighths[count];
}

}  // namespace lightcone::cli
