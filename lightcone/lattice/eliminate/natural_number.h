// Natural numbers of any size, for counts that grow exponentially.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// A natural number of any size.
class NaturalNumber {
 public:
  NaturalNumber() = default;
  explicit NaturalNumber(std::uint64_t value);
  /// The number with these binary digits, 64 at a time, from the lowest.
  explicit NaturalNumber(std::vector<std::uint64_t> limbs);
  [[nodiscard]] static NaturalNumber binomial(std::uint64_t n, std::uint64_t k);

  NaturalNumber& operator+=(const NaturalNumber& other);
  /// The other number must not be greater.
  NaturalNumber& operator-=(const NaturalNumber& other);
  NaturalNumber& operator*=(const NaturalNumber& other);

  /// Multiplies it with 2^(64 `limbs`).
  NaturalNumber& shift_limbs(std::size_t limbs);
  /// Adds, or subtracts, 2^(64 `limbs`) times the other number.
  NaturalNumber& add_shifted(const NaturalNumber& other, std::size_t limbs);
  NaturalNumber& subtract_shifted(const NaturalNumber& other, std::size_t limbs);
  /// Divides it by the greatest power of 2^64 that it is a multiple of. Returns the exponent.
  std::size_t drop_low_zeros();

  [[nodiscard]] bool operator==(const NaturalNumber& other) const = default;
  [[nodiscard]] bool operator<(const NaturalNumber& other) const;
  /// Its binary digits, 64 at a time, from the lowest; the last are not 0.
  [[nodiscard]] const std::vector<std::uint64_t>& limbs() const { return limbs_; }
  /// About its logarithm; that of 0 is minus infinity.
  [[nodiscard]] double log10() const;
  [[nodiscard]] std::string decimal() const;
  /// The number, where 64 bits hold it.
  [[nodiscard]] std::optional<std::uint64_t> small() const;

 private:
  void trim();

  std::vector<std::uint64_t> limbs_;  // from the lowest; the last is not 0
};

}  // namespace lightcone
