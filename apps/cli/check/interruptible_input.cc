// Signals are blocked and read from a descriptor, so that none is missed before a wait begins.
#include "check/interruptible_input.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace lightcone::cli {
namespace {

constexpr int input = STDIN_FILENO;

[[nodiscard]] bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[nodiscard]] sigset_t interrupting_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM}) {
    if (!is_ignored(signal)) ::sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

InterruptibleInput::InterruptibleInput(InputFile& file) : file_(file) {
  const sigset_t set = interrupting_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

InterruptibleInput::~InterruptibleInput() {
  if (signals_ < 0) return;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  ::close(signals_);
}

/// Takes a signal, if one has come. What had arrived before it is still read, and no more: a
/// program that goes on writing must not keep us from ending.
void InterruptibleInput::note_signal() {
  signalfd_siginfo told{};
  if (interrupted_ || signals_ < 0) return;
  if (::read(signals_, &told, sizeof told) != static_cast<ssize_t>(sizeof told)) return;
  interrupted_ = true;
  int arrived = 0;
  if (::ioctl(input, FIONREAD, &arrived) == 0) {
    left_ = static_cast<std::size_t>(std::max(arrived, 0));
  }
}

void InterruptibleInput::wait() {
  std::array<pollfd, 2> ends{{{input, POLLIN, 0}, {signals_, POLLIN, 0}}};
  while (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
  }
  note_signal();
}

Expected<std::size_t> InterruptibleInput::read_some(char* buffer, std::size_t size) {
  if (signals_ >= 0 && !interrupted_) wait();
  if (!interrupted_) {
    const auto got = file_.read_some(buffer, size);
    // Whoever wrote to us may have been interrupted as well, and a moment before us.
    if (got && *got == 0) note_signal();
    return got;
  }
  if (left_ == 0) return 0;
  const auto got = file_.read_some(buffer, std::min(size, left_));
  if (got) left_ = *got == 0 ? 0 : left_ - *got;
  return got;
}

}  // namespace lightcone::cli
