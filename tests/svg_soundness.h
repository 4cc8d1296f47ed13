// What every picture must be: well-formed XML, with text that stays inside and apart.
#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "draw/svg_style.h"
#include "draw/svg_text.h"

namespace lightcone::cli {

/// What is wrong with the document, or nothing: elements that do not nest, attributes that are not
/// quoted or said twice, markup in text, unknown entities, characters that XML does not have.
[[nodiscard]] inline std::string xml_problem(const std::string& text) {
  if (safe_text(text, true) != text) return "a character that XML does not have";
  static const std::regex entity("&(amp|lt|gt|quot|#39);");
  static const std::regex tag(R"re(<(/?)([a-z]+)((?: [A-Za-z-]+="[^"<]*")*)(/?)>)re");
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::smatch match;
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto anchored = std::regex_constants::match_continuous;
    if (text[at] == '&') {
      if (!std::regex_search(from, text.end(), match, entity, anchored)) return "a bare &";
    } else if (text[at] == '<') {
      if (!std::regex_search(from, text.end(), match, tag, anchored)) {
        return "no tag: " + text.substr(at, 60);
      }
      if (open.empty() && ++roots > 1) return "a second root";
      if (match[1].length() > 0) {
        if (open.empty() || open.back() != match[2]) return "wrong end of " + match[2].str();
        open.pop_back();
      } else if (match[4].length() == 0) {
        open.push_back(match[2]);
      }
    } else if (open.empty() && text[at] != '\n') {
      return "text outside of all elements";
    }
    at += match.empty() ? 1 : static_cast<std::size_t>(match.length());
  }
  return open.empty() ? "" : "no end of " + open.back();
}

[[nodiscard]] inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

struct Box {
  double left, right, top, bottom;
  std::string text;
};

[[nodiscard]] inline std::vector<Box> texts(const std::string& svg) {
  static const std::regex text(R"re(<text class="([^"]*)" x="([-0-9.]+)" y="([-0-9.]+)" )re"
                               R"re(font-size="([0-9.]+)"[^>]*>([^<]*)<)re");
  static const std::regex entity("&[a-z0-9#]+;");
  std::vector<Box> boxes;
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const double x = std::stod((*it)[2]), y = std::stod((*it)[3]), size = std::stod((*it)[4]);
    const double width = text_width(std::regex_replace((*it)[5].str(), entity, "x"), size);
    const std::string kind = (*it)[1];
    const double left = kind.ends_with("middle") ? x - width / 2 : kind == "right" ? x - width : x;
    boxes.push_back({left, left + width, y - 0.75 * size, y + 0.2 * size, (*it)[5]});
  }
  return boxes;
}

/// Well-formed; all text inside and apart from other text.
inline void expect_sound_svg(const std::string& svg) {
  EXPECT_EQ(xml_problem(svg), "");
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex(R"re(viewBox="0 0 (\d+) (\d+)")re")));
  const std::vector<Box> boxes = texts(svg);
  EXPECT_EQ(boxes.size(), count(svg, "<text "));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& a = boxes[i];
    EXPECT_GE(a.left, 0) << a.text;
    EXPECT_LE(a.right, std::stod(size[1])) << a.text;
    EXPECT_GE(a.top, 0) << a.text;
    EXPECT_LE(a.bottom, std::stod(size[2])) << a.text;
    for (std::size_t j = 0; j < i; ++j) {
      const Box& b = boxes[j];
      EXPECT_TRUE(a.right <= b.left + 0.2 || b.right <= a.left + 0.2 || a.bottom <= b.top ||
                  b.bottom <= a.top)
          << a.text << " overlaps " << b.text;
    }
  }
}

}  // namespace lightcone::cli
