// Answers that differ from run to run: they are recorded, or come from a recording.
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <climits>
#include <cmath>
#include <utility>

#include "calls/mpi_functions.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

constexpr int clock_of_mpi = INT_MIN;  // no clock of the system has this number

/// Nanoseconds of a time in seconds. Seconds apart from their parts: a double holds no more.
[[nodiscard]] std::uint64_t nanoseconds_of(double seconds) {
  const double whole = std::floor(seconds);
  return static_cast<std::uint64_t>(whole) * 1'000'000'000 +
         static_cast<std::uint64_t>(std::llround((seconds - whole) * 1e9));
}

[[nodiscard]] double seconds_of(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds / 1'000'000'000) +
         static_cast<double>(nanoseconds % 1'000'000'000) * 1e-9;
}

}  // namespace

// ExploredProcess processes live in a time of their own, the same in every execution: a microsecond
// passes whenever they look.
double MpiProcess::clock() {
  if (script_) return std::bit_cast<double>(given(script_->read_clock()));
  const double now =
      explored_ ? 1e-6 * static_cast<double>(++clock_readings_) : LIGHTCONE_REAL(Wtime)();
  const std::lock_guard lock(mutex_);
  const double told = now < 0 ? now : seconds_of(told_time(clock_of_mpi, nanoseconds_of(now)));
  enter_clock(std::bit_cast<std::uint64_t>(told));
  return told;
}

std::uint64_t MpiProcess::time(int clock, std::uint64_t now) {
  if (script_) return given(script_->read_clock());
  const std::lock_guard lock(mutex_);
  const std::uint64_t told = told_time(clock, explored_ ? 1000 * ++clock_readings_ : now);
  enter_clock(told);
  return told;
}

/// What the program is told where a clock says `now`.
std::uint64_t MpiProcess::told_time(int clock, std::uint64_t now) {
  if (explored_) return now;
  const std::uint64_t time = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  return clocks_[clock].answer(now, {time, deeds_, empty_polls_});
}

void MpiProcess::enter_clock(std::uint64_t told) {
  journal_->read_clock(told);
  ++entries_;
}

std::optional<std::string> MpiProcess::fetched(std::string_view bytes) {
  if (!script_) {
    const std::lock_guard lock(mutex_);
    journal_->read_bytes(bytes);
    ++entries_;
    ++deeds_;
    return std::nullopt;
  }
  std::string recorded = given(script_->read_bytes());
  if (recorded.size() != bytes.size()) {
    stand_still({Standstill::Why::diverged,
                 fmt::format("recorded: {} bytes are fetched from a window; came: {}",
                             recorded.size(), bytes.size())});
  }
  return recorded;
}

bool MpiProcess::keeps_more() {
  if (keeps_more_) return *keeps_more_;
  keeps_more_ = !script_ || script_->keeps_more();
  if (journal_) enter_choice(0, more_kinds);
  return *keeps_more_;
}

bool MpiProcess::enter_poll(bool found) {
  const std::lock_guard lock(mutex_);
  journal_->polled(found);
  ++entries_;
  ++(found ? deeds_ : empty_polls_);
  return found;
}

bool MpiProcess::recorded_poll(const char* call) { return given(script_->poll(call)); }

void MpiProcess::enter_choice(std::uint64_t which, std::uint64_t of) {
  const std::lock_guard lock(mutex_);
  journal_->chose(which, of);
  ++entries_;
  ++deeds_;
}

void MpiProcess::enter_refusal() { enter_choice(0, refused_call); }

std::uint64_t MpiProcess::recorded_choice(std::uint64_t of, const char* call) {
  return given(script_->choose(of, call));
}

}  // namespace lightcone::mpi
