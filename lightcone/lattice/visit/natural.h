// Natural numbers of any size, for counts that grow exponentially.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// A natural number of any size.
class Natural {
 public:
  Natural() = default;
  explicit Natural(std::uint64_t value);
  [[nodiscard]] static Natural binomial(std::uint64_t n, std::uint64_t k);

  Natural& operator+=(const Natural& other);
  /// The other number must not be greater.
  Natural& operator-=(const Natural& other);
  Natural& operator*=(const Natural& other);

  [[nodiscard]] bool operator==(const Natural& other) const = default;
  [[nodiscard]] std::string decimal() const;
  /// The number, where 64 bits hold it.
  [[nodiscard]] std::optional<std::uint64_t> small() const;

 private:
  void trim();

  std::vector<std::uint64_t> limbs_;  // from the lowest; the last is not 0
};

}  // namespace lightcone
