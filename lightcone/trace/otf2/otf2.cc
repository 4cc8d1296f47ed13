// Runs the program that knows the OTF2 library, and reads what it prints.
#include <lightcone/trace/otf2/otf2.h>

#include <lightcone/base/file.h>
#include <lightcone/trace/jsonl/jsonl.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

extern char** environ;

namespace lightcone {
namespace {

namespace fs = std::filesystem;

/// A descriptor that is closed with its owner.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor) : descriptor_(descriptor) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { close(); }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Beside the program, or where it was installed.
[[nodiscard]] std::string otf2_program() {
  std::error_code error;
  const fs::path here = fs::canonical("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here, here / ".." / LIGHTCONE_LIBDIR / "lightcone"}) {
    const fs::path file = fs::canonical(folder / "lightcone-otf2", error);
    if (!error) return file.string();
  }
  return {};
}

/// A running `lightcone-otf2`. What it says on standard error is kept in memory.
class Otf2Program {
 public:
  static Expected<std::unique_ptr<Otf2Program>> start(const std::string& program,
                                                      const std::string& path,
                                                      const std::string& regions) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failure(std::strerror(errno), path);
    OwnedDescriptor write_end(ends[1]);
    std::unique_ptr<Otf2Program> made(
        new Otf2Program(ends[0], ::memfd_create("lightcone-otf2", MFD_CLOEXEC)));
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, made->said_.get(), STDERR_FILENO);
    std::array<std::string, 3> words{program, path, regions};
    std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
    const int error = ::posix_spawn(&made->process_, program.c_str(), &actions, nullptr,
                                    arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      made->process_ = -1;
      return failure("cannot be started: " + std::string(std::strerror(error)), program);
    }
    return made;
  }
  Otf2Program(const Otf2Program&) = delete;
  Otf2Program& operator=(const Otf2Program&) = delete;
  ~Otf2Program() {
    output_.close();  // a program that still writes ends then
    (void)wait();
  }

  [[nodiscard]] int output() const { return output_.get(); }

  /// Waits for its end. Returns its status as waitpid gives it.
  int wait() {
    if (process_ < 0) return status_;
    while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status_;
  }

  /// What it said, after its end.
  [[nodiscard]] std::string said() const {
    constexpr std::size_t most = 1 << 16;
    std::string text(most, '\0');
    const ssize_t size = ::pread(said_.get(), text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  Otf2Program(int output, int said) : output_(output), said_(said) {}

  OwnedDescriptor output_, said_;
  pid_t process_ = -1;
  int status_ = 0;
};

[[nodiscard]] std::string last_line(const std::string& text) {
  return text.substr(text.rfind('\n') + 1);
}

/// What went wrong in the program; nothing if it ended well.
[[nodiscard]] Expected<void> ended_well(Otf2Program& program, const std::string& path) {
  const int status = program.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFSIGNALED(status)) {
    return failure(
        "the OTF2 library failed on this archive: " + std::string(::strsignal(WTERMSIG(status))),
        path, 0, "it may be damaged; `otf2-print` of otf2-tools tells more");
  }
  return failure(last_line(program.said()), path);
}

}  // namespace

Expected<Reading> read_otf2(const std::string& path, const ReadOptions& options) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return failure("is no file: an OTF2 archive is named by its anchor file, such as traces.otf2",
                   path);
  }
  const std::string program = otf2_program();
  if (program.empty()) {
    return failure("is an OTF2 archive, and what reads them is not installed", path, 0,
                   "install the package lightcone-otf2, or build it by `make otf2`");
  }
  auto started = Otf2Program::start(program, path, options.regions);
  if (!started) return failure(std::move(started.error()));
  auto lines = InputFile::open("/proc/self/fd/" + std::to_string((*started)->output()));
  if (!lines) return failure(std::move(lines.error()));
  auto reading = read_jsonl(*lines, path, options);
  std::array<char, 4096> rest{};  // after an error; the program must not wait for us
  for (auto got = lines->read_some(rest.data(), rest.size()); got && *got > 0;) {
    got = lines->read_some(rest.data(), rest.size());
  }
  // If the program failed, that is why the lines are wrong.
  if (auto ok = ended_well(**started, path); !ok) return failure(std::move(ok.error()));
  if (!reading) {
    reading.error().line = 0;  // of lines that no one sees
    return reading;
  }
  constexpr std::string_view note = "note: ";
  const std::string said = last_line((*started)->said());
  if (said.starts_with(note)) reading->notes.push_back(said.substr(note.size()));
  return reading;
}

}  // namespace lightcone
