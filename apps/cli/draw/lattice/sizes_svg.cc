// One column per size, or per some sizes where there are more than columns: then the largest.
#include "draw/lattice/sizes_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "draw/svg_style.h"
#include "draw/svg_text.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr double plot_width = 640, plot_height = 260, axis_width = 76, foot_height = 40;
constexpr std::size_t most_columns = 640;
constexpr double log10_of_small = 3;  // up to which the scale is linear

constexpr std::string_view plot_style = R"(.lightcone .area{stroke:none}
.lightcone .axis{fill:none;stroke-width:1}
)";

[[nodiscard]] std::string plot_colours(const Theme& theme) {
  return fmt::format(".lightcone .area{{fill:{}}}\n.lightcone .axis{{stroke:{}}}\n", theme.cut,
                     theme.line);
}

class SizesPlot {
 public:
  explicit SizesPlot(const std::vector<NaturalNumber>& sizes)
      : sizes_(sizes.size()), columns_(std::min(sizes.size(), most_columns)) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double log10 = sizes[i].log10();
      double& column = columns_[i * columns_.size() / sizes.size()];
      column = std::max(column, log10);
      total_ += sizes[i];
      largest_ = std::max(largest_, log10);
    }
    is_logarithmic_ = largest_ > log10_of_small;
  }

  [[nodiscard]] std::string svg(const std::string& title) {
    const std::string subtitle =
        fmt::format("{} global states of {} sizes", short_number(total_.decimal()),
                    grouped(static_cast<std::uint64_t>(sizes_)));
    const Headings heading =
        headings(safe_text(title), subtitle, axis_width + plot_width + 2 * margin);
    top_ = heading.bottom + 16;
    const double bottom = top_ + plot_height;
    return SvgDocument{.width = heading.width,
                       .height = bottom + foot_height,
                       .title = title,
                       .style = plot_style,
                       .colours = plot_colours,
                       .body = heading.elements + area() + axes()}
        .text();
  }

 private:
  [[nodiscard]] double height(double log10) const {
    if (is_logarithmic_) return plot_height * log10 / largest_;
    return plot_height * std::pow(10, log10 - largest_);
  }
  [[nodiscard]] std::string area() const {
    const double step = plot_width / static_cast<double>(columns_.size());
    const double bottom = top_ + plot_height;
    std::string path = fmt::format("M{:.1f} {:.1f}", margin + axis_width, bottom);
    for (const double log10 : columns_) {
      path += fmt::format("V{:.1f}h{:.3f}", bottom - height(log10), step);
    }
    return fmt::format("<path class=\"area\" d=\"{}V{:.1f}Z\"/>\n", path, bottom);
  }
  [[nodiscard]] std::string axes() const {
    const double left = margin + axis_width;
    const double bottom = top_ + plot_height;
    std::string text = fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}h{:.1f}\"/>\n",
                                   left, top_, bottom, plot_width);
    const auto label = [&](Point at, std::string_view kind, const std::string& words) {
      text += text_element(at, small_size, kind, words);
    };
    label({left - 6, top_ + small_size}, "soft right", largest_words());
    label({left - 6, bottom}, "soft right", is_logarithmic_ ? "1" : "0");
    label({left, bottom + 16}, "soft", "0");
    label({left + plot_width, bottom + 16}, "soft right", grouped(std::uint64_t{sizes_} - 1));
    label({left + plot_width / 2, bottom + 16}, "soft middle",
          is_logarithmic_ ? "events that have happened; states on a logarithmic scale"
                          : "events that have happened");
    return text;
  }
  [[nodiscard]] std::string largest_words() const {
    const double whole = std::floor(largest_);
    if (!is_logarithmic_) return fmt::format("{:.0f}", std::pow(10, largest_));
    return fmt::format("{:.1f}e{:.0f}", std::pow(10, largest_ - whole), whole);
  }

  std::size_t sizes_;
  std::vector<double> columns_;  // logarithms; each size has a state
  NaturalNumber total_;
  double largest_ = 0;
  bool is_logarithmic_ = false;
  double top_ = 0;
};

}  // namespace

std::string sizes_svg(const std::vector<NaturalNumber>& sizes, const std::string& title) {
  return SizesPlot(sizes).svg(title);
}

}  // namespace lightcone::cli
