// Differences as numbers that are small where the difference is small, whatever its sign.
#pragma once

#include <type_traits>

namespace lightcone {

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …; the difference is given as an unsigned number that wraps.
template <class T>
[[nodiscard]] constexpr T zigzag(T difference) {
  static_assert(std::is_unsigned_v<T>);
  const T sign = static_cast<T>(difference >> (sizeof(T) * 8 - 1));
  return static_cast<T>(static_cast<T>(difference << 1) ^ static_cast<T>(0 - sign));
}

/// The difference that `zigzag` was given.
template <class T>
[[nodiscard]] constexpr T unzigzag(T coded) {
  static_assert(std::is_unsigned_v<T>);
  return static_cast<T>(static_cast<T>(coded >> 1) ^ static_cast<T>(0 - (coded & 1)));
}

}  // namespace lightcone
