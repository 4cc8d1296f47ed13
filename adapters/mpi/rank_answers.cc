// Answers that differ from run to run: those of the world are entered, those of a recording given.
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <climits>
#include <utility>

#include "rank.h"
#include "real.h"

namespace lightcone::mpi {
namespace {

constexpr int clock_of_mpi = INT_MIN;  // no clock of the system has this number

}  // namespace

// Explored processes live in a time of their own, the same in every execution: a microsecond passes
// whenever they look.
double Rank::clock() {
  const double now =
      explored_ ? 1e-6 * static_cast<double>(++clock_readings_) : LIGHTCONE_REAL(Wtime)();
  return std::bit_cast<double>(read_clock(clock_of_mpi, std::bit_cast<std::uint64_t>(now)));
}

std::uint64_t Rank::time(int clock, std::uint64_t now) {
  return read_clock(clock, explored_ ? 1000 * ++clock_readings_ : now);
}

std::uint64_t Rank::read_clock(int clock, std::uint64_t now) {
  if (script_) return given(script_->read_clock());
  const std::uint64_t time = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  const std::lock_guard lock(mutex_);
  const std::uint64_t answer =
      explored_ ? now : clocks_[clock].answer(now, {time, deeds_, empty_polls_});
  journal_->read_clock(answer);
  ++entries_;
  return answer;
}

std::optional<std::string> Rank::fetched(std::string_view bytes) {
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

bool Rank::keeps_more() {
  if (keeps_more_) return *keeps_more_;
  keeps_more_ = !script_ || script_->keeps_more();
  if (journal_) enter_choice(0, more_kinds);
  return *keeps_more_;
}

bool Rank::enter_poll(bool found) {
  const std::lock_guard lock(mutex_);
  journal_->polled(found);
  ++entries_;
  ++(found ? deeds_ : empty_polls_);
  return found;
}

bool Rank::recorded_poll(const char* call) { return given(script_->poll(call)); }

void Rank::enter_choice(std::uint64_t which, std::uint64_t of) {
  const std::lock_guard lock(mutex_);
  journal_->chose(which, of);
  ++entries_;
  ++deeds_;
}

void Rank::enter_refusal() { enter_choice(0, refused_call); }

std::uint64_t Rank::recorded_choice(std::uint64_t of, const char* call) {
  return given(script_->choose(of, call));
}

}  // namespace lightcone::mpi
