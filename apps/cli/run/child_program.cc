// Starts a program as a shell does a job: a process group, the terminal, and its signals.
#include "run/child_program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

extern char** environ;

namespace lightcone::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds polling_step{20};

/// What we wait for: that a child changes, or that someone wants us to end.
[[nodiscard]] sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  return set;
}

[[nodiscard]] int shell_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Our environment, with these variables instead of any of their names.
[[nodiscard]] std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view old = *entry;
    const auto name = old.substr(0, old.find('=') + 1);
    const bool replaced = std::any_of(variables.begin(), variables.end(),
                                      [&](const auto& own) { return own.starts_with(name); });
    if (!replaced) all.emplace_back(old);
  }
  return all;
}

/// The parent of a process; 0 if there is no such process any more.
[[nodiscard]] pid_t parent_of(const std::string& id) {
  std::ifstream file("/proc/" + id + "/stat");
  std::string line;
  if (!std::getline(file, line)) return 0;
  std::istringstream words(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string state;
  pid_t parent = 0;
  words >> state >> parent;
  return parent;
}

/// All that our children have started, and they: launchers put what they start into groups of its
/// own. Whose parent has ended is a child of ours.
[[nodiscard]] std::vector<pid_t> descendants() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const pid_t parent = parent_of(name); parent != 0) {
      children.emplace(parent, static_cast<pid_t>(std::stol(name)));
    }
  }
  std::vector<pid_t> found = {::getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

void send_to_descendants(int signal) {
  for (const pid_t id : descendants()) ::kill(id, signal);
}

[[nodiscard]] ssize_t read_from(int descriptor, void* to, std::size_t size) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor, to, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

/// How a new process differs from us.
struct SpawnWays {
  sigset_t mask;
  bool in_new_group = false;
  bool prints_to_standard_error = false;
  const char* output = nullptr;  ///< the file to which it prints; none: it prints where we do
  bool drops_errors = false;     ///< what it prints to standard error is lost
  int guard = -1;                ///< the line to the guard of its group
};

/// Between fork and exec, where only few functions may be called. A process tells the guard of its
/// group itself: its starter may have been killed since.
void prepare_new_process(const SpawnWays& ways) {
  const pid_t id = ::getpid();
  if (ways.in_new_group) ::setpgid(0, 0);
  if (ways.guard >= 0) static_cast<void>(::send(ways.guard, &id, sizeof id, MSG_NOSIGNAL));
  if (ways.prints_to_standard_error) ::dup2(STDERR_FILENO, STDOUT_FILENO);
  if (ways.output != nullptr) {
    const int file = ::open(ways.output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file, descriptor);
  }
  if (ways.drops_errors) ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  ::sigprocmask(SIG_SETMASK, &ways.mask, nullptr);
}

/// Starts a program; an error says why it cannot be run.
[[nodiscard]] Expected<pid_t> spawn(std::vector<std::string> words,
                                    const std::vector<std::string>& variables,
                                    const SpawnWays& ways) {
  std::vector<std::string> environment = environment_with(variables);
  const std::vector<char*> arguments = pointers_to(words), values = pointers_to(environment);
  int ends[2];  // closed without a word when the program runs
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return failure(std::string("cannot be run: ") + std::strerror(errno), words.front());
  }
  const pid_t id = ::fork();
  int error = id < 0 ? errno : 0;
  if (id == 0) {
    prepare_new_process(ways);
    ::execvpe(arguments.front(), arguments.data(), values.data());
    error = errno;
    static_cast<void>(::write(ends[1], &error, sizeof error));
    ::_exit(127);
  }
  ::close(ends[1]);
  const bool was_told = id > 0 && read_from(ends[0], &error, sizeof error) > 0;
  ::close(ends[0]);
  if (was_told) ::waitpid(id, nullptr, 0);
  if (error == 0) return id;
  return failure(std::string("cannot be run: ") + std::strerror(error), words.front());
}

/// Asks a process group to end, and ends it if it does not. MPI launchers need time to tell ranks,
/// which are not of their group. Calls nothing that a fork of a program with threads must not call.
void end_group(pid_t group) {
  ::kill(-group, SIGTERM);
  ::kill(-group, SIGCONT);
  const timespec moment{0, 50'000'000};
  constexpr int moments = 100;
  for (int i = 0; i < moments && ::kill(-group, 0) == 0; ++i) ::nanosleep(&moment, nullptr);
  ::kill(-group, SIGKILL);
}

/// Hears of a group, then waits until the other end of the line says that all is well, or is gone.
[[noreturn]] void guard(int lifeline) {
  ::setsid();
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_NAME, "guard");
  ::dup2(lifeline, STDIN_FILENO);
  ::close_range(STDOUT_FILENO, ~0U, 0);
  pid_t group = 0;
  char word = 0;
  if (read_from(STDIN_FILENO, &group, sizeof group) == sizeof group &&
      read_from(STDIN_FILENO, &word, 1) <= 0) {
    end_group(group);
  }
  ::_exit(0);
}

/// Starts a guard that ends a program when we are killed; returns the line to it, or -1 where there
/// are too many processes. It is no child of ours, since we wait until all our children have ended.
[[nodiscard]] int start_guard() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0));
  const pid_t between = ::fork();
  if (between == 0) {
    if (::fork() == 0) guard(ends[0]);
    ::_exit(0);
  }
  if (between > 0) ::waitpid(between, nullptr, 0);
  ::close(ends[0]);
  return ends[1];
}

}  // namespace

