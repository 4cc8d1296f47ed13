// What all pictures share: their sizes and themes, their headings, the document around them.
#pragma once

#include <lightcone/computation.h>

#include <string>
#include <string_view>

namespace lightcone::cli {

// All in pixels. Text is in a font of fixed width, so that its size is known without the font.
inline constexpr double column_of_em = 0.61;
inline constexpr double name_size = 12, label_size = 11;
inline constexpr double small_size = 9.5;  ///< ranks and counts
inline constexpr double margin = 16;

/// A place in a picture, from its upper left corner.
struct Point {
  double x = 0, y = 0;
};

/// Colours, for light, which is also for print, and for dark: those of the page of `lightcone
/// view`. They become plain rules and no variables, so that programs that know no more of CSS draw
/// them too.
struct Theme {
  std::string_view paper, ink, soft, line, event, band, path, mark, cut;
  bool is_dark = false;
};

/// The width of safe text.
[[nodiscard]] double text_width(std::string_view safe, double size);

/// Returns how many columns of this size a width has room for.
[[nodiscard]] std::size_t columns_in(double width, double size);

/// A text of the classes `kind`: `soft`, `middle`, `right`, `title`, or those of the picture.
[[nodiscard]] std::string text_element(Point at, double size, std::string_view kind,
                                       const std::string& safe);

/// An event around a point, shaped as on the page: a disc; a square for a send, a ring (of the
/// class `ring`, too) for a receive; a bar for an initial state.
[[nodiscard]] std::string event_shape(Kind kind, std::string_view classes, Point at, double radius);

/// Title and subtitle, broken into lines.
struct Headings {
  std::string elements;
  double width = 0;   ///< of the picture: as much as its content or the headings need
  double bottom = 0;  ///< where they end
};
[[nodiscard]] Headings headings(std::string_view title, std::string_view subtitle,
                                double content_width);

/// A whole SVG document, which needs nothing else and has no scripts.
struct SvgDocument {
  double width = 0, height = 0;
  std::string_view title;
  std::string_view style;                          ///< what does not depend on the theme
  std::string (*colours)(const Theme&) = nullptr;  ///< what does
  std::string body;

  [[nodiscard]] std::string text() const;
};

}  // namespace lightcone::cli
