// Asks the system what the terminal can show.
#include "print/terminal.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>

namespace lightcone::cli {
namespace {

constexpr std::size_t usual_columns = 80;
constexpr std::size_t least_cell = 60, least_cell_in_a_file = 100;  // of texts in tables

[[nodiscard]] bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// What the user says; nothing where it is no sensible number.
[[nodiscard]] std::optional<std::size_t> stated_columns() {
  const char* const text = std::getenv("COLUMNS");
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  std::size_t columns = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), columns);
  const bool is_number = read.ec == std::errc{} && read.ptr == digits.data() + digits.size();
  if (!is_number || columns < 20 || columns > 10'000) return std::nullopt;
  return columns;
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
  if (const auto stated = stated_columns()) return *stated;
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return usual_columns;
}

std::size_t text_columns() { return std::clamp<std::size_t>(columns_of(stdout), 40, 100); }

std::size_t cell_columns(std::size_t others) {
  const bool is_page = ::isatty(::fileno(stdout)) == 1 || stated_columns().has_value();
  const std::size_t columns = std::max(columns_of(stdout), usual_columns);
  const std::size_t left = columns > others ? columns - others : 0;
  return std::max(left, is_page ? least_cell : least_cell_in_a_file);
}

bool has_unicode() { return std::string_view(::nl_langinfo(CODESET)) == "UTF-8"; }

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size() - 1) + 1;
      continue;
    }
    const ShownCharacter next = first_shown(text.substr(i));
    width += next.columns;
    i += next.bytes;
  }
  return width;
}

}  // namespace lightcone::cli
