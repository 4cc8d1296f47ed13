// A thread waits until the handler of fatal signals, or the end of the process, wakes it.
#include "end/last_words.h"

#include <dlfcn.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <thread>

#include "process/call_at_hand.h"

namespace lightcone::mpi {
namespace {

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP};

sem_t wanted, said;
void (*say)(int why) = nullptr;
volatile std::sig_atomic_t came = 0;
std::chrono::seconds longest_words{1};
std::array<struct sigaction, NSIG> before;
pid_t own_process = 0;  // a child that it forks has nothing to say

/// Lets the thread speak, and waits for it.
void let_speak(int why) {
  came = why;
  ::sem_post(&wanted);
  timespec deadline{};
  ::clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += longest_words.count();
  ::sem_timedwait(&said, &deadline);
}

/// An MPI ends the process inside of the call that failed.
void leave() {
  if (::getpid() == own_process) let_speak(is_inside_of_call() ? in_call : by_exit);
}

/// MPICH tells its launcher so to kill all processes.
constexpr std::string_view order_to_kill = "cmd=abort";

/// The launcher kills them before MPICH comes to `exit`.
LIGHTCONE_CALLED_EARLY void look_for_order(const void* bytes, std::size_t size) {
  if (own_process == 0 || size < order_to_kill.size() || !is_inside_of_call()) return;
  if (std::memcmp(bytes, order_to_kill.data(), order_to_kill.size()) == 0) leave();
}

void handle(int signal, siginfo_t* info, void* context) {
  if (::getpid() == own_process) let_speak(signal);
  const struct sigaction& old = before[static_cast<std::size_t>(signal)];
  ::sigaction(signal, &old, nullptr);
  if ((old.sa_flags & SA_SIGINFO) != 0) return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
  ::raise(signal);
}

}  // namespace

void keep_last_words(void (*last_words)(int why), std::chrono::seconds longest) {
  say = last_words;
  longest_words = longest;
  own_process = ::getpid();
  ::sem_init(&wanted, 0, 0);
  ::sem_init(&said, 0, 0);
  std::thread([] {
    for (;;) {
      if (::sem_wait(&wanted) != 0) continue;
      say(came);
      ::sem_post(&said);
    }
  }).detach();
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : fatal) {
    struct sigaction& old = before[static_cast<std::size_t>(signal)];
    ::sigaction(signal, nullptr, &old);
    const bool ignored = (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_IGN;
    if (!ignored) ::sigaction(signal, &action, &old);
  }
  static_cast<void>(std::atexit(leave));
}

void say_why_it_ends(const std::string& why) {
  std::fprintf(stderr, "lightcone: %s\n", why.c_str());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

}  // namespace lightcone::mpi

// What stdio and the C library write does not come here.
extern "C" ssize_t __write(int descriptor, const void* bytes, std::size_t size);
extern "C" LIGHTCONE_CALLED_EARLY ssize_t write(int descriptor, const void* bytes,
                                                std::size_t size) {
  lightcone::mpi::look_for_order(bytes, size);
  return ::__write(descriptor, bytes, size);
}

// Open MPI asks its launcher so to end all processes.
extern "C" int PMIx_Abort(int status, const char* message, void* processes, std::size_t count) {
  if (lightcone::mpi::is_inside_of_call()) lightcone::mpi::leave();
  void* const library = ::dlopen("libpmix.so.2", RTLD_LAZY | RTLD_NOLOAD);
  void* const real = library == nullptr ? nullptr : ::dlsym(library, "PMIx_Abort");
  constexpr int failed = -1;
  if (real == nullptr) return failed;
  return reinterpret_cast<decltype(&PMIx_Abort)>(real)(status, message, processes, count);
}

// `exit` calls what was registered; this one does not. Children call it too, after a fork, where
// nothing can be looked up: so it asks the system itself.
extern "C" [[noreturn]] void _exit(int status) {
  lightcone::mpi::leave();
  for (;;) ::syscall(SYS_exit_group, status);
}
extern "C" [[noreturn]] void _Exit(int status) noexcept { _exit(status); }
