// Waits for work, and looks for signals meanwhile.
#include "interruptible.h"

#include <pybind11/pybind11.h>

#include <chrono>

namespace lightcone::python {
namespace {

constexpr int between_looks = 50, patience = 2000;  // milliseconds

/// Ends work that nobody waits for.
struct Unwanted {};

}  // namespace

Progress BackgroundWork::progress() {
  return [this](std::string_view, std::uint64_t, std::uint64_t) {
    if (is_unwanted_) throw Unwanted();
  };
}

bool BackgroundWork::is_over_within(int milliseconds) {
  const pybind11::gil_scoped_release others_run;
  std::unique_lock lock(mutex_);
  return over_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return is_over_; });
}

void BackgroundWork::wait() {
  while (!is_over_within(between_looks)) {
    if (PyErr_CheckSignals() == 0) continue;
    is_unwanted_ = true;
    const pybind11::error_already_set raised;  // takes the exception while others run
    (void)is_over_within(patience);
    throw raised;
  }
  if (problem_) std::rethrow_exception(problem_);
}

}  // namespace lightcone::python
