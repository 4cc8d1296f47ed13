// A folder that goes away with the test that made it.
#pragma once

#include <stdlib.h>
#include <filesystem>
#include <string>

namespace lightcone {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "lightcone-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) ::abort();
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lightcone
