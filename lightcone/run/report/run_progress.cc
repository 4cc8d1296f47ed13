// A file of eight bytes for each process.
#include <lightcone/run/report/run_progress.h>

#include <lightcone/recording.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace lightcone {
namespace {

using Number = std::atomic<std::uint64_t>;
static_assert(sizeof(Number) == 8 && Number::is_always_lock_free);

[[nodiscard]] std::string path_of(const std::string& directory, std::string_view process) {
  return directory + "/" + file_name_of(process) + ".progress";
}

}  // namespace

Expected<RunProgress> RunProgress::create(const std::string& directory, std::string_view process) {
  const std::string path = path_of(directory, process);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const std::uint64_t nothing_yet = 0;
  void* map = MAP_FAILED;
  if (file >= 0 && ::write(file, &nothing_yet, sizeof nothing_yet) == sizeof nothing_yet) {
    map = ::mmap(nullptr, sizeof nothing_yet, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  const int error = errno;
  if (file >= 0) ::close(file);
  if (map != MAP_FAILED) return RunProgress(new (map) Number(0));
  return failure(std::string("cannot be written: ") + std::strerror(error), path);
}

RunProgress::~RunProgress() {
  if (events_ != nullptr) ::munmap(events_, sizeof *events_);
}

std::optional<std::uint64_t> RunProgress::read(const std::string& directory,
                                               std::string_view process) {
  const int file = ::open(path_of(directory, process).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return std::nullopt;
  std::uint64_t events = 0;
  const bool whole = ::read(file, &events, sizeof events) == sizeof events;
  ::close(file);
  return whole ? std::optional(events) : std::nullopt;
}

}  // namespace lightcone
