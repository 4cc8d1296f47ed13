// Reading and writing files through the system's descriptors.
#include <lightcone/base/file.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t write_buffer = 1 << 20;
constexpr std::size_t most_unpacked = std::size_t{4} << 30;  // of a text that is held as a whole

[[nodiscard]] std::string reason(int error) { return std::strerror(error); }

constexpr const char* only_regular = "of a recording or a directory, only regular files are read";

[[nodiscard]] std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// What was looked at of standard input. It is read again.
[[nodiscard]] std::string& seen_before() {
  static std::string bytes;
  return bytes;
}

[[nodiscard]] Expected<std::size_t> read_descriptor(int descriptor, const std::string& path,
                                                    char* buffer, std::size_t size) {
  if (descriptor == STDIN_FILENO && !seen_before().empty()) {
    const std::size_t count = seen_before().copy(buffer, size);
    seen_before().erase(0, count);
    return count;
  }
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return failure("cannot be read: " + reason(errno), path);
  }
}

/// Keeps SIGXFSZ from this thread. A program whose files may not grow any more must not die of a
/// write of ours: a write past the limit gives EFBIG, and that is an error as any other.
class WithoutSizeSignal {
 public:
  WithoutSizeSignal() {
    ::sigemptyset(&signal_);
    ::sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    was_pending_ = ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGXFSZ) == 1;
    ::pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  WithoutSizeSignal(const WithoutSizeSignal&) = delete;
  WithoutSizeSignal& operator=(const WithoutSizeSignal&) = delete;
  ~WithoutSizeSignal() {
    const int error = errno;
    const timespec now{};
    if (!was_pending_) static_cast<void>(::sigtimedwait(&signal_, nullptr, &now));
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }

 private:
  sigset_t signal_, before_;
  bool was_pending_ = false;
};

}  // namespace

InputFile::InputFile(std::string path, int descriptor, std::uint64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      unpacked_(std::move(other.unpacked_)) {}

InputFile::~InputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

Expected<InputFile> InputFile::open(const std::string& path) {
  if (path == "-") return InputFile("standard input", STDIN_FILENO, 0);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failure("cannot be read: " + reason(errno), path);
  InputFile file(path, descriptor, 0);
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return failure("is a directory, not a file", path);
    if (S_ISREG(status.st_mode)) file.size_ = static_cast<std::uint64_t>(status.st_size);
  }
  return file;
}

Expected<std::string> InputFile::look_into_standard_input(std::size_t most) {
  std::string seen;
  InputFile file("standard input", STDIN_FILENO, 0);
  const auto source = [&](char* buffer, std::size_t size) {
    auto got = read_descriptor(STDIN_FILENO, file.path_, buffer, size);
    if (got) seen.append(buffer, *got);
    return got;
  };
  file.unpacked_.emplace(source, file.path_, TornEnd::ends);
  std::string text(most, '\0');
  const auto size = file.read(text.data(), most);
  seen_before().insert(0, seen);
  if (!size) return failure(size.error());
  text.resize(*size);
  return text;
}

Expected<InputFile> InputFile::open_regular(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 && errno == ENXIO)
    return failure(std::string("is a socket: ") + only_regular, path);
  if (descriptor < 0) return failure("cannot be read: " + reason(errno), path);
  InputFile file(path, descriptor, 0);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    return failure("cannot be read: " + reason(errno), path);
  }
  if (!S_ISREG(status.st_mode)) {
    return failure("is " + kind_of(status.st_mode) + ": " + only_regular, path);
  }
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Expected<std::size_t> InputFile::read_some(char* buffer, std::size_t size) {
  return unpacked_ ? unpacked_->read_some(buffer, size)
                   : read_descriptor(descriptor_, path_, buffer, size);
}

void InputFile::unpack(TornEnd torn_end) {
  const auto source = [descriptor = descriptor_, path = path_](char* buffer, std::size_t size) {
    return read_descriptor(descriptor, path, buffer, size);
  };
  unpacked_.emplace(source, path_, torn_end);
}

std::optional<std::string> InputFile::torn_note() const {
  return unpacked_ ? unpacked_->torn_note() : std::nullopt;
}

