// Arithmetic and comparisons that have an answer for every operand.
#include <lightcone/property/datum.h>

#include <cmath>
#include <optional>

namespace lightcone {
namespace {

using Kind = Expression::Kind;

[[nodiscard]] bool is_number(const Datum& datum) {
  return std::holds_alternative<std::int64_t>(datum) || std::holds_alternative<double>(datum);
}

[[nodiscard]] double as_real(const Datum& datum) {
  const auto* integer = std::get_if<std::int64_t>(&datum);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(datum);
}

template <class T>
[[nodiscard]] int sign_of_difference(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// Exact, although not every 64-bit integer is a double.
[[nodiscard]] int order(std::int64_t integer, double real) {
  constexpr double two_to_63 = 9223372036854775808.0;
  if (real >= two_to_63) return -1;
  if (real < -two_to_63) return 1;
  const double whole = std::floor(real);
  const int difference = sign_of_difference(integer, static_cast<std::int64_t>(whole));
  return difference != 0 ? difference : (whole < real ? -1 : 0);
}

/// -1, 0, 1; nothing where the two have no order.
[[nodiscard]] std::optional<int> order(const Datum& a, const Datum& b) {
  const auto* text_a = std::get_if<std::string_view>(&a);
  const auto* text_b = std::get_if<std::string_view>(&b);
  if (text_a != nullptr && text_b != nullptr) return sign_of_difference(*text_a, *text_b);
  if (text_a != nullptr || text_b != nullptr) return std::nullopt;
  const auto* integer_a = std::get_if<std::int64_t>(&a);
  const auto* integer_b = std::get_if<std::int64_t>(&b);
  if (integer_a != nullptr && integer_b != nullptr) {
    return sign_of_difference(*integer_a, *integer_b);
  }
  if (integer_a != nullptr) return order(*integer_a, std::get<double>(b));
  if (integer_b != nullptr) return -order(*integer_b, std::get<double>(a));
  return sign_of_difference(std::get<double>(a), std::get<double>(b));
}

[[nodiscard]] Datum real_or_null(double value) {
  return std::isnan(value) ? Datum() : Datum(value);
}

/// The exact result, if it is an integer that fits.
[[nodiscard]] std::optional<std::int64_t> exact(Kind operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (operation == Kind::plus) {
    if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  } else if (operation == Kind::minus) {
    if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  } else if (operation == Kind::times) {
    if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  } else {
    if ((a == INT64_MIN && b == -1) || a % b != 0) return std::nullopt;
    result = a / b;
  }
  return result;
}

}  // namespace

bool is_true(const Datum& datum) {
  if (const auto* integer = std::get_if<std::int64_t>(&datum)) return *integer != 0;
  if (const auto* real = std::get_if<double>(&datum)) return *real != 0;
  if (const auto* text = std::get_if<std::string_view>(&datum)) return !text->empty();
  return false;
}

bool compare(Kind comparison, const Datum& a, const Datum& b) {
  if (std::holds_alternative<std::monostate>(a) || std::holds_alternative<std::monostate>(b)) {
    return false;
  }
  const std::optional<int> found = order(a, b);
  if (!found) return comparison == Kind::unequal;
  switch (comparison) {
    case Kind::equal: return *found == 0;
    case Kind::unequal: return *found != 0;
    case Kind::less: return *found < 0;
    case Kind::at_most: return *found <= 0;
    case Kind::greater: return *found > 0;
    default: return *found >= 0;
  }
}

Datum arithmetic(Kind operation, const Datum& a, const Datum& b) {
  if (!is_number(a) || !is_number(b)) return {};
  if (operation == Kind::divided && as_real(b) == 0) return {};
  const auto* integer_a = std::get_if<std::int64_t>(&a);
  const auto* integer_b = std::get_if<std::int64_t>(&b);
  if (integer_a != nullptr && integer_b != nullptr) {
    if (const auto result = exact(operation, *integer_a, *integer_b)) return *result;
  }
  switch (operation) {
    case Kind::plus: return real_or_null(as_real(a) + as_real(b));
    case Kind::minus: return real_or_null(as_real(a) - as_real(b));
    case Kind::times: return real_or_null(as_real(a) * as_real(b));
    default: return real_or_null(as_real(a) / as_real(b));
  }
}

Datum negative(const Datum& a) { return arithmetic(Kind::minus, Datum(std::int64_t{0}), a); }

}  // namespace lightcone
