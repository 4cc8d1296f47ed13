// Parses counts, and names with rates.
#include "options/rates.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "print/terminal.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What stands behind the last colon, which is taken off.
[[nodiscard]] std::string_view take_last(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view last = text.substr(colon + 1);
  text = text.substr(0, colon);
  return last;
}

}  // namespace

Expected<std::uint32_t> parse_count(std::string_view text) {
  const std::string_view whole = text;
  double unit = 1;
  const auto ends = [&](char letter) { return !text.empty() && (text.back() | 0x20) == letter; };
  if (ends('k')) unit = 1e3;
  if (ends('m')) unit = 1e6;
  if (ends('g')) unit = 1e9;
  if (unit > 1) text.remove_suffix(1);
  const auto value = number(text);
  if (!value || *value < 0 || *value * unit != std::floor(*value * unit)) {
    return failure(fmt::format("`{}` is not a count", printable(whole)), {}, 0,
                   "as in 250, 10k or 2.5M");
  }
  if (*value * unit > 4e9) return failure(fmt::format("`{}` is over 4G", printable(whole)));
  return static_cast<std::uint32_t>(*value * unit);
}

Expected<LabelRate> parse_label(std::string_view text) {
  std::string_view name = text;
  const auto rate = number(take_last(name));
  if (!rate || name.empty()) {
    return failure(fmt::format("`{}` is not a label with a rate", printable(text)), {}, 0,
                   "as in --label enter:0.1 for a tenth of the events");
  }
  return LabelRate{std::string(name), *rate};
}

Expected<VariableRate> parse_variable(std::string_view text) {
  using Type = VariableRate::Type;
  std::string_view name = text;
  std::string_view last = take_last(name);
  std::optional<Type> type;
  if (last == "bool") type = Type::boolean;
  if (last == "int") type = Type::integer;
  if (last == "real") type = Type::real;
  if (type) last = take_last(name);
  const auto rate = number(last);
  if (!rate || name.empty()) {
    return failure(fmt::format("`{}` is not a variable with a rate", printable(text)), {}, 0,
                   "as in --variable load:0.2 or --variable busy:0.1:bool; types: bool, int, real");
  }
  return VariableRate{std::string(name), *rate, type.value_or(Type::integer)};
}

}  // namespace lightcone::cli
