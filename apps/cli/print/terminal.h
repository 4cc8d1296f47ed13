// What the terminal can show: colour, width, characters beyond ASCII.
#pragma once

#include <lightcone/base/wording.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace lightcone::cli {

/// Colours text, or leaves it as it is where colour is not wanted.
class Paint {
 public:
  explicit Paint(bool on = false) : on_(on) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap("2", text); }
  [[nodiscard]] std::string red(std::string_view text) const { return wrap("31", text); }
  [[nodiscard]] std::string green(std::string_view text) const { return wrap("32", text); }
  [[nodiscard]] std::string yellow(std::string_view text) const { return wrap("33", text); }
  [[nodiscard]] std::string cyan(std::string_view text) const { return wrap("36", text); }

 private:
  [[nodiscard]] std::string wrap(const char* code, std::string_view text) const;

  bool on_;
};

/// The paint for standard output or standard error: colour only on a terminal that has it, and
/// never with NO_COLOR.
[[nodiscard]] Paint paint_for(std::FILE* stream);

/// Returns whether the stream is a terminal on which a line can be drawn over.
[[nodiscard]] bool is_drawable(std::FILE* stream);

/// The columns that COLUMNS says; without it those of the terminal at this stream, or 80.
[[nodiscard]] std::size_t columns_of(std::FILE* stream);

/// The width of sentences on standard output: that of the terminal, but lines that are too long are
/// hard to read.
[[nodiscard]] std::size_t text_columns();
/// The most columns of a text in a table on standard output, whose other columns take so many: what
/// is left of the terminal, but at least 60, and at least 100 where there is no terminal.
[[nodiscard]] std::size_t cell_columns(std::size_t others);

/// Returns whether the user's locale shows characters beyond ASCII.
[[nodiscard]] bool has_unicode();

/// The columns that this text takes: wide characters two, colour codes none.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace lightcone::cli
