// A thread waits until the handler of fatal signals wakes it.
#include "process/last_words.h"

#include <semaphore.h>

#include <array>
#include <csignal>
#include <ctime>
#include <thread>

namespace lightcone::mpi {
namespace {

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP};

sem_t wanted, said;
void (*say)(int signal) = nullptr;
volatile std::sig_atomic_t came = 0;
std::array<struct sigaction, NSIG> before;

void handle(int signal, siginfo_t* info, void* context) {
  came = signal;
  ::sem_post(&wanted);
  timespec deadline{};
  ::clock_gettime(CLOCK_REALTIME, &deadline);
  ++deadline.tv_sec;
  ::sem_timedwait(&said, &deadline);
  const struct sigaction& old = before[static_cast<std::size_t>(signal)];
  ::sigaction(signal, &old, nullptr);
  if ((old.sa_flags & SA_SIGINFO) != 0) return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
  ::raise(signal);
}

}  // namespace

void keep_last_words(void (*last_words)(int signal)) {
  say = last_words;
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
}

}  // namespace lightcone::mpi
