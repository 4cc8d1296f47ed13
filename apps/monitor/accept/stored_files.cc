// Waits for the disk: first for the contents of a file, then for its name.
#include "accept/stored_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace lightcone::service {
namespace {

[[nodiscard]] tl::unexpected<Error> trouble(std::string_view what, const std::string& path) {
  return failure(fmt::format("{}: {}", what, std::strerror(errno)), path);
}

[[nodiscard]] Expected<void> store(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (descriptor < 0) return trouble("cannot be opened", path);
  const bool is_stored = ::fsync(descriptor) == 0;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  if (!is_stored) return trouble("cannot be stored", path);
  return {};
}

[[nodiscard]] bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Expected<void> store_contents(const std::string& path) { return store(path, 0); }

Expected<void> store_names(const std::string& folder) {
  return store(folder.empty() ? "." : folder, O_DIRECTORY);
}

Expected<void> replace_file(const std::string& path, std::string_view bytes) {
  const std::string partial = path + ".partial";
  const int descriptor =
      ::open(partial.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return trouble("cannot be written", path);
  const bool is_written = write_all(descriptor, bytes) && ::fsync(descriptor) == 0;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  if (!is_written || ::rename(partial.c_str(), path.c_str()) != 0) {
    auto failed = trouble("cannot be written", path);
    ::unlink(partial.c_str());
    return failed;
  }
  return store_names(std::filesystem::path(path).parent_path().string());
}

}  // namespace lightcone::service
