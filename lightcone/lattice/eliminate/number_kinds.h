// The numbers that eliminations count with: machine words where they suffice, else any size.
#pragma once

#include <lightcone/lattice/eliminate/natural_number.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace lightcone {

__extension__ using DoubleWord = unsigned __int128;

/// A natural number whose lowest limbs are 0 and take no room. Counts that stand apart in the
/// digits of one number are such: only some sums are possible with what has been chosen.
class ShiftedNumber {
 public:
  explicit ShiftedNumber(std::uint64_t value) : digits_(value) {}
  explicit ShiftedNumber(NaturalNumber number) : digits_(std::move(number)) {
    shift_ = digits_.drop_low_zeros();
  }

  ShiftedNumber& operator+=(const ShiftedNumber& other) {
    if (other.digits_.limbs().empty()) return *this;
    if (digits_.limbs().empty()) return *this = other;
    if (other.shift_ < shift_) {
      digits_.shift_limbs(shift_ - other.shift_);
      shift_ = other.shift_;
    }
    digits_.add_shifted(other.digits_, other.shift_ - shift_);
    return *this;
  }
  /// The other number must be a part of this one.
  ShiftedNumber& operator-=(const ShiftedNumber& other) {
    if (other.digits_.limbs().empty()) return *this;
    digits_.subtract_shifted(other.digits_, other.shift_ - shift_);
    shift_ += digits_.drop_low_zeros();
    return *this;
  }
  ShiftedNumber& operator*=(const ShiftedNumber& other) {
    digits_ *= other.digits_;
    shift_ += other.shift_;
    return *this;
  }

  [[nodiscard]] NaturalNumber number() const {
    NaturalNumber number = digits_;
    return number.shift_limbs(shift_);
  }

 private:
  NaturalNumber digits_;
  std::size_t shift_ = 0;  // limbs
};

[[nodiscard]] inline NaturalNumber natural(const ShiftedNumber& number) { return number.number(); }
[[nodiscard]] inline NaturalNumber natural(std::uint64_t number) { return NaturalNumber(number); }
[[nodiscard]] inline NaturalNumber natural(DoubleWord number) {
  return NaturalNumber(
      {static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(number >> 64)});
}
[[nodiscard]] inline NaturalNumber natural(NaturalNumber number) { return number; }

/// Random bits; the same for the same seed.
using RandomBits = std::mt19937_64;

// A number below another one, each as likely as the others: as many random bits as the other one
// has, again and again until they are below it.

[[nodiscard]] inline std::uint64_t random_below(std::uint64_t end, RandomBits& bits) {
  const int unused = std::countl_zero(end - 1) & 63;
  for (;;) {
    const std::uint64_t drawn = end == 1 ? 0 : bits() >> unused;
    if (drawn < end) return drawn;
  }
}

[[nodiscard]] inline DoubleWord random_below(DoubleWord end, RandomBits& bits) {
  const auto high_end = static_cast<std::uint64_t>((end - 1) >> 64);
  if (high_end == 0 && end <= UINT64_MAX) {
    return random_below(static_cast<std::uint64_t>(end), bits);
  }
  const int unused = high_end == 0 ? 64 : std::countl_zero(high_end);
  for (;;) {
    const std::uint64_t high = unused == 64 ? 0 : bits() >> unused;
    const DoubleWord drawn = DoubleWord{high} << 64 | bits();
    if (drawn < end) return drawn;
  }
}

[[nodiscard]] inline NaturalNumber random_below(const NaturalNumber& end, RandomBits& bits) {
  const auto& limbs = end.limbs();
  const int unused = std::countl_zero(limbs.back());
  for (;;) {
    std::vector<std::uint64_t> drawn(limbs.size());
    for (std::uint64_t& limb : drawn) limb = bits();
    drawn.back() >>= unused;
    NaturalNumber number(std::move(drawn));
    if (number < end) return number;
  }
}

}  // namespace lightcone
