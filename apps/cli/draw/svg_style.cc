// Writes the frame of a picture, and its texts.
#include "draw/svg_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "draw/svg_text.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr double title_size = 15, subtitle_size = 12;
constexpr double least_width = 420, widest_heading = 640;
constexpr std::size_t heading_bytes = 2000;

constexpr std::string_view shared_style = R"(<style>
.lightcone text{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;
 paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
.lightcone .title{font-weight:bold}
.lightcone .middle{text-anchor:middle}
.lightcone .right{text-anchor:end}
)";

// The colours of viewer/src/diagram/palette.ts: those of Okabe and Ito, which people who do not see
// all colours can tell apart.
constexpr Theme light{.paper = "#ffffff",
                      .ink = "#1f2328",
                      .soft = "#59636e",
                      .line = "#8d99a6",
                      .event = "#2f3b48",
                      .band = "#f5f7f9",
                      .path = "#d55e00",
                      .mark = "#0072b2",
                      .cut = "#a3487f"};
constexpr Theme dark{.paper = "#0f1419",
                     .ink = "#e6edf3",
                     .soft = "#9aa7b4",
                     .line = "#6b7a89",
                     .event = "#c9d3dd",
                     .band = "#151b22",
                     .path = "#ff7f32",
                     .mark = "#56b4e9",
                     .cut = "#d98cb8",
                     .is_dark = true};

[[nodiscard]] std::string shared_colours(const Theme& theme) {
  return fmt::format(R"(.lightcone .paper{{fill:{paper}}}
.lightcone text{{fill:{ink};stroke:{paper}}}
.lightcone .soft{{fill:{soft}}}
)",
                     fmt::arg("paper", theme.paper), fmt::arg("ink", theme.ink),
                     fmt::arg("soft", theme.soft));
}

void add_heading(Headings& to, std::string_view text, double size, std::size_t most_lines,
                 std::string_view kind) {
  const std::size_t line_length = columns_in(to.width - 2 * margin, size);
  std::istringstream lines(wrapped(safe_text(text.substr(0, heading_bytes), true), line_length));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line) && count < most_lines; ++count) {
    const bool more = count + 1 == most_lines && lines.peek() != std::char_traits<char>::eof();
    to.bottom += size * 1.4;
    to.elements += text_element({margin, to.bottom}, size, kind,
                                shortened(more ? line + " …" : line, line_length));
  }
}

}  // namespace

double text_width(std::string_view safe, double size) {
  return static_cast<double>(svg_columns(safe)) * column_of_em * size;
}

std::size_t columns_in(double width, double size) {
  return static_cast<std::size_t>(width / (column_of_em * size));
}

std::string text_element(Point at, double size, std::string_view kind, const std::string& safe) {
  if (safe.empty()) return {};
  const std::string length =
      may_change_font(safe) ? fmt::format(R"( textLength="{:.1f}" lengthAdjust="spacingAndGlyphs")",
                                          text_width(safe, size))
                            : "";
  return fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" font-size="{}"{}>{}</text>)"
                     "\n",
                     kind, at.x, at.y, size, length, escaped(safe));
}

std::string event_shape(Kind kind, std::string_view classes, Point at, double radius) {
  const auto rectangle = [&](double half_width, double half_height) {
    return fmt::format(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                       classes, at.x - half_width, at.y - half_height, 2 * half_width,
                       2 * half_height);
  };
  if (kind == Kind::initial) return rectangle(0.4 * radius, 1.3 * radius);
  if (kind == Kind::send) return rectangle(0.92 * radius, 0.92 * radius);
  return fmt::format(R"(<circle class="{}{}" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)", classes,
                     kind == Kind::receive ? " ring" : "", at.x, at.y,
                     kind == Kind::receive ? 0.92 * radius : radius);
}

Headings headings(std::string_view title, std::string_view subtitle, double content_width) {
  const double widest = std::max(text_width(safe_text(title), title_size),
                                 text_width(safe_text(subtitle), subtitle_size));
  Headings made;
  made.width =
      std::max({content_width, least_width, std::min(widest + 2 * margin, widest_heading)});
  made.bottom = margin;
  add_heading(made, title, title_size, 3, "title");
  add_heading(made, subtitle, subtitle_size, 4, "soft");
  return made;
}

std::string SvgDocument::text() const {
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="lightcone" role="img" width="{0:.0f}")"
      R"( height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">)"
      "\n<title>{2}</title>\n",
      std::ceil(width), std::ceil(height), escaped(shortened(title, 200)));
  out += shared_style;
  out += style;
  out += shared_colours(light) + colours(light);
  out += fmt::format("@media screen and (prefers-color-scheme:dark){{\n{}{}}}\n</style>\n",
                     shared_colours(dark), colours(dark));
  out += R"(<rect class="paper" width="100%" height="100%"/>)"
         "\n";
  return out + body + "</svg>\n";
}

}  // namespace lightcone::cli
