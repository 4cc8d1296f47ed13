// Natural numbers of any size, for counts that grow exponentially.
#pragma once

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
  [[nodiscard]] static NaturalNumber binomial(std::uint64_t n, std::uint64_t k);

  NaturalNumber& operator+=(const NaturalNumber& other);
  /// The other number must not be greater.
  NaturalNumber& operator-=(const NaturalNumber& other);
  NaturalNumber& operator*=(const NaturalNumber& other);

  [[nodiscard]] bool operator==(const NaturalNumber& other) const = default;
  [[nodiscard]] std::string decimal() const;
  /// The number, where 64 bits hold it.
  [[nodiscard]] std::optional<std::uint64_t> small() const;

 private:
  void trim();

  std::vector<std::uint64_t> limbs_;  // from the lowest; the last is not 0
};

}  // namespace lightcone
