// Sleepers of a futex that is never written.
#include "end/alarm.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <thread>

namespace lightcone::mpi {

using std::chrono::milliseconds;

Alarm::Alarm(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat facts {};
  constexpr std::size_t size = sizeof *word_;
  if (::fstat(descriptor, &facts) == 0 && facts.st_size >= static_cast<off_t>(size)) {
    void* const place = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (place != MAP_FAILED) word_ = static_cast<const std::uint32_t*>(place);
  }
  ::close(descriptor);
}

Alarm::~Alarm() {
  if (word_ != nullptr) ::munmap(const_cast<std::uint32_t*>(word_), sizeof *word_);
}

bool Alarm::wait(milliseconds longest) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec time{seconds.count(), std::chrono::nanoseconds(longest - seconds).count()};
  const bool can_wait = word_ != nullptr;
  if (can_wait && ::syscall(SYS_futex, word_, FUTEX_WAIT, *word_, &time, nullptr, 0) == 0) {
    return true;
  }
  if (!can_wait || errno != ETIMEDOUT) std::this_thread::sleep_for(longest);
  return false;
}

void Alarm::raise() const {
  constexpr int rounds = 40;
  constexpr milliseconds between{5};
  if (word_ == nullptr) return;
  long most = 0;
  for (int round = 0; round < rounds; ++round) {
    const long woken = ::syscall(SYS_futex, word_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    if (round > 0 && woken >= most) return;
    most = std::max(most, woken);
    std::this_thread::sleep_for(between);
  }
}

}  // namespace lightcone::mpi
