// Counts events and messages in cells, and draws them.
#include "draw/overview_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "draw/svg_style.h"
#include "draw/svg_text.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_rows = 64, columns = 160, shades = 6;
constexpr double strip_width = 640, strip_height = 16, widest_cell = 26, least_cell = 8;
constexpr double heading_room = 28, narrow_cell = 14;
constexpr std::size_t row_name_columns = 18;

constexpr std::string_view overview_style = R"(.lightcone .axis{fill:none;stroke-width:1}
.lightcone .cell{stroke-width:.5}
.lightcone .count{stroke:none}
)";

[[nodiscard]] std::string overview_colours(const Theme& theme) {
  std::string rules = fmt::format(R"(.lightcone .axis{{stroke:{line}}}
.lightcone .cell{{stroke:{paper}}}
.lightcone .none{{fill:{band}}}
)",
                                  fmt::arg("line", theme.line), fmt::arg("paper", theme.paper),
                                  fmt::arg("band", theme.band));
  for (std::size_t shade = 1; shade <= shades; ++shade) {
    const double opacity = static_cast<double>(shade) / static_cast<double>(shades);
    rules += fmt::format(
        ".lightcone .event{0}{{fill:{1};fill-opacity:{3:.2f}}}\n"
        ".lightcone .talk{0}{{fill:{2};fill-opacity:{3:.2f}}}\n",
        shade, theme.mark, theme.path, opacity);
  }
  return rules;
}

/// From 0 for nothing to the darkest for the most, by orders of magnitude.
[[nodiscard]] std::size_t shade_of(std::uint64_t count, std::uint64_t most) {
  if (count == 0) return 0;
  if (most <= 1) return shades;
  const double share =
      std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
  return std::clamp<std::size_t>(
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(shades))), 1, shades);
}

/// Where each event stands from left to right.
struct Axis {
  std::vector<double> place;  ///< of each event
  double begin = 0, end = 1;
  bool is_time = false;
};

[[nodiscard]] Axis time_axis(const Computation& computation) {
  Axis axis{std::vector<double>(computation.event_count()), 0, 0, true};
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    const auto time = computation.time(e);
    if (!time) return {};
    axis.place[e] = *time;
    axis.begin = e == 0 ? *time : std::min(axis.begin, *time);
    axis.end = e == 0 ? *time : std::max(axis.end, *time);
  }
  if (!(axis.end > axis.begin)) return {};
  return axis;
}

/// The events on the longest causal chain that ends at each.
[[nodiscard]] Axis depth_axis(const Computation& computation) {
  Axis axis{std::vector<double>(computation.event_count(), 1), 1, 1, false};
  for (const EventIndex e : computation.order()) {
    double depth = 0;
    if (computation.rank_of(e) > 1) depth = axis.place[e - 1];
    for (const MessageIndex m : computation.takes(e)) {
      depth = std::max(depth, axis.place[computation.sent_by(m)]);
    }
    axis.place[e] = depth + 1;
    axis.end = std::max(axis.end, depth + 1);
  }
  return axis;
}

class Overview {
 public:
  Overview(const Computation& computation, std::string title)
      : computation_(computation), title_(std::move(title)), axis_(time_axis(computation)) {
    if (axis_.place.empty()) axis_ = depth_axis(computation);
    const std::size_t processes = computation.process_count();
    group_ = std::max<std::size_t>(1, (processes + most_rows - 1) / most_rows);
    rows_ = (processes + group_ - 1) / group_;
    for (std::size_t row = 0; row < rows_; ++row) names_.push_back(name_of_row(row));
    count();
  }

