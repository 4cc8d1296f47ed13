// Orders to a host: a program to start, or a time within which to end it. It answers whether the
// program runs, how it has ended, and that all is gone.
#include "run/program_host.h"

#include <fcntl.h>
#include <lightcone/base/wire.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lightcone::cli {
namespace {

using std::chrono::milliseconds;

/// A command line and an environment fit.
constexpr std::size_t longest_order = 16U << 20;
/// How often a host looks for orders while a program runs.
constexpr milliseconds between_orders{5};
/// It looks again, since it may get a signal.
constexpr milliseconds long_time{10'000};

[[nodiscard]] std::string encoded(const ChildProgram::Options& options) {
  WireWriter wire;
  for (const auto* texts : {&options.words, &options.variables}) {
    wire.number(texts->size());
    for (const std::string& text : *texts) wire.text(text);
  }
  wire.fixed(options.keep_output ? 1 : 0, 1);
  wire.fixed(options.silent ? 1 : 0, 1);
  wire.text(options.output);
  return std::move(wire.bytes());
}

[[nodiscard]] ChildProgram::Options decoded_options(std::string_view bytes) {
  WireReader wire(bytes);
  ChildProgram::Options options;
  for (auto* texts : {&options.words, &options.variables}) {
    for (std::uint64_t left = wire.number(); left != 0 && !wire.failed(); --left) {
      texts->emplace_back(wire.text(longest_order));
    }
  }
  options.keep_output = wire.fixed(1) != 0;
  options.silent = wire.fixed(1) != 0;
  options.output = wire.text(longest_order);
  return options;
}

[[nodiscard]] std::string encoded_number(std::uint64_t number) {
  WireWriter wire;
  wire.number(number);
  return std::move(wire.bytes());
}

/// Runs one program until it is to be ended. Returns whether we are still there.
[[nodiscard]] bool serve_one(FramedSocket& us, const ChildProgram::Options& options) {
  auto program = ChildProgram::start(options);
  us.send(program ? std::string() : program.error().what);
  if (!program) return true;
  bool has_ended = false;
  for (;;) {
    if (!has_ended) {
      if (const auto status = program->wait(between_orders)) {
        has_ended = true;
        us.send(encoded_number(static_cast<std::uint64_t>(*status)));
      }
    }
    if (!us.has_news(has_ended ? long_time : milliseconds(0))) continue;
    const auto order = us.receive();
    if (!order) return false;
    program->end(milliseconds(WireReader(*order).number()));
    us.send({});
    return true;
  }
}

[[noreturn]] void serve(FramedSocket us) {
  ::setpgid(0, 0);  // whoever interrupts us at the terminal does not interrupt it
  ::prctl(PR_SET_NAME, "program host");
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  bool goes_on = true;
  while (goes_on) {
    const auto order = us.receive();
    goes_on = order && serve_one(us, decoded_options(*order));
  }
  ::_exit(0);
}

}  // namespace

Expected<std::vector<ProgramHost>> ProgramHost::make(std::size_t count) {
  std::vector<ProgramHost> hosts;
  hosts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    int ends[2];
    const bool is_made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    const pid_t process = is_made ? ::fork() : -1;
    if (process < 0) {
      if (is_made) ::close(ends[0]);
      if (is_made) ::close(ends[1]);
      return failure(std::string("no process can be made: ") + std::strerror(errno), {}, 0,
                     "explore with fewer --jobs");
    }
    if (process == 0) {
      for (const ProgramHost& other : hosts) ::close(other.socket_.descriptor());
      ::close(ends[0]);
      serve(FramedSocket(ends[1], longest_order));
    }
    ::close(ends[1]);
    hosts.push_back(ProgramHost(process, FramedSocket(ends[0], longest_order)));
  }
  return hosts;
}

ProgramHost::ProgramHost(ProgramHost&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      socket_(std::move(other.socket_)),
      status_(other.status_) {}

ProgramHost::~ProgramHost() {
  if (process_ < 0) return;
  { const FramedSocket gone = std::move(socket_); }
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Expected<void> ProgramHost::start(const ChildProgram::Options& options) {
  status_.reset();
  std::optional<std::string> answer;
  if (socket_.send(encoded(options))) answer = socket_.receive();
  if (!answer) return failure("cannot be run: the process that runs it is gone", options.words[0]);
  if (!answer->empty()) return failure(*answer, options.words[0]);
  return {};
}

std::optional<int> ProgramHost::wait(milliseconds longest) {
  if (status_ || !socket_.has_news(longest)) return status_;
  const auto answer = socket_.receive();
  constexpr int killed = 128 + 9;
  status_ = answer ? static_cast<int>(WireReader(*answer).number()) : killed;
  return status_;
}

void ProgramHost::end(milliseconds longest) {
  const auto time =
      static_cast<std::uint64_t>(std::max(longest, ChildProgram::time_to_end).count());
  if (!socket_.send(encoded_number(time))) return;
  while (const auto answer = socket_.receive()) {
    if (answer->empty()) return;  // before it, its status may have come
  }
}

}  // namespace lightcone::cli
