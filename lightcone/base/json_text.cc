// JSON text by nlohmann-json.
#include <lightcone/base/json_text.h>

#include <lightcone/base/utf8.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>

namespace lightcone {
namespace {

/// Returns whether at least one digit was removed.
[[nodiscard]] bool has_removed_digits(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits > 0;
}

/// Returns whether it is written as JSON has numbers: `-0.5e+7`.
[[nodiscard]] bool has_form_of_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool begins_with_zero = text.starts_with('0');
  const std::size_t before = text.size();
  if (!has_removed_digits(text) || (begins_with_zero && before - text.size() > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!has_removed_digits(text)) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (!has_removed_digits(text)) return false;
  }
  return text.empty();
}

/// Returns whether it is a number of JSON that neither 64 bits nor a finite real can hold.
[[nodiscard]] bool is_large(std::string_view number) {
  const char* const begin = number.data();
  const char* const end = begin + number.size();
  const auto is_beyond = [&](auto limited) {
    return std::from_chars(begin, end, limited).ec == std::errc::result_out_of_range;
  };
  const bool is_integer = number.find_first_of(".eE") == std::string_view::npos;
  const bool is_beyond_all =
      is_integer ? is_beyond(std::int64_t{}) && (number[0] == '-' || is_beyond(std::uint64_t{}))
                 : is_beyond(double{});
  return is_beyond_all && has_form_of_number(number);
}

}  // namespace

std::string json_string(std::string_view text) {
  using nlohmann::ordered_json;  // as in json.cc, so that it is compiled once
  return is_utf8(text) ? ordered_json(text).dump() : ordered_json(as_utf8(text)).dump();
}

std::string json_real(double value) {
  if (std::isnan(value)) return R"({"real": "NaN"})";
  if (std::isinf(value)) return value < 0 ? R"({"real": "-Infinity"})" : R"({"real": "Infinity"})";
  return nlohmann::ordered_json(value).dump();
}

std::optional<std::string> large_numbers_as_texts(std::string_view json) {
  constexpr std::string_view signs_of_numbers = "+-.0123456789eE";
  std::string changed;
  std::size_t copied = 0;  // of the text
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '\\' && in_string) ++at;
    if (c == '"') in_string = !in_string;
    if (in_string || (c != '-' && (c < '0' || c > '9'))) continue;
    const std::size_t end = std::min(json.find_first_not_of(signs_of_numbers, at), json.size());
    const std::string_view number = json.substr(at, end - at);
    if (is_large(number)) {
      changed.append(json, copied, at - copied).append("\"").append(number).append("\"");
      copied = end;
    }
    at = end - 1;
  }
  if (copied == 0) return std::nullopt;
  return changed.append(json, copied);
}

bool is_json(std::string_view text) { return nlohmann::ordered_json::accept(text); }

}  // namespace lightcone
