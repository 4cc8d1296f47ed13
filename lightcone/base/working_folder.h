// A folder to work in, with a unique name. It is removed with its owner.
#pragma once

#include <lightcone/error.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace lightcone {

/// Removes the folder, with all that is in it, when it is destroyed.
class WorkingFolder {
 public:
  /// Makes one whose name begins like this.
  [[nodiscard]] static Expected<WorkingFolder> make(const std::string& beginning) {
    std::string path = beginning + "XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) {
      return failure("no folder can be made: " + std::generic_category().message(errno), path);
    }
    return WorkingFolder(std::move(path));
  }
  WorkingFolder(WorkingFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  WorkingFolder& operator=(WorkingFolder&&) = delete;
  ~WorkingFolder() {
    std::error_code unknown;
    if (!path_.empty()) std::filesystem::remove_all(path_, unknown);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit WorkingFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace lightcone
