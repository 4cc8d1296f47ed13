// Draws a lattice: rows from bottom to top, edges below states, a legend of processes.
#include "draw/lattice/lattice_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/moment_words.h"
#include "draw/lattice/lattice_layout.h"
#include "draw/svg_style.h"
#include "draw/svg_text.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr double widest = 1600;  // with ranks on the states; what is wider has dots
constexpr double node_height = 20, dot_radius = 4.5;
constexpr double row_distance = 54, dense_distance = 34;
constexpr double swatch = 18;
constexpr std::size_t many_rows = 40;
constexpr std::size_t legend_columns = 16;
constexpr std::size_t tooltip_bytes = 2000;

/// Colours of processes, those of Okabe and Ito; one for light, one for dark.
struct EdgeColour {
  std::string_view light, dark;
};
constexpr std::array<EdgeColour, 8> edge_colours{{{"#0072b2", "#0072b2"},
                                                  {"#d55e00", "#d55e00"},
                                                  {"#009e73", "#009e73"},
                                                  {"#cc79a7", "#cc79a7"},
                                                  {"#e69f00", "#e69f00"},
                                                  {"#56b4e9", "#56b4e9"},
                                                  {"#000000", "#f0e442"},
                                                  {"#8c8c8c", "#bbbbbb"}}};

constexpr std::string_view style = R"(.lightcone .edge{fill:none;stroke-width:1.4}
.lightcone .node{stroke-width:1.2}
.lightcone .inevitable .node{stroke-width:2.2}
.lightcone .ranks{stroke:none}
.lightcone .inevitable .ranks{font-weight:bold}
)";

[[nodiscard]] std::string colours(const Theme& theme) {
  std::string rules = fmt::format(R"(.lightcone .node{{fill:{paper};stroke:{line}}}
.lightcone .dots .node{{fill:{soft};stroke:{paper}}}
.lightcone .inevitable .node{{fill:{band};stroke:{cut}}}
.lightcone .dots .inevitable .node{{fill:{cut};stroke:{paper}}}
)",
                                  fmt::arg("paper", theme.paper), fmt::arg("line", theme.line),
                                  fmt::arg("soft", theme.soft), fmt::arg("band", theme.band),
                                  fmt::arg("cut", theme.cut));
  for (std::size_t i = 0; i < edge_colours.size(); ++i) {
    rules += fmt::format(".lightcone .p{}{{stroke:{}}}\n", i,
                         theme.is_dark ? edge_colours[i].dark : edge_colours[i].light);
  }
  return rules;
}

class LatticeCanvas {
 public:
  explicit LatticeCanvas(const LatticePicture& picture)
      : level_(picture.level),
        graph_(picture.graph),
        title_(picture.title),
        places_(lattice_places(picture.graph)) {}

  [[nodiscard]] std::string svg() {
    place();
    for (const LatticeGraph::Edge& edge : graph_.edges) draw_edge(edge);
    for (std::size_t row = 0; row < graph_.rows(); ++row) {
      for (std::uint32_t i = graph_.row_begin[row]; i < graph_.row_begin[row + 1]; ++i) {
        draw_node(i, graph_.is_inevitable(row));
      }
    }
    return document();
  }

 private:
  void place() {
    double label = 0;
    for (const Cut& cut : graph_.cuts) {
      label = std::max(label, text_width(ranks_text(cut), label_size));
    }
    node_width_ = label + 12;
    step_ = node_width_ + 12;
    const double breadth = *std::max_element(places_.begin(), places_.end());
    dots_ = level_.chains() == 0 || breadth * step_ + node_width_ > widest;
    if (dots_) node_width_ = 2 * dot_radius;
    if (dots_) step_ = 4 * node_width_;
    row_distance_ = graph_.rows() > many_rows ? dense_distance : row_distance;
    const double content = breadth * step_ + node_width_ + 2 * margin;
    headings_ = headings(title_, subtitle(), content);
    left_ = margin + node_width_ / 2 + (headings_.width - content) / 2;
    draw_legend();
    bottom_ = headings_.bottom + node_height +
              row_distance_ * static_cast<double>(graph_.rows() - 1) + 16;
  }

