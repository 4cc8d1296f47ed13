// A recorded clock that a program reads in a loop.
#pragma once

#include <cstdint>

namespace lightcone {

/// What a process is told of one clock while it is recorded. A loop that polls and reads a clock
/// does so millions of times per second. Each reading would be an entry of its own, of a size that
/// noise decides. So a look of such a loop is answered as the one before, for two milliseconds:
/// that takes next to nothing. The process is told what is recorded, and a clock never goes back.
///
/// A loop is a number of looks at the clock between which nothing happens but polls that find
/// nothing. Two looks belong to one only if they are close, or if there was a poll between them:
/// what lies between other looks may be what the program wants to time.
class PollingClock {
 public:
  /// How late an answer may be, in nanoseconds.
  static constexpr std::uint64_t most_late = 2'000'000;
  /// Looks that are closer have nothing between them that could be timed this way.
  static constexpr std::uint64_t close = 20'000;
  /// So many looks are a loop; those before are answered as they are.
  static constexpr std::uint32_t loop = 8;

  /// The process, at a look.
  struct Moment {
    std::uint64_t time = 0;   ///< in nanoseconds, of a clock that never goes back
    std::uint64_t deeds = 0;  ///< grows whenever something happens
    std::uint64_t polls = 0;  ///< grows with each poll that finds nothing
  };

  /// What to answer and to record, where the clock says `value`.
  [[nodiscard]] std::uint64_t answer(std::uint64_t value, const Moment& now) {
    const std::uint64_t gap = now.time - last_.time;
    const bool polled = now.polls != last_.polls;
    const bool goes_on = now.deeds == last_.deeds && (gap < close || polled);
    looks_ = !goes_on ? 0 : looks_ < loop ? looks_ + 1 : looks_;
    last_ = now;
    if (looks_ < loop || now.time - told_at_ >= most_late) tell(value, now.time);
    return told_;
  }

 private:
  /// Inside of a loop a clock of nanoseconds goes on by whole steps. All steps are the same, and
  /// take less room in a journal than the time at which the loop happened to look.
  void tell(std::uint64_t value, std::uint64_t time) {
    const std::uint64_t passed = looks_ == loop && value > told_ ? value - told_ : 0;
    const std::uint64_t rest = passed < most_late ? 0 : passed % most_late;
    told_ = value - rest;
    told_at_ = time - rest;
  }

  Moment last_;                           // look
  std::uint64_t told_ = 0, told_at_ = 0;  // the last new answer
  std::uint32_t looks_ = 0;               // of the loop at hand
};

}  // namespace lightcone
