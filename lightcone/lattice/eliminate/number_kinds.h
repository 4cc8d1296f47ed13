// The numbers that eliminations count with: machine words where they suffice, else any size.
#pragma once

#include <lightcone/lattice/eliminate/natural_number.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace lightcone {

__extension__ using DoubleWord = unsigned __int128;

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
