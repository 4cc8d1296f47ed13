// Clocks of MPI programs in numbers.
#pragma once

#include <climits>
#include <cmath>
#include <cstdint>

namespace lightcone::mpi {

inline constexpr int clock_of_mpi = INT_MIN;  ///< no clock of the system has this number

/// Nanoseconds of a time in seconds. Seconds apart from their parts: a double holds no more.
[[nodiscard]] inline std::uint64_t nanoseconds_of(double seconds) {
  if (seconds < 0) return 0;
  const double whole = std::floor(seconds);
  return static_cast<std::uint64_t>(whole) * 1'000'000'000 +
         static_cast<std::uint64_t>(std::llround((seconds - whole) * 1e9));
}

[[nodiscard]] inline double seconds_of(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds / 1'000'000'000) +
         static_cast<double>(nanoseconds % 1'000'000'000) * 1e-9;
}

}  // namespace lightcone::mpi
