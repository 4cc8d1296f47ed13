// Asks the kernel for pages before they are touched.
#include <lightcone/base/memory/fresh_memory.h>

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>

namespace lightcone {
namespace {

constexpr std::uintptr_t page = 4096;
constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20;
constexpr std::size_t least_bytes = 16 * page;  // below it, a system call costs more than it brings

constexpr std::uintptr_t round_up(std::uintptr_t address, std::uintptr_t unit) {
  return (address + unit - 1) / unit * unit;
}

}  // namespace

void fetch_memory(void* begin, std::size_t bytes) {
#if defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
  if (bytes < least_bytes) return;
  const int error = errno;
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  const auto advise = [&](std::uintptr_t unit, int advice) {
    const std::uintptr_t first = round_up(from, unit);
    const std::uintptr_t end = (from + bytes) / unit * unit;
    if (first < end) (void)::madvise(reinterpret_cast<void*>(first), end - first, advice);
  };
  advise(large_page, MADV_HUGEPAGE);
  advise(page, MADV_POPULATE_WRITE);
  errno = error;
#else
  (void)begin;
  (void)bytes;
#endif
}

}  // namespace lightcone