  [[nodiscard]] std::string subtitle() const {
    return fmt::format("{}, {} of them inevitable", counted(graph_.cuts.size(), "global state"),
                       grouped(graph_.inevitable()));
  }

  /// A line and a name for each process, as many to a row as there is room for.
  void draw_legend() {
    double x = margin;
    double y = headings_.bottom + 22;
    for (std::uint32_t chain = 0; chain < level_.chains(); ++chain) {
      const std::string name =
          shortened(level_.computation().process_name(level_.process(chain)), legend_columns);
      const double width = swatch + 5 + text_width(name, label_size);
      if (x > margin && x + width > headings_.width - margin) {
        x = margin;
        y += 16;
      }
      edges_ += fmt::format(R"(<path class="edge p{}" d="M{:.1f} {:.1f}h{}"/>)"
                            "\n",
                            chain % edge_colours.size(), x, y - 4, swatch);
      words_ += text_element({x + swatch + 5, y}, label_size, "", name);
      x += width + 16;
    }
    headings_.bottom = y + (level_.chains() > 0 ? 6 : 0);
  }

  [[nodiscard]] Point point(std::uint32_t cut) const {
    const auto size = static_cast<double>(size_of(graph_.cuts[cut]) - size_of(level_.bottom()));
    return {left_ + places_[cut] * step_, bottom_ - size * row_distance_};
  }

  void draw_edge(const LatticeGraph::Edge& edge) {
    const Point from = point(edge.from);
    const Point to = point(edge.to);
    const EventIndex event = level_.event(edge.chain, graph_.cuts[edge.to][edge.chain]);
    edges_ += fmt::format(
        R"(<path class="edge p{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"><title>{}</title></path>)"
        "\n",
        edge.chain % edge_colours.size(), from.x, from.y, to.x, to.y,
        escaped(safe_text(all_words(level_.computation(), event).substr(0, tooltip_bytes), true)));
  }

  void draw_node(std::uint32_t cut, bool inevitable) {
    const Point at = point(cut);
    const std::string ranks = ranks_text(graph_.cuts[cut]);
    nodes_ += fmt::format(R"(<g class="cut{}"><title>{}</title>)", inevitable ? " inevitable" : "",
                          ranks);
    if (dots_) {
      nodes_ += fmt::format(R"(<circle class="node" cx="{:.1f}" cy="{:.1f}" r="{}"/></g>)"
                            "\n",
                            at.x, at.y, inevitable ? dot_radius + 1.5 : dot_radius);
      return;
    }
    nodes_ += fmt::format(
        R"(<rect class="node" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="5"/>)"
        "\n",
        at.x - node_width_ / 2, at.y - node_height / 2, node_width_, node_height);
    nodes_ += text_element({at.x, at.y + label_size * 0.35}, label_size, "ranks middle", ranks) +
              "</g>\n";
  }

  [[nodiscard]] std::string foot() const {
    return dots_ ? "each step up is one event; tooltips tell ranks"
                 : "each step up is one event; numbers are ranks";
  }

  [[nodiscard]] std::string document() const {
    const double foot_y = bottom_ + node_height + 20;
    const std::string foot_element =
        text_element({margin, foot_y}, small_size, "soft",
                     shortened(foot(), columns_in(headings_.width - 2 * margin, small_size)));
    return SvgDocument{
        .width = headings_.width,
        .height = foot_y + margin,
        .title = title_,
        .style = style,
        .colours = colours,
        .body = headings_.elements + edges_ +
                fmt::format("<g class=\"{}\">\n{}</g>\n", dots_ ? "dots" : "states", nodes_) +
                words_ + foot_element}
        .text();
  }

  const Level& level_;
  const LatticeGraph& graph_;
  std::string title_;
  std::vector<double> places_;
  Headings headings_;
  bool dots_ = false;
  double node_width_ = 0, step_ = 0, row_distance_ = 0, left_ = 0;
  double bottom_ = 0;  // of the least state
  std::string edges_, nodes_, words_;
};

}  // namespace

std::string ranks_text(const Cut& cut) { return fmt::format("{}", fmt::join(cut, ",")); }

std::string lattice_svg(const LatticePicture& picture) { return LatticeCanvas(picture).svg(); }

}  // namespace lightcone::cli
