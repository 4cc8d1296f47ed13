// The progress bar: on standard error, for work that takes longer than a second.
#pragma once

#include <lightcone/progress.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone::cli {

/// Draws how far long work is, and removes the drawing when it goes out of scope. Draws nothing
/// during the first second, nor where standard error is not a terminal.
class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }

  /// What to hand to long work; empty where nothing would be drawn.
  [[nodiscard]] Progress progress();
  /// Takes the drawing away, before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void update(std::string_view doing, std::uint64_t done, std::uint64_t total);

  bool enabled_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = {};
  Clock::time_point task_start_ = start_;
  std::string doing_;
};

/// The line that a progress bar shows, at most `columns` wide.
[[nodiscard]] std::string progress_line(std::string_view doing, std::uint64_t done,
                                        std::uint64_t total, double seconds, std::size_t columns,
                                        bool unicode);

}  // namespace lightcone::cli
