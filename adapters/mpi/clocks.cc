// The system's clocks, as the program's first thread reads them: answers that differ from run to
// run.
#include <dlfcn.h>
#include <sys/time.h>

#include <cerrno>
#include <ctime>
#include <string_view>

#include <tsl/robin_map.h>

#include "rank.h"

using lightcone::mpi::Rank;

namespace {

constexpr std::uint64_t second = 1'000'000'000, microsecond = 1'000;

using ClockGettime = int (*)(clockid_t, timespec*);

[[nodiscard]] int read_real(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGettime>(::dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

/// Whether code of an MPI, or of what it is made of, is at this address: calls that are not wrapped
/// read clocks, too, as often as they like. So do interpreters and the like, for their own ends.
[[nodiscard]] bool is_of_others(const void* address) {
  static tsl::robin_map<const void*, bool> known;
  const auto place = known.find(address);
  if (place != known.end()) return place->second;
  Dl_info info{};
  bool found = false;
  if (::dladdr(address, &info) != 0 && info.dli_fname != nullptr) {
    const std::string_view path = info.dli_fname;
    const std::string_view file = path.substr(path.rfind('/') + 1);
    for (const std::string_view part :
         {"libmpi", "libopen-", "mca_", "libpmi", "libuc", "libfabric", "libevent", "libhwloc",
          "libpsm", "liblightcone", "python", "libpython", "libgomp", "libjvm"}) {
      found = found || file.starts_with(part);
    }
  }
  known.emplace(address, found);
  return found;
}

/// The process whose program reads a clock at this address.
[[nodiscard]] Rank* reader(const void* address) {
  Rank* const rank = Rank::of_first_thread();
  return rank == nullptr || is_of_others(address) ? nullptr : rank;
}

/// Nanoseconds, as the world says or as it was recorded.
[[nodiscard]] std::uint64_t nanoseconds(clockid_t clock, Rank* rank) {
  timespec time{};
  static_cast<void>(read_real(clock, &time));
  const std::uint64_t now =
      static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_nsec);
  if (rank == nullptr) return now;
  const Rank::Inside inside;
  return rank->time(clock, now);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  Rank* const rank = reader(__builtin_return_address(0));
  if (rank == nullptr) return read_real(clock, time);
  timespec ignored{};
  if (read_real(clock, &ignored) != 0) return -1;
  const std::uint64_t now = nanoseconds(clock, rank);
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_nsec = static_cast<long>(now % second);
  return 0;
}

int gettimeofday(timeval* time, void*) {
  const std::uint64_t now = nanoseconds(CLOCK_REALTIME, reader(__builtin_return_address(0)));
  time->tv_sec = static_cast<time_t>(now / second);
  time->tv_usec = static_cast<suseconds_t>(now % second / microsecond);
  return 0;
}

time_t time(time_t* seconds) {
  const auto now = static_cast<time_t>(
      nanoseconds(CLOCK_REALTIME, reader(__builtin_return_address(0))) / second);
  if (seconds != nullptr) *seconds = now;
  return now;
}

}  // extern "C"
