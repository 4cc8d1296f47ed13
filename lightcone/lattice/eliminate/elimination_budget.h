// What an elimination may spend: entries of tables, work and time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace lightcone {

/// Counted by the elimination itself, in entries; once spent, it stays so.
class EliminationBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// How many entries may be held at a time, and how many made in all.
  EliminationBudget(double held, double made, Clock::time_point deadline)
      : most_held_(held), most_made_(made), deadline_(deadline) {}

  /// Returns whether so many entries more may be made, with `held` of them in memory.
  [[nodiscard]] bool spend(std::size_t entries, std::size_t held) {
    made_ += double(entries);
    since_clock_ += entries;
    if (double(held) > most_held_ || made_ > most_made_) is_spent_ = true;
    constexpr std::size_t between_looks = 1U << 14;
    if (since_clock_ >= between_looks) {
      since_clock_ = 0;
      if (Clock::now() >= deadline_) is_spent_ = true;
    }
    return !is_spent_;
  }
  [[nodiscard]] bool is_spent() const { return is_spent_; }
  [[nodiscard]] double made() const { return made_; }

 private:
  double most_held_, most_made_;
  Clock::time_point deadline_;
  double made_ = 0;
  std::size_t since_clock_ = 0;
  bool is_spent_ = false;
};

}  // namespace lightcone
