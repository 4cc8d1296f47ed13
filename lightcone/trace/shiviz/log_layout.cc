// Looks at each line that holds a clock, and at its neighbours.
#include <lightcone/trace/shiviz/log_layout.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::string_view white = " \t\r\v\f";

[[nodiscard]] std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(white);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(white) - begin + 1);
}

[[nodiscard]] bool is_text_line(std::string_view line) {
  const bool separates = line.starts_with("=== ") && line.ends_with(" ===");
  return !line.empty() && !separates && !is_clock_line(line);
}

}  // namespace

bool is_clock_line(std::string_view line) {
  line = trimmed(line);
  const std::size_t space = line.find_first_of(white);
  if (space == std::string_view::npos) return false;
  const std::string_view clock = trimmed(line.substr(space));
  if (!clock.starts_with('{') || !clock.ends_with('}')) return false;
  const std::string_view first = trimmed(clock.substr(1, clock.size() - 2));
  return first.empty() || first.starts_with('"') || first.starts_with("\\\"");
}

LogLayout layout_of_log(std::string_view text) {
  LogLayout layout;
  bool follows_text = false, follows_clock = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_clock = is_clock_line(line);
    const bool is_text = is_text_line(line);
    layout.clocks += is_clock;
    layout.text_before += is_clock && follows_text;
    layout.text_after += is_text && follows_clock;
    follows_text = is_text;
    follows_clock = is_clock;
  }
  return layout;
}

}  // namespace lightcone
