// Sums that do not depend on the order of what is added.
#pragma once

#include <lightcone/property/states/datum.h>

#include <array>
#include <cstdint>

namespace lightcone {

/// Adds up to 2^60 numbers exactly, and rounds the whole once, to the nearest value that a Datum
/// can be (to the even one of two). The order of the additions makes no difference.
class ExactSum {
 public:
  /// Adds a number, or takes one away. What is no number makes the sum null, for good.
  void add(const Datum& number, bool negative = false);
  /// Null where the sum is beyond all reals.
  [[nodiscard]] Datum value() const;

 private:
  // A digit i counts steps of 2^(32 i - below_one). Every real is a sum of such steps: the least is
  // 2^-1074, the greatest lies below 2^1024, and 2^60 of them lie below 2^1084.
  static constexpr int digit_bits = 32;
  static constexpr int below_one = 1088;
  static constexpr std::size_t digit_count = (below_one + 1024 + 64) / digit_bits + 1;
  using Digits = std::array<std::int64_t, digit_count>;

  void add_integer(Integer128 integer);
  void add_real(double real);
  void spread(Integer128 integer);
  void add_steps(Natural128 steps, std::size_t digit, bool negative);
  static void carry(Digits& digits);
  [[nodiscard]] static Datum rounded(const Digits& digits, bool negative);

  Integer128 integer_ = 0;  ///< part of the sum, while it fits
  bool is_null_ = false;
  bool has_digits_ = false;
  std::uint32_t uncarried_ = 0;  ///< additions to digits since they were last carried
  Digits digits_;                ///< the rest of the sum, once there is any
};

}  // namespace lightcone
