// Which comes first in a log, the text of an event or its clock.
#pragma once

#include <cstdint>
#include <string_view>

namespace lightcone {

/// How many of the lines that hold a host and a clock have a text right before them, and how many
/// right after. Blank lines and lines between executions are no texts.
struct LogLayout {
  std::uint64_t clocks = 0;
  std::uint64_t text_before = 0, text_after = 0;

  [[nodiscard]] bool is_clock_first() const { return text_after > text_before; }
};

[[nodiscard]] LogLayout layout_of_log(std::string_view text);

/// Returns whether a line is a host and a clock: `client {"client": 3}`.
[[nodiscard]] bool is_clock_line(std::string_view line);

}  // namespace lightcone
