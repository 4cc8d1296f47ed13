// Looks at all values of a variable before it changes one.
#include <lightcone/causal/numbers_in_texts.h>

#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns whether the text is a number as JSON spells it: no `+`, no zeros before other digits.
[[nodiscard]] bool is_json_number(std::string_view text, bool& is_real) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  is_real = false;
  if (at < text.size() && text[at] == '.') {
    is_real = true;
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    is_real = true;
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

}  // namespace

std::optional<Value> number_in(std::string_view text) {
  bool is_real = false;
  if (text.size() > 400 || !is_json_number(text, is_real)) return std::nullopt;
  const char* const end = text.data() + text.size();
  if (!is_real) {
    std::int64_t integer = 0;
    if (std::from_chars(text.data(), end, integer).ec != std::errc{}) return std::nullopt;
    return integer;
  }
  double real = 0;
  if (std::from_chars(text.data(), end, real).ec != std::errc{} || !std::isfinite(real)) {
    return std::nullopt;
  }
  return real;
}

void read_numbers_in_texts(std::span<Arrivals> chunks, const Names& names) {
  std::vector<bool> is_other(names.size(), false);
  for (const Arrivals& chunk : chunks) {
    for (const Assignment& assignment : chunk.assignments) {
      const auto* text = std::get_if<NameIndex>(&assignment.value);
      const bool is_truth = std::holds_alternative<bool>(assignment.value);
      if (is_truth || (text != nullptr && !number_in(names[*text]))) {
        is_other[static_cast<std::uint32_t>(assignment.variable)] = true;
      }
    }
  }
  for (Arrivals& chunk : chunks) {
    for (Assignment& assignment : chunk.assignments) {
      const auto* text = std::get_if<NameIndex>(&assignment.value);
      if (text == nullptr || is_other[static_cast<std::uint32_t>(assignment.variable)]) continue;
      assignment.value = *number_in(names[*text]);
    }
  }
}

}  // namespace lightcone
