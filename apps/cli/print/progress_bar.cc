// Draws the progress bar over itself, at most ten times per second.
#include "print/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::chrono::milliseconds patience{1000};
constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::size_t bar_width = 24;
constexpr std::uint64_t countable = 10'000;  // events or bytes; below that, large steps of any kind

[[nodiscard]] std::string time_left(double seconds) {
  if (seconds < 1) return "under a second left";
  if (seconds < 100) return fmt::format("{:.0f} s left", seconds);
  return fmt::format("{:.0f} min left", seconds / 60);
}

/// Returns whether two texts differ in their numbers only: then they tell of one task.
[[nodiscard]] bool is_same_task(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) {
    const std::size_t begin = text.find_first_not_of("0123456789");
    if (begin == std::string_view::npos) return '\0';
    const char c = text[begin];
    text.remove_prefix(begin + 1);
    return c;
  };
  for (;;) {
    const char c = next(a);
    if (c != next(b)) return false;
    if (c == '\0') return true;
  }
}

}  // namespace

std::string progress_line(std::string_view doing, std::uint64_t done, std::uint64_t total,
                          double seconds, std::size_t columns, bool unicode) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string line(doing);
  if (total == 0) {
    line += fmt::format("  {}  {}/s", roughly(static_cast<double>(done)), roughly(rate));
  } else {
    done = std::min(done, total);
    const std::string filled = bar(done, total, bar_width, unicode);
    const std::size_t rest = bar_width - std::min(bar_width, display_width(filled));
    const std::string empty(rest, unicode ? ' ' : '.');
    line += fmt::format("  [{}{}] {:3}%", filled, empty, done * 100 / total);
    if (total >= countable) line += fmt::format("  {}/s", roughly(rate));
    if (rate > 0) line += "  " + time_left(static_cast<double>(total - done) / rate);
  }
  return display_width(line) < columns ? line : printable(line, columns - 1);
}

ProgressBar::ProgressBar() : enabled_(is_drawable(stderr)) {}

Progress ProgressBar::progress() {
  if (!enabled_) return {};
  return [this](std::string_view doing, std::uint64_t done, std::uint64_t total) {
    update(doing, done, total);
  };
}

void ProgressBar::update(std::string_view doing, std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (!is_same_task(doing, doing_)) task_start_ = now;
  doing_ = doing;
  if (now - start_ < patience || now - last_ < redraw_interval) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - task_start_).count();
  const std::string line =
      progress_line(doing, done, total, seconds, columns_of(stderr), has_unicode());
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace lightcone::cli
