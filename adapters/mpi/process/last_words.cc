// A thread waits until the handler of fatal signals, or the end of the process, wakes it.
#include "process/last_words.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace lightcone::mpi {
namespace {

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP};

sem_t wanted, said;
void (*say)(int signal) = nullptr;
volatile std::sig_atomic_t came = 0;
std::array<struct sigaction, NSIG> before;
pid_t own_process = 0;  // a child that it forks has nothing to say

/// Lets the thread speak, and waits for it.
void let_speak(int signal) {
  came = signal;
  ::sem_post(&wanted);
  timespec deadline{};
  ::clock_gettime(CLOCK_REALTIME, &deadline);
  ++deadline.tv_sec;
  ::sem_timedwait(&said, &deadline);
}

void leave() {
  if (::getpid() == own_process) let_speak(0);
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

void keep_last_words(void (*last_words)(int signal)) {
  say = last_words;
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

// `exit` calls what was registered; this one does not. Children call it too, after a fork, where
// nothing can be looked up: so it asks the system itself.
extern "C" [[noreturn]] void _exit(int status) {
  lightcone::mpi::leave();
  for (;;) ::syscall(SYS_exit_group, status);
}
extern "C" [[noreturn]] void _Exit(int status) noexcept { _exit(status); }
