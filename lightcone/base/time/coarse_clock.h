// A cheap clock for code that reads it very often and needs seconds only.
#pragma once

#include <chrono>
#include <ctime>

namespace lightcone {

/// Never goes back, and stands still for a few milliseconds at a time: reading it costs a tenth of
/// what std::chrono::steady_clock does.
struct CoarseClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<CoarseClock>;
  static constexpr bool is_steady = true;

  [[nodiscard]] static time_point now() noexcept {
    std::timespec time{};
    static_cast<void>(::clock_gettime(CLOCK_MONOTONIC_COARSE, &time));
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
  }
};

}  // namespace lightcone
