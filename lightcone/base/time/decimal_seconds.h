// Seconds as the decimal numbers that they were written as, although they are stored in binary.
#pragma once

#include <cstdint>
#include <string>

namespace lightcone {

/// Returns whether `second - first + slack` is at most `limit`, exactly, where each number stands
/// for the decimal number with the fewest digits that is stored as it. Whoever wrote at most 15
/// digits, or at most six decimals of a number below 2^33, finds the numbers as they were written.
/// Decimals beyond the 18th are rounded. All but the limit must be finite.
[[nodiscard]] bool differ_at_most(double first, double second, double slack, double limit);

/// The real that is nearest to a decimal number times `factor` times a power of ten.
[[nodiscard]] double decimal_product(double decimal, std::uint32_t factor, int power_of_ten);

/// The real that is nearest to so many units of 10^-decimals seconds; of at most 18 decimals.
[[nodiscard]] double decimal_seconds(std::uint64_t count, int decimals);

/// The nanoseconds of a decimal number of seconds, rounded. It is between -9e9 and 9e9.
[[nodiscard]] std::int64_t decimal_nanoseconds(double seconds);

/// The difference of two such numbers, as the real that is nearest to it.
[[nodiscard]] double decimal_difference(double first, double second);

/// `195 ms`, `1.5 s`
[[nodiscard]] std::string duration_words(double seconds);

}  // namespace lightcone