void ChildProgram::dismiss_guard() {
  if (lifeline_ < 0) return;
  const char all_is_well = 1;
  static_cast<void>(::send(lifeline_, &all_is_well, 1, MSG_NOSIGNAL));
  ::close(std::exchange(lifeline_, -1));
}

Expected<ChildProgram> ChildProgram::start(const Options& options) {
  const int lifeline = start_guard();
  // Whose parent ends becomes our child, so that we see when all have ended.
  static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
  sigset_t before;
  const sigset_t awaited = awaited_signals();
  ::sigprocmask(SIG_BLOCK, &awaited, &before);
  const bool is_kept = !options.output.empty();
  const std::string output = options.silent && !is_kept ? "/dev/null" : options.output;
  const auto id = spawn(options.words, options.variables,
                        {.mask = before,
                         .in_new_group = true,
                         .prints_to_standard_error = options.keep_output,
                         .output = output.empty() ? nullptr : output.c_str(),
                         .drops_errors = options.silent && is_kept,
                         .guard = lifeline});
  if (!id) {
    if (lifeline >= 0) ::close(lifeline);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return failure(id.error());
  }
  ChildProgram program(*id, before, ::tcgetpgrp(STDIN_FILENO) == ::getpgrp());
  program.lifeline_ = lifeline;
  program.give_terminal(*id);
  ::kill(-*id, SIGCONT);  // it may have asked for the terminal before it had it
  return program;
}

ChildProgram::ChildProgram(ChildProgram&& other) noexcept
    : group_(std::exchange(other.group_, -1)),
      mask_(other.mask_),
      has_terminal_(other.has_terminal_),
      lifeline_(std::exchange(other.lifeline_, -1)),
      status_(other.status_),
      signal_(other.signal_) {}

ChildProgram::~ChildProgram() {
  if (group_ < 0) return;
  end();
  dismiss_guard();
  give_terminal(::getpgrp());
  ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
}

void ChildProgram::give_terminal(pid_t group) const {
  if (!has_terminal_) return;
  void (*const before)(int) = std::signal(SIGTTOU, SIG_IGN);  // we may be in the background
  static_cast<void>(::tcsetpgrp(STDIN_FILENO, group));
  std::signal(SIGTTOU, before);
}

/// The user has stopped it from the terminal: so are we, until we are told to go on.
void ChildProgram::stop_with_it(int signal) {
  if (signal == SIGTSTP || signal == SIGSTOP) {
    give_terminal(::getpgrp());
    std::raise(SIGSTOP);
  }
  give_terminal(group_);
  ::kill(-group_, SIGCONT);
}

void ChildProgram::note(pid_t id, int status) {
  if (id != group_) return;
  if (WIFSTOPPED(status)) {
    stop_with_it(WSTOPSIG(status));
  } else if (!WIFCONTINUED(status)) {
    status_ = shell_status(status);
  }
}

/// Takes note of all that has happened; whether anyone is left of what was started.
bool ChildProgram::collect() {
  int status = 0;
  pid_t id = 0;
  const int stopped = has_terminal_ ? WUNTRACED : 0;
  while ((id = ::waitpid(-1, &status, WNOHANG | stopped)) > 0) note(id, status);
  return id == 0;
}

/// Waits for a signal, and passes it on unless it is about a child.
void ChildProgram::pass_on(milliseconds longest) {
  const sigset_t awaited = awaited_signals();
  const timespec time{longest.count() / 1000, longest.count() % 1000 * 1000000};
  const int signal = ::sigtimedwait(&awaited, nullptr, &time);
  if (signal <= 0 || signal == SIGCHLD) return;
  signal_ = signal;
  ::kill(-group_, signal);
}

std::optional<int> ChildProgram::wait(milliseconds longest) {
  collect();
  if (status_) return status_;
  pass_on(longest);
  collect();
  return status_;
}

bool ChildProgram::wait_for_rest(milliseconds longest) {
  const auto deadline = Clock::now() + longest;
  while (collect()) {
    if (Clock::now() >= deadline) return false;
    pass_on(polling_step);
  }
  return true;
}

void ChildProgram::end(milliseconds longest) {
  if (!collect()) return;
  ::kill(-group_, SIGTERM);
  ::kill(-group_, SIGCONT);
  if (wait_for_rest(longest)) return;
  // Some may start others until they are gone.
  for (const auto deadline = Clock::now() + time_to_end; Clock::now() < deadline;) {
    send_to_descendants(SIGKILL);
    if (wait_for_rest(polling_step)) return;
  }
}

Expected<int> ChildProgram::run_beside(const std::vector<std::string>& words) {
  give_terminal(::getpgrp());
  const auto id = spawn(words, {}, {.mask = mask_});
  if (!id) return failure(id.error());
  int status = 0;
  const sigset_t awaited = awaited_signals();
  const timespec time{0, 20000000};
  while (::waitpid(*id, &status, WNOHANG) == 0) {
    // Whoever interrupts means the debugger, which has the terminal, too.
    const int signal = ::sigtimedwait(&awaited, nullptr, &time);
    if (signal == SIGTERM || signal == SIGHUP) ::kill(*id, signal);
  }
  return shell_status(status);
}

}  // namespace lightcone::cli
