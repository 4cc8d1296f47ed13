// Comparisons, products and quotients that have an answer for every operand.
#include <lightcone/property/states/datum.h>

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace lightcone {
namespace {

using ExpressionKind = Expression::Kind;

constexpr double two_to_127 = 0x1p127;

[[nodiscard]] std::optional<Integer128> as_integer(const Datum& datum) {
  if (const auto* integer = std::get_if<std::int64_t>(&datum)) return *integer;
  if (const auto* wide = std::get_if<WideInteger>(&datum)) return integer_of(*wide);
  return std::nullopt;
}

[[nodiscard]] double as_real(const Datum& datum) {
  const std::optional<Integer128> integer = as_integer(datum);
  return integer ? static_cast<double>(*integer) : std::get<double>(datum);
}

template <class T>
[[nodiscard]] int sign_of_difference(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// Exact, although not every integer is a double.
[[nodiscard]] int order(Integer128 integer, double real) {
  if (real >= two_to_127) return -1;
  if (real <= -two_to_127) return 1;
  const double whole = std::floor(real);
  const int difference = sign_of_difference(integer, static_cast<Integer128>(whole));
  return difference != 0 ? difference : (whole < real ? -1 : 0);
}

/// -1, 0, 1; nothing where the two have no order.
[[nodiscard]] std::optional<int> order(const Datum& a, const Datum& b) {
  const auto* text_a = std::get_if<std::string_view>(&a);
  const auto* text_b = std::get_if<std::string_view>(&b);
  if (text_a != nullptr && text_b != nullptr) return sign_of_difference(*text_a, *text_b);
  if (text_a != nullptr || text_b != nullptr) return std::nullopt;
  const std::optional<Integer128> integer_a = as_integer(a);
  const std::optional<Integer128> integer_b = as_integer(b);
  if (integer_a && integer_b) return sign_of_difference(*integer_a, *integer_b);
  if (integer_a) return order(*integer_a, std::get<double>(b));
  if (integer_b) return -order(*integer_b, std::get<double>(a));
  return sign_of_difference(std::get<double>(a), std::get<double>(b));
}

}  // namespace

Integer128 integer_of(WideInteger wide) {
  return static_cast<Integer128>(wide.high) * (Integer128{1} << 64) + wide.low;
}

Datum datum_of(double real) {
  if (!std::isfinite(real)) return {};
  const bool whole = std::abs(real) < two_to_127 && std::trunc(real) == real;
  return whole ? datum_of(static_cast<Integer128>(real)) : Datum(real);
}

Datum datum_of(Integer128 integer) {
  if (integer >= INT64_MIN && integer <= INT64_MAX) return static_cast<std::int64_t>(integer);
  constexpr Integer128 least = Integer128{INT64_MIN} * (Integer128{1} << 64);  // -2^127
  if (integer == least) return -two_to_127;
  return WideInteger{static_cast<std::int64_t>(integer >> 64), static_cast<std::uint64_t>(integer)};
}

bool is_number(const Datum& datum) {
  return !std::holds_alternative<std::monostate>(datum) &&
         !std::holds_alternative<std::string_view>(datum);
}

bool is_true(const Datum& datum) {
  if (const auto* integer = std::get_if<std::int64_t>(&datum)) return *integer != 0;
  if (const auto* text = std::get_if<std::string_view>(&datum)) return !text->empty();
  return is_number(datum);  // 0 is an integer of 64 bits
}

bool compare(ExpressionKind comparison, const Datum& a, const Datum& b) {
  if (std::holds_alternative<std::monostate>(a) || std::holds_alternative<std::monostate>(b)) {
    return false;
  }
  const std::optional<int> found = order(a, b);
  if (!found) return comparison == ExpressionKind::unequal;
  switch (comparison) {
    case ExpressionKind::equal: return *found == 0;
    case ExpressionKind::unequal: return *found != 0;
    case ExpressionKind::less: return *found < 0;
    case ExpressionKind::at_most: return *found <= 0;
    case ExpressionKind::greater: return *found > 0;
    default: return *found >= 0;
  }
}

std::optional<std::string_view> matched_text(const Datum& datum, std::string& room) {
  if (const auto* text = std::get_if<std::string_view>(&datum)) return *text;
  if (const std::optional<Integer128> integer = as_integer(datum)) {
    room = fmt::format("{}", *integer);
  } else if (const auto* real = std::get_if<double>(&datum)) {
    room = fmt::format("{}", *real);
  } else {
    return std::nullopt;
  }
  return room;
}

bool contains(const Datum& a, const Datum& b) {
  std::string room_of_a, room_of_b;
  const auto text = matched_text(a, room_of_a), part = matched_text(b, room_of_b);
  return text && part && text->find(*part) != std::string_view::npos;
}

Datum product(const Datum& a, const Datum& b) {
  if (!is_number(a) || !is_number(b)) return {};
  const std::optional<Integer128> integer_a = as_integer(a);
  const std::optional<Integer128> integer_b = as_integer(b);
  Integer128 exact = 0;
  if (integer_a && integer_b && !__builtin_mul_overflow(*integer_a, *integer_b, &exact)) {
    return datum_of(exact);
  }
  return datum_of(as_real(a) * as_real(b));
}

Datum quotient(const Datum& a, const Datum& b) {
  if (!is_number(a) || !is_number(b) || !is_true(b)) return {};
  const std::optional<Integer128> integer_a = as_integer(a);
  const std::optional<Integer128> integer_b = as_integer(b);
  if (integer_a && integer_b && *integer_a % *integer_b == 0) {
    return datum_of(*integer_a / *integer_b);
  }
  return datum_of(as_real(a) / as_real(b));
}

}  // namespace lightcone
