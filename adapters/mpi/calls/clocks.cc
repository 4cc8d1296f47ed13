// The system's clocks, as the program's first thread reads them: answers that differ from run to
// run.
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>

#include <cerrno>
#include <ctime>

#include "answers/answers.h"
#include "process/call_site.h"
#include "process/mpi_process.h"

using lightcone::mpi::MpiProcess;

namespace {

constexpr std::uint64_t second = 1'000'000'000, microsecond = 1'000;

using ClockGettime = int (*)(clockid_t, timespec*);

[[nodiscard]] LIGHTCONE_CALLED_EARLY int read_real(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGettime>(::dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

/// The process whose program reads a clock at this address.
[[nodiscard]] LIGHTCONE_CALLED_EARLY MpiProcess* reader(const void* address) {
  MpiProcess* const rank = MpiProcess::of_first_thread();
  return rank == nullptr || lightcone::mpi::is_of_others(address) ? nullptr : rank;
}

/// Nanoseconds, as the world says or as it was recorded.
[[nodiscard]] LIGHTCONE_CALLED_EARLY std::uint64_t nanoseconds(clockid_t clock, MpiProcess* rank) {
  timespec time{};
  static_cast<void>(read_real(clock, &time));
  const std::uint64_t now =
      static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_nsec);
  if (rank == nullptr) return now;
  const MpiProcess::Inside inside;
  return rank->answers().time(clock, now);
}

/// The function of the C library of this name.
template <class Function>
[[nodiscard]] Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Each count is a clock of its own, with a number that no clock of the system has.
constexpr int count_of_clock = 1 << 20, counts_of_times = count_of_clock + 1,
              counts_of_usage = count_of_clock + 64, most_counts_of_usage = 32;

/// Counts of time used and the like, as the world says or as they were recorded. They are clocks
/// from this number on.
template <class... Counts>
void keep(MpiProcess* rank, int clock, Counts&... counts) {
  if (rank == nullptr) return;
  const MpiProcess::Inside inside;
  if (!rank->answers().keeps_more()) return;
  ((counts =
        static_cast<Counts>(rank->answers().time(clock++, static_cast<std::uint64_t>(counts)))),
   ...);
}

/// The same for a time.
void keep(MpiProcess* rank, int clock, timeval& time) {
  std::uint64_t all = static_cast<std::uint64_t>(time.tv_sec) * second +
                      static_cast<std::uint64_t>(time.tv_usec) * microsecond;
  keep(rank, clock, all);
  time.tv_sec = static_cast<time_t>(all / second);
  time.tv_usec = static_cast<suseconds_t>(all % second / microsecond);
}

}  // namespace

extern "C" {

LIGHTCONE_CALLED_EARLY int clock_gettime(clockid_t clock, timespec* time) {
  MpiProcess* const rank = reader(__builtin_return_address(0));
  if (rank == nullptr) return read_real(clock, time);
  timespec ignored{};
  if (read_real(clock, &ignored) != 0) return -1;
  const std::uint64_t now = nanoseconds(clock, rank);
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_nsec = static_cast<long>(now % second);
  return 0;
}

LIGHTCONE_CALLED_EARLY int timespec_get(timespec* time, int base) {
  if (base != TIME_UTC) return 0;
  MpiProcess* const rank = reader(__builtin_return_address(0));
  const bool is_kept = rank != nullptr && !rank->answers().are_old();
  const std::uint64_t now = nanoseconds(CLOCK_REALTIME, is_kept ? rank : nullptr);
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_nsec = static_cast<long>(now % second);
  return base;
}

LIGHTCONE_CALLED_EARLY int gettimeofday(timeval* time, void*) {
  const std::uint64_t now = nanoseconds(CLOCK_REALTIME, reader(__builtin_return_address(0)));
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_usec = static_cast<suseconds_t>(now % second / microsecond);
  return 0;
}

LIGHTCONE_CALLED_EARLY time_t time(time_t* seconds) {
  const auto now = static_cast<time_t>(
      nanoseconds(CLOCK_REALTIME, reader(__builtin_return_address(0))) / second);
  if (seconds != nullptr) *seconds = now;
  return now;
}

clock_t clock() {
  static auto* const read = real<clock_t()>("clock");
  clock_t used = read();
  keep(reader(__builtin_return_address(0)), count_of_clock, used);
  return used;
}

clock_t times(tms* buffer) {
  static auto* const read = real<clock_t(tms*)>("times");
  tms own{};
  clock_t now = read(&own);
  keep(reader(__builtin_return_address(0)), counts_of_times, now, own.tms_utime, own.tms_stime,
       own.tms_cutime, own.tms_cstime);
  if (buffer != nullptr) *buffer = own;
  return now;
}

int getrusage(__rusage_who_t who, rusage* usage) {
  static auto* const read = real<int(int, rusage*)>("getrusage");
  const int result = read(static_cast<int>(who), usage);
  MpiProcess* const rank = reader(__builtin_return_address(0));
  if (result != 0 || rank == nullptr) return result;
  const int first =
      counts_of_usage + (static_cast<int>(who) - RUSAGE_CHILDREN) * most_counts_of_usage;
  keep(rank, first, usage->ru_utime);
  keep(rank, first + 1, usage->ru_stime);
  keep(rank, first + 2, usage->ru_maxrss, usage->ru_ixrss, usage->ru_idrss, usage->ru_isrss,
       usage->ru_minflt, usage->ru_majflt, usage->ru_nswap, usage->ru_inblock, usage->ru_oublock,
       usage->ru_msgsnd, usage->ru_msgrcv, usage->ru_nsignals, usage->ru_nvcsw, usage->ru_nivcsw);
  return result;
}

}  // extern "C"
