// Random numbers that are the same on every machine, for a seed.
#pragma once

#include <cstdint>
#include <random>

namespace lightcone {

/// Random numbers from integer arithmetic alone: the distributions of the standard library, and
/// logarithms, differ from one platform to the next.
class PortableRandom {
 public:
  explicit PortableRandom(std::uint64_t seed) : bits_(seed) {}

  [[nodiscard]] std::uint32_t word() { return static_cast<std::uint32_t>(bits_() >> 32); }
  /// A number from 0 up to, not including, `end`.
  [[nodiscard]] std::uint32_t below(std::uint32_t end) {
    return static_cast<std::uint32_t>((std::uint64_t{word()} * end) >> 32);
  }
  [[nodiscard]] bool chance(std::uint64_t threshold) {
    return threshold != 0 && word() < threshold;
  }
  /// What `chance` needs for a rate.
  [[nodiscard]] static std::uint64_t threshold(double rate) {
    return static_cast<std::uint64_t>(rate * 4294967296.0);
  }
  /// Exponential with mean 1, in units of 2^-16. Von Neumann's method: it only compares uniform
  /// numbers, a descending run of odd length accepts its first one.
  [[nodiscard]] std::uint64_t exponential() {
    for (std::uint64_t whole = 0;; ++whole) {
      const std::uint32_t first = word();
      std::uint32_t last = first;
      bool odd = true;
      for (std::uint32_t next = word(); next < last; next = word()) {
        last = next;
        odd = !odd;
      }
      if (odd) return (whole << 16) + (first >> 16);
    }
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace lightcone
