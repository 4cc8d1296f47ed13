// An SVG may hold others, each at a place of its own.
#include "draw/stacked_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace lightcone::cli {
namespace {

constexpr std::string_view opening = "<svg ";

/// A size that the first line of a document gives.
[[nodiscard]] double size_in(std::string_view document, std::string_view name) {
  const std::string attribute = fmt::format(" {}=\"", name);
  const std::size_t at = document.find(attribute);
  double size = 0;
  if (at == std::string_view::npos) return size;
  const char* const begin = document.data() + at + attribute.size();
  std::from_chars(begin, document.data() + document.size(), size);
  return size;
}

}  // namespace

std::string stacked_svg(const std::vector<std::string>& documents) {
  double width = 0, height = 0;
  std::string parts;
  for (const std::string& document : documents) {
    parts += fmt::format("{}y=\"{:.0f}\" {}", opening, height, document.substr(opening.size()));
    width = std::max(width, size_in(document, "width"));
    height += size_in(document, "height");
  }
  return fmt::format(
      "{}xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "viewBox=\"0 0 {:.0f} {:.0f}\">\n{}</svg>\n",
      opening, width, height, width, height, parts);
}

}  // namespace lightcone::cli