Expected<std::size_t> InputFile::read(char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const auto got = read_some(buffer + done, size - done);
    if (!got) return got;
    if (*got == 0) break;
    done += *got;
  }
  return done;
}

Expected<std::string> InputFile::read_all() {
  std::string all;
  std::size_t want = size_ > 0 ? size_ + 1 : 1 << 16;
  for (std::size_t done = 0;;) {
    all.resize(done + want);
    const auto got = read(all.data() + done, want);
    if (!got) return tl::unexpected(got.error());
    done += *got;
    if (*got < want) {
      all.resize(done);
      return all;
    }
    const bool is_packed = unpacked_ && unpacked_->compression() != Compression::plain;
    if (is_packed && done > most_unpacked) {
      return failure("unpacks to more than 4 GiB, and this format is read as a whole", path_, 0,
                     "if that is right, unpack it first");
    }
    want = done;
  }
}

OutputFile::OutputFile(std::string path, Way way, int descriptor)
    : path_(std::move(path)), way_(way), descriptor_(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      way_(std::exchange(other.way_, Way::in_place)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_),
      buffer_(std::move(other.buffer_)),
      packer_(std::move(other.packer_)) {}

OutputFile::~OutputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (way_ == Way::partial) ::unlink(partial().c_str());
}

Expected<OutputFile> OutputFile::create(const std::string& path) {
  if (path == "-") return OutputFile("standard output", Way::in_place, STDOUT_FILENO);
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return failure("is a directory", path);
  Way way = exists && !S_ISREG(status.st_mode) ? Way::in_place : Way::unnamed;  // a pipe, /dev/null
  int descriptor = -1;
  if (way == Way::in_place) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    descriptor =
        ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  }
  if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    way = Way::partial;
    OutputFile named(path, Way::in_place, -1);
    ::unlink(named.partial().c_str());  // what an earlier process of this number left, or a trap
    descriptor =
        ::open(named.partial().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) return failure("cannot be written: " + reason(errno), path);
  return OutputFile(path, way, descriptor);
}

std::string OutputFile::partial() const { return path_ + ".partial-" + std::to_string(::getpid()); }

/// Puts the file where it belongs, in the place of what may be there; returns the error, or 0.
int OutputFile::give_name() const {
  if (way_ == Way::in_place) return 0;
  if (way_ == Way::unnamed) {
    const std::string file = "/proc/self/fd/" + std::to_string(descriptor_);
    ::unlink(partial().c_str());
    if (::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, partial().c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return errno;
    }
  }
  if (::rename(partial().c_str(), path_.c_str()) == 0) return 0;
  const int why = errno;
  ::unlink(partial().c_str());
  return why;
}

OutputFile OutputFile::in_memory() { return {"memory", Way::in_place, -1}; }

void OutputFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (descriptor_ >= 0 && buffer_.size() >= write_buffer) flush();
}

void OutputFile::flush(Packer::Piece piece) {
  const WithoutSizeSignal guard;
  if (packer_) {
    const std::string text = std::exchange(buffer_, {});
    packer_->pack(text, piece, buffer_);
  }
  std::size_t done = 0;
  while (error_ == 0 && done < buffer_.size()) {
    const ssize_t put = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (put >= 0) {
      done += static_cast<std::size_t>(put);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

Expected<void> OutputFile::commit() {
  flush(Packer::Piece::last);
  if (error_ == 0) error_ = give_name();
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor > STDERR_FILENO && ::close(descriptor) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) return failure("cannot be written: " + reason(error_), path_);
  way_ = Way::in_place;
  return {};
}

AppendedFile::AppendedFile(std::string path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendedFile::~AppendedFile() {
  if (is_open()) ::close(descriptor_);
}

Expected<AppendedFile> AppendedFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return failure("cannot be written: " + reason(errno), path);
  return AppendedFile(path, descriptor);
}

Expected<void> AppendedFile::write(std::string_view bytes) {
  const WithoutSizeSignal guard;
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno != EINTR) {
      return failure("cannot be written: " + reason(errno), path_);
    }
  }
  return {};
}

bool AppendedFile::lock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

Expected<void> AppendedFile::cut(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) == 0) return {};
  return failure("cannot be written: " + reason(errno), path_);
}

}  // namespace lightcone
