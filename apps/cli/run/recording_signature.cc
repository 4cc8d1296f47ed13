// Signs descriptions of recordings with a key that only the user can read.
#include "run/recording_signature.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "program.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

using Key = std::array<unsigned char, crypto_auth_KEYBYTES>;
using Signature = std::array<unsigned char, crypto_auth_BYTES>;

/// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

[[nodiscard]] tl::unexpected<Error> system_failure(const std::string& path) {
  return failure(std::strerror(errno), path);
}

/// Where the key is kept: variables of the environment count only if they are absolute paths.
[[nodiscard]] Expected<fs::path> key_folder() {
  if (const char* const state = ::secure_getenv("XDG_STATE_HOME"); state && *state == '/') {
    return fs::path(state) / "lightcone";
  }
  const char* home = ::secure_getenv("HOME");
  if (home == nullptr || *home != '/') {
    const passwd* const user = ::getpwuid(::geteuid());
    home = user != nullptr ? user->pw_dir : nullptr;
  }
  if (home == nullptr || *home != '/') return failure("the user has no home directory");
  return fs::path(home) / ".local" / "state" / "lightcone";
}

/// A key is accepted only if no other user could have read or made it.
[[nodiscard]] Expected<Key> read_key(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return system_failure(path);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0) {
    return failure("is not a file that only its owner can read", path);
  }
  Key key{};
  if (status.st_size != static_cast<off_t>(key.size()) ||
      ::read(file.number(), key.data(), key.size()) != static_cast<ssize_t>(key.size())) {
    return failure("has no key", path, 0, "remove it: the next recording makes a new one");
  }
  return key;
}

/// Makes a key under another name, then gives it its own unless someone was faster.
[[nodiscard]] Expected<void> make_key(const fs::path& folder, const std::string& path) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure(error.message(), folder.string());
  std::string temporary = path + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));  // exclusive, and 0600
  if (file.number() < 0) return system_failure(path);
  Key key{};
  crypto_auth_keygen(key.data());
  const bool written =
      ::write(file.number(), key.data(), key.size()) == static_cast<ssize_t>(key.size()) &&
      ::fsync(file.number()) == 0;
  const bool named = written && (::link(temporary.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int why = errno;
  ::unlink(temporary.c_str());
  if (!named) return failure(std::strerror(why), path);
  return {};
}

[[nodiscard]] Expected<Key> user_key(bool make) {
  if (::sodium_init() < 0) return failure("there are no random numbers");
  const auto folder = key_folder();
  if (!folder) return failure(folder.error());
  const std::string path = (*folder / "key").string();
  struct stat status {};
  if (make && ::lstat(path.c_str(), &status) != 0 && errno == ENOENT) {
    if (auto made = make_key(*folder, path); !made) return failure(made.error());
  }
  return read_key(path);
}

/// What is signed. The machine is part of it, since home directories may be shared.
[[nodiscard]] std::string signed_text(const Recording& recording) {
  std::string machine;
  std::getline(std::ifstream("/etc/machine-id"), machine);
  return fmt::format("lightcone recording\n{}\n{}", machine, recording.description());
}

[[nodiscard]] std::string signature_of(const Recording& recording, const Key& key) {
  const std::string text = signed_text(recording);
  Signature signature{};
  crypto_auth(signature.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
              key.data());
  std::string hex(2 * signature.size() + 1, '\0');
  ::sodium_bin2hex(hex.data(), hex.size(), signature.data(), signature.size());
  hex.pop_back();
  return hex;
}

[[nodiscard]] std::string current_folder() {
  std::error_code unknown;
  return fs::current_path(unknown).string();
}

}  // namespace

Expected<void> write_signed(Recording recording, const std::string& directory) {
  recording.folder = current_folder();
  const auto key = user_key(true);
  if (key) {
    recording.signature = signature_of(recording, *key);
  } else {
    report_note(
        fmt::format("the recording is not signed, so a replay must be told what to "
                    "run: {}",
                    key.error().text()));
  }
  return recording.write(directory);
}

std::string why_not_trusted(const Recording& recording) {
  if (recording.signature.empty()) return "the recording is not signed";
  const auto key = user_key(false);
  if (!key) return "this user has not signed a recording on this machine";
  const std::string expected = signature_of(recording, *key);
  if (recording.signature.size() != expected.size() ||
      ::sodium_memcmp(recording.signature.data(), expected.data(), expected.size()) != 0) {
    return "the recording was not made by this user on this machine, or recording.json was changed";
  }
  if (recording.folder != current_folder()) {
    return fmt::format("the program was recorded in another directory, {}", recording.folder);
  }
  return {};
}

}  // namespace lightcone::cli
