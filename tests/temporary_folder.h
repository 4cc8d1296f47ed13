// A folder that goes away with the test that made it.
#pragma once

#include <stdlib.h>
#include <unistd.h>
#include <filesystem>
#include <string>

namespace lightcone {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    path_ = (parent / "lightcone-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) ::abort();
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Where there is memory instead of a disk, if there is: for tests that write many small files.
  [[nodiscard]] static std::filesystem::path in_memory() {
    const std::filesystem::path memory = "/dev/shm";
    if (::access(memory.c_str(), W_OK) == 0) return memory;
    return std::filesystem::temp_directory_path();
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lightcone
