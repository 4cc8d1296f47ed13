// Finds the shortest decimal numbers, and counts in units of 10^-18.
#include <lightcone/base/time/decimal_seconds.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <system_error>

namespace lightcone {
namespace {

__extension__ using Units = __int128;  // of 10^-18; four of the greatest can be added

__extension__ using WideCount = unsigned __int128;

constexpr int decimals_kept = 18;

/// 10^37 units are 10^19 seconds, which is beyond the age of the universe.
[[nodiscard]] Units greatest() {
  Units power = 1;
  for (int i = 0; i < 37; ++i) power *= 10;
  return power;
}

/// `digits` times a power of ten; digits may be negative.
struct Decimal {
  std::int64_t digits = 0;
  int power = 0;
};

[[nodiscard]] Decimal shortest_decimal(double number) {
  char text[40];
  const auto written =
      std::to_chars(std::begin(text), std::end(text), number, std::chars_format::scientific);
  Decimal decimal;
  const char* at = text;
  const bool is_negative = *at == '-';
  if (is_negative) ++at;
  bool is_fraction = false;
  for (; at != written.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      is_fraction = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + (*at - '0');
    if (is_fraction) --decimal.power;
  }
  if (is_negative) decimal.digits = -decimal.digits;
  int exponent = 0;
  if (at != written.ptr) {
    ++at;
    if (*at == '+') ++at;
    (void)std::from_chars(at, written.ptr, exponent);
  }
  decimal.power += exponent;
  return decimal;
}

[[nodiscard]] Units rounded_quotient(Units units, Units divisor) {
  const Units half = divisor / 2;
  return (units < 0 ? units - half : units + half) / divisor;
}

/// What is too large becomes the greatest number of units, what is too small is rounded.
[[nodiscard]] Units units_of(double seconds) {
  static const Units most = greatest();
  if (std::abs(seconds) >= 1e19) return seconds < 0 ? -most : most;
  const Decimal decimal = shortest_decimal(seconds);
  Units units = decimal.digits;
  int power = decimal.power + decimals_kept;
  for (; power > 0; --power) units *= 10;
  if (power < -decimals_kept) return 0;  // 17 digits, 19 places behind the unit
  Units divisor = 1;
  for (; power < 0; ++power) divisor *= 10;
  return rounded_quotient(units, divisor);
}

/// The nearest real; not a number beyond all reals.
[[nodiscard]] double real_of(Units digits, int power) {
  const std::string text = fmt::format("{}e{}", digits, power);
  double real = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), real);
  return read.ec == std::errc{} ? real : std::nan("");
}

}  // namespace

bool differ_at_most(double first, double second, double slack, double limit) {
  // Far from the limit, reals say the same: what their roundings add up to is less than the doubt.
  const double difference = second - first + slack;
  const double size = std::abs(first) + std::abs(second) + std::abs(slack) + std::abs(limit);
  const double doubt = 1e-15 * size + 4e-18;
  if (difference < limit - doubt) return true;
  if (difference > limit + doubt) return false;
  return units_of(second) - units_of(first) + units_of(slack) <= units_of(limit);
}

double decimal_product(double decimal, std::uint32_t factor, int power_of_ten) {
  if (!std::isfinite(decimal)) return decimal;
  const Decimal shortest = shortest_decimal(decimal);
  const double product = real_of(Units{shortest.digits} * factor, shortest.power + power_of_ten);
  if (!std::isnan(product)) return product;
  return decimal * factor * std::pow(10, power_of_ten);  // beyond all reals
}

double decimal_seconds(std::uint64_t count, int decimals) {
  constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;
  std::uint64_t divisor = 1;
  for (int i = 0; i < decimals; ++i) divisor *= 10;
  // Both are reals, so that only the quotient is rounded.
  if (count <= most_exact) return static_cast<double>(count) / static_cast<double>(divisor);
  // At least 57 bits of the quotient; the last one says whether more would follow.
  constexpr int shift = 64;
  const WideCount scaled = WideCount{count} << shift;
  WideCount quotient = scaled / divisor;
  if (quotient * divisor != scaled) quotient |= 1;
  return std::ldexp(static_cast<double>(quotient), -shift);
}

std::int64_t decimal_nanoseconds(double seconds) {
  return static_cast<std::int64_t>(rounded_quotient(units_of(seconds), 1'000'000'000));
}

double decimal_difference(double first, double second) {
  if (std::abs(first) >= 1e19 || std::abs(second) >= 1e19) return second - first;
  return real_of(units_of(second) - units_of(first), -decimals_kept);
}

std::string duration_words(double seconds) {
  const double size = std::abs(seconds);
  if (size >= 1 || size == 0 || !std::isfinite(size)) return fmt::format("{} s", seconds);
  if (size >= 1e-3) return fmt::format("{} ms", decimal_product(seconds, 1, 3));
  if (size >= 1e-6) return fmt::format("{} us", decimal_product(seconds, 1, 6));
  return fmt::format("{} ns", decimal_product(seconds, 1, 9));
}

}  // namespace lightcone
