// A sum as a number with digits for every place that a real can have.
//
// Integers are added in 128 bits. A real is an integer of 53 bits times a power of two, so that it
// is a sum of at most three digits of 32 bits. Digits are added without carrying, in 64 bits: that
// takes 2^31 additions to overflow. So the digits say the sum exactly, whatever came first. Their
// carries give it the one form with digits from 0 to 2^32 - 1 below its sign, and that form is what
// is rounded: equal sums have equal values.
#include <lightcone/property/states/exact_sum.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace lightcone {
namespace {

constexpr std::int64_t digit_mask = 0xffffffff;
constexpr std::uint32_t most_uncarried = 1U << 30;
constexpr int real_bits = 53;
constexpr int least_exponent = -1074;

[[nodiscard]] int width_of(Natural128 number) {
  const auto high = static_cast<std::uint64_t>(number >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(number));
}

}  // namespace

void ExactSum::add(const Datum& number, bool negative) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) {
    add_integer(negative ? -Integer128{*integer} : Integer128{*integer});
  } else if (const auto* wide = std::get_if<WideInteger>(&number)) {
    const Integer128 value = integer_of(*wide);
    add_integer(negative ? -value : value);
  } else if (const auto* real = std::get_if<double>(&number)) {
    add_real(negative ? -*real : *real);
  } else {
    is_null_ = true;
  }
}

void ExactSum::add_integer(Integer128 integer) {
  Integer128 sum = 0;
  if (!__builtin_add_overflow(integer_, integer, &sum)) {
    integer_ = sum;
    return;
  }
  spread(integer_);
  integer_ = integer;
}

void ExactSum::add_real(double real) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(real), &exponent);
  auto steps = static_cast<std::uint64_t>(std::ldexp(fraction, real_bits));
  exponent -= real_bits;
  if (exponent < least_exponent) {  // only zeros are shifted out
    steps >>= std::min(least_exponent - exponent, 63);
    exponent = least_exponent;
  }
  const int place = exponent + below_one;
  add_steps(Natural128{steps} << (place % digit_bits), static_cast<std::size_t>(place / digit_bits),
            real < 0);
}

void ExactSum::spread(Integer128 integer) {
  const auto bits = static_cast<Natural128>(integer);
  add_steps(integer < 0 ? -bits : bits, below_one / digit_bits, integer < 0);
}

void ExactSum::add_steps(Natural128 steps, std::size_t digit, bool negative) {
  if (!has_digits_) digits_.fill(0);
  has_digits_ = true;
  for (; steps != 0; steps >>= digit_bits, ++digit) {
    const auto part = static_cast<std::int64_t>(steps) & digit_mask;
    digits_[digit] += negative ? -part : part;
  }
  if (++uncarried_ < most_uncarried) return;
  carry(digits_);
  uncarried_ = 0;
}

/// Afterwards all digits but the last, which has the sign, are from 0 to 2^32 - 1.
void ExactSum::carry(Digits& digits) {
  for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
    digits[i + 1] += digits[i] >> digit_bits;
    digits[i] &= digit_mask;
  }
}

Datum ExactSum::value() const {
  if (is_null_) return {};
  if (!has_digits_) return datum_of(integer_);
  ExactSum whole = *this;
  whole.spread(integer_);
  carry(whole.digits_);
  const bool negative = whole.digits_.back() < 0;
  if (negative) {
    for (std::int64_t& digit : whole.digits_) digit = -digit;
    carry(whole.digits_);
  }
  return rounded(whole.digits_, negative);
}

/// Digits that were carried, of a sum that is not negative, with the sign that it had.
Datum ExactSum::rounded(const Digits& digits, bool negative) {
  constexpr std::size_t one = below_one / digit_bits;  // the digit that counts ones
  const auto used = std::find_if(digits.rbegin(), digits.rend(), [](auto d) { return d != 0; });
  if (used == digits.rend()) return std::int64_t{0};
  const auto first = static_cast<std::size_t>(digits.rend() - used);  // behind the highest digit
  const std::size_t low = std::max<std::size_t>(first, 4) - 4;
  Natural128 top = 0;  // the four highest digits: at least 97 bits, or all there are
  for (std::size_t i = low + 4; i-- > low;) top = top << digit_bits | Natural128(digits[i]);
  const auto is_zero = [](std::int64_t digit) { return digit == 0; };
  const auto begin = digits.begin();
  if (first <= one + 4 && std::all_of(begin, begin + one, is_zero)) {  // an integer
    Natural128 integer = 0;
    for (std::size_t i = one + 4; i-- > one;) {
      integer = integer << digit_bits | Natural128(digits[i]);
    }
    if (width_of(integer) < 128) {
      return datum_of(negative ? -static_cast<Integer128>(integer)
                               : static_cast<Integer128>(integer));
    }
  }
  const bool rest = !std::all_of(begin, begin + static_cast<std::ptrdiff_t>(low), is_zero);
  const int cut = std::max(width_of(top) - real_bits, 0);
  Natural128 kept = top >> cut;
  if (cut > 0) {
    const Natural128 half = Natural128{1} << (cut - 1);
    const Natural128 below = top - (kept << cut);
    const bool odd = (kept & 1) != 0;
    if (below > half || (below == half && (rest || odd))) ++kept;
  }
  const double real =
      std::ldexp(static_cast<double>(kept), cut + static_cast<int>(low) * digit_bits - below_one);
  return datum_of(negative ? -real : real);
}

}  // namespace lightcone
