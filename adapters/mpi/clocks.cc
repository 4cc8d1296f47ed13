// The system's clocks, as the program's first thread reads them: answers that differ from run to
// run.
#include <dlfcn.h>
#include <sys/time.h>

#include <cerrno>
#include <ctime>

#include "rank.h"

using lightcone::mpi::Rank;

namespace {

constexpr std::uint64_t second = 1'000'000'000, microsecond = 1'000;

using ClockGettime = int (*)(clockid_t, timespec*);

[[nodiscard]] int read_real(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGettime>(::dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

/// Nanoseconds, as the world says or as it was recorded.
[[nodiscard]] std::uint64_t nanoseconds(clockid_t clock) {
  timespec time{};
  static_cast<void>(read_real(clock, &time));
  const std::uint64_t now =
      static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_nsec);
  Rank* const rank = Rank::of_first_thread();
  if (rank == nullptr) return now;
  const Rank::Inside inside;
  return rank->time(now);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  if (Rank::of_first_thread() == nullptr) return read_real(clock, time);
  timespec ignored{};
  if (read_real(clock, &ignored) != 0) return -1;
  const std::uint64_t now = nanoseconds(clock);
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_nsec = static_cast<long>(now % second);
  return 0;
}

int gettimeofday(timeval* time, void*) {
  const std::uint64_t now = nanoseconds(CLOCK_REALTIME);
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_usec = static_cast<suseconds_t>(now % second / microsecond);
  return 0;
}

time_t time(time_t* seconds) {
  const auto now = static_cast<time_t>(nanoseconds(CLOCK_REALTIME) / second);
  if (seconds != nullptr) *seconds = now;
  return now;
}

}  // extern "C"
