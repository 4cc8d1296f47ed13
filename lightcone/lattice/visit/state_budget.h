// How much of a lattice may be visited: a budget of states and of time that threads share.
#pragma once

#include <lightcone/progress.h>
#include <lightcone/states.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace lightcone {

/// Which threads take states from before they visit them, some at a time, so that no more than the
/// limit are visited, and the limit is hit only if there are more.
class StateBudget {
 public:
  /// What one thread has taken.
  struct Share {
    std::uint64_t left = 0;   ///< states it may visit
    std::uint64_t next = 64;  ///< how many it will ask for
    std::chrono::steady_clock::time_point taken;
    bool holds = false;
  };

  /// Tells the progress of `parts` parts.
  StateBudget(const Limits& limits, const Progress& progress, std::uint64_t parts);

  /// Fills a share that is used up; false: it is time to end.
  [[nodiscard]] bool refill(Share& share);
  /// Takes back what a thread does not need.
  void give_back(Share& share);
  /// Makes all threads end soon.
  void stop();
  void finish_part();

  [[nodiscard]] std::uint64_t visited() const { return limits_.states - remaining_; }
  [[nodiscard]] Ending ending() const { return ending_; }

 private:
  using Clock = std::chrono::steady_clock;
  void release(Share& share);
  void report(Clock::time_point now);

  const Limits limits_;
  const Progress& progress_;
  const std::uint64_t parts_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex lock_;
  std::condition_variable returned_;
  std::uint64_t remaining_;
  std::uint64_t finished_parts_ = 0;
  unsigned holders_ = 0;  // shares that may still give something back
  Ending ending_ = Ending::complete;
  Clock::time_point told_ = begin_;
};

}  // namespace lightcone
