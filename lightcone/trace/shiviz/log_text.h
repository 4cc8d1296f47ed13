// The text of a log as an expression can match it: LF at line ends, valid UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace lightcone {

/// A text whose lines keep their numbers. CRLF becomes LF, a byte order mark goes, bytes that are
/// not UTF-8 become U+FFFD. Where nothing is to be done, nothing is copied.
class LogText {
 public:
  /// The original must outlive this.
  explicit LogText(std::string_view original);
  LogText(const LogText&) = delete;
  LogText& operator=(const LogText&) = delete;

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t repaired_lines() const { return repaired_lines_; }

 private:
  std::string_view text_;
  std::string repaired_;
  std::size_t repaired_lines_ = 0;
};

/// Tells the line of places that are asked for from front to back.
class LineCounter {
 public:
  /// `first` is the number of the line on which the text begins.
  LineCounter(std::string_view text, std::size_t first) : text_(text), line_(first) {}
  [[nodiscard]] std::size_t line_at(std::size_t place) {
    if (place <= at_) return line_;
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(place),
                                                 '\n'));
    at_ = place;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t line_;
  std::size_t at_ = 0;
};

}  // namespace lightcone
