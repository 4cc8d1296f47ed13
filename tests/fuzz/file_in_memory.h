// A file for readers that open files, which costs no disk.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace lightcone::fuzz {

/// Puts the bytes into the one file in memory, instead of those before. Returns its path.
[[nodiscard]] inline std::string file_in_memory(std::string_view bytes) {
  static const int file = ::memfd_create("input", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (file < 0 || ::ftruncate(file, 0) != 0) __builtin_trap();
  const auto size = static_cast<ssize_t>(bytes.size());
  if (::pwrite(file, bytes.data(), bytes.size(), 0) != size) __builtin_trap();
  return path;
}

}  // namespace lightcone::fuzz