  [[nodiscard]] std::string svg() {
    double label = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      label = std::max(label, text_width(numbered(row), name_size));
    }
    left_ = margin + label + 10;
    const double matrix = left_ + static_cast<double>(rows_) * cell() + margin;
    const Headings made =
        headings(title_, subtitle(), std::max(left_ + strip_width + margin, matrix));
    body_ = made.elements;
    double y = draw_strips(made.bottom + heading_room + 8);
    y = draw_matrix(y + heading_room);
    return SvgDocument{.width = made.width,
                       .height = y + margin,
                       .title = title_,
                       .style = overview_style,
                       .colours = overview_colours,
                       .body = body_}
        .text();
  }

 private:
  [[nodiscard]] std::string name_of_row(std::size_t row) const {
    const auto first = static_cast<ProcessIndex>(row * group_);
    const auto last = static_cast<ProcessIndex>(
        std::min<std::size_t>(first + group_, computation_.process_count()) - 1);
    const std::string name = safe_text(computation_.process_name(first));
    if (first == last) return shortened(name, row_name_columns);
    return shortened(name + " – " + safe_text(computation_.process_name(last)),
                     2 * row_name_columns);
  }

  [[nodiscard]] double cell() const {
    return std::clamp(strip_width / static_cast<double>(std::max<std::size_t>(rows_, 1)),
                      least_cell, widest_cell);
  }

  [[nodiscard]] std::size_t row_of(EventIndex e) const {
    return computation_.process_of(e) / group_;
  }

  [[nodiscard]] std::size_t column_of(EventIndex e) const {
    const double span = std::max(axis_.end - axis_.begin, 1e-300);
    const double share = axis_.end > axis_.begin ? (axis_.place[e] - axis_.begin) / span : 0;
    return std::min(columns - 1, static_cast<std::size_t>(share * static_cast<double>(columns)));
  }

  void count() {
    events_.assign(rows_ * columns, 0);
    messages_.assign(rows_ * rows_, 0);
    for (EventIndex e = 0; e < computation_.event_count(); ++e) {
      most_events_ = std::max(most_events_, ++events_[row_of(e) * columns + column_of(e)]);
      for (const MessageIndex m : computation_.takes(e)) {
        const std::size_t from = row_of(computation_.sent_by(m));
        most_messages_ = std::max(most_messages_, ++messages_[from * rows_ + row_of(e)]);
      }
    }
  }

  [[nodiscard]] std::string subtitle() const {
    std::string words = fmt::format("{}, {}, {} received",
                                    counted(computation_.process_count(), "process", "processes"),
                                    counted(computation_.event_count(), "event"),
                                    counted(computation_.edge_count(), "message"));
    if (group_ > 1) words += fmt::format("; {} processes share a row", group_);
    return words;
  }

  void text(Point at, double size, std::string_view kind, const std::string& safe) {
    body_ += text_element(at, size, kind, safe);
  }

  void rectangle(Point at, double width, double height, const std::string& kind,
                 const std::string& words) {
    body_ +=
        fmt::format(R"(<rect class="cell {}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}">)"
                    R"(<title>{}</title></rect>)"
                    "\n",
                    kind, at.x, at.y, width, height, escaped(words));
  }

  /// Returns where they end.
  double draw_strips(double top) {
    text({margin, top - 10}, label_size, "title",
         axis_.is_time ? "Events over time" : "Events over causal depth");
    const double width = strip_width / static_cast<double>(columns);
    for (std::size_t row = 0; row < rows_; ++row) {
      const double y = top + strip_height * static_cast<double>(row);
      text({left_ - 10, y + strip_height * 0.75}, name_size, "right", names_[row]);
      body_ +=
          fmt::format(R"(<rect class="none" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)"
                      "\n",
                      left_, y + 1, strip_width, strip_height - 2);
      for (std::size_t column = 0; column < columns; ++column) {
        const std::uint64_t events = events_[row * columns + column];
        if (events == 0) continue;
        rectangle({left_ + width * static_cast<double>(column), y + 1}, width, strip_height - 2,
                  fmt::format("event{}", shade_of(events, most_events_)),
                  fmt::format("{}: {}", names_[row], counted(events, "event")));
      }
    }
    const double bottom = top + strip_height * static_cast<double>(rows_) + 4;
    body_ += fmt::format(R"(<path class="axis" d="M{:.1f} {:.1f}H{:.1f}"/>)"
                         "\n",
                         left_, bottom, left_ + strip_width);
    text({left_, bottom + 13}, small_size, "soft", axis_.is_time ? "0 s" : "1");
    text({left_ + strip_width, bottom + 13}, small_size, "right",
         axis_.is_time ? fmt::format("{:.3g} s", axis_.end - axis_.begin)
                       : grouped(static_cast<std::uint64_t>(axis_.end)));
    return bottom + 18;
  }

  /// Returns where it ends.
  double draw_matrix(double top) {
    if (most_messages_ == 0) return top - heading_room;
    const double side = cell();
    text({margin, top - 10}, label_size, "title", "Messages from each row to each column");
    const double grid = top + 16;
    const std::size_t every = side < narrow_cell ? 5 : 1;
    for (std::size_t row = 0; row < rows_; ++row) {
      const double offset = side * static_cast<double>(row);
      const double middle = offset + side / 2;
      if (row % every == 0) {
        text({left_ - 10, grid + middle + small_size * 0.35}, small_size, "right", numbered(row));
        text({left_ + middle, grid - 4}, small_size, "soft middle", std::to_string(row + 1));
      }
      for (std::size_t to = 0; to < rows_; ++to) {
        draw_cell(row, to, {left_ + side * static_cast<double>(to), grid + offset}, side);
      }
    }
    return grid + side * static_cast<double>(rows_) + 4;
  }

  /// A name, and the number of its column.
  [[nodiscard]] std::string numbered(std::size_t row) const {
    return fmt::format("{}: {}", row + 1, names_[row]);
  }

  void draw_cell(std::size_t from, std::size_t to, Point at, double side) {
    const std::uint64_t messages = messages_[from * rows_ + to];
    const std::size_t shade = shade_of(messages, most_messages_);
    rectangle(at, side, side, shade == 0 ? "none" : fmt::format("talk{}", shade),
              fmt::format("{} to {}: {}", names_[from], names_[to], counted(messages, "message")));
    const std::string digits = messages == 0 ? "" : roughly(static_cast<double>(messages));
    if (text_width(digits, small_size) > side - 2) return;
    text({at.x + side / 2, at.y + side / 2 + small_size * 0.35}, small_size, "count middle",
         digits);
  }

  const Computation& computation_;
  std::string title_;
  Axis axis_;
  std::size_t group_ = 1, rows_ = 0;  // processes per row
  std::vector<std::string> names_;
  std::vector<std::uint64_t> events_, messages_;
  std::uint64_t most_events_ = 0, most_messages_ = 0;
  double left_ = 0;
  std::string body_;
};

}  // namespace

std::string overview_svg(const Computation& computation, const std::string& title) {
  return Overview(computation, title).svg();
}

}  // namespace lightcone::cli
