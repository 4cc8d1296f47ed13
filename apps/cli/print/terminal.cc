// Asks the system what the terminal can show.
#include "print/terminal.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace lightcone::cli {
namespace {

constexpr std::size_t usual_columns = 80, usual_cell = 40;

[[nodiscard]] bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

[[nodiscard]] bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

std::string Paint::wrap(const char* code, std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

Paint paint_for(std::FILE* stream) { return Paint(is_drawable(stream) && !is_set("NO_COLOR")); }

bool is_drawable(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  return ::isatty(::fileno(stream)) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t columns_of(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return usual_columns;
}

std::size_t text_columns() { return std::clamp<std::size_t>(columns_of(stdout), 40, 100); }

std::size_t cell_columns() {
  const std::size_t columns = columns_of(stdout);
  return columns > usual_columns ? usual_cell + columns - usual_columns : usual_cell;
}

bool has_unicode() { return std::string_view(::nl_langinfo(CODESET)) == "UTF-8"; }

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if (!is_continuation(text[i])) {
      ++width;
    }
  }
  return width;
}

}  // namespace lightcone::cli
