// Lays a window of a computation out on a canvas, and writes the SVG.
#include "draw/space_time_svg.h"

#include <fmt/format.h>
#include <lightcone/error.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "check/moment_words.h"
#include "draw/picture_layout.h"
#include "draw/picture_window.h"
#include "draw/svg_style.h"
#include "draw/svg_text.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr double line_distance = 60;
constexpr double beyond_lines = 30;  // how far a cut reaches above the first line, below the last
constexpr std::size_t tooltip_bytes = 2000;

constexpr std::string_view style = R"(.lightcone .message-name{font-style:italic}
.lightcone .process,.lightcone .message,.lightcone .leg,.lightcone .mark,.lightcone .cut{fill:none}
.lightcone .hidden{stroke-dasharray:2 4}
.lightcone .process{stroke-width:1.2}
.lightcone .message{stroke-width:1}
.lightcone .leg{stroke-width:3.5;stroke-linecap:round}
.lightcone .leg.hidden{stroke-dasharray:.1 7}
.lightcone .mark{stroke-width:1.8}
.lightcone .dot{stroke-width:1.5}
.lightcone .ring{stroke-width:2}
.lightcone .cut{stroke-width:2.5;stroke-linecap:round}
.lightcone .inside{fill-opacity:.09}
)";

[[nodiscard]] std::string colours(const Theme& theme) {
  return fmt::format(R"(.lightcone .band{{fill:{band}}}
.lightcone .process,.lightcone .message{{stroke:{line}}}
.lightcone .head,.lightcone .dot{{fill:{line}}}
.lightcone .dot{{stroke:{paper}}}
.lightcone .labelled{{fill:{event}}}
.lightcone .ring{{fill:{paper};stroke:{line}}}
.lightcone .ring.labelled{{fill:{paper};stroke:{event}}}
.lightcone .leg{{stroke:{path}}}
.lightcone .on-path,.lightcone .on-path .dot{{fill:{path}}}
.lightcone .on-path .ring{{fill:{paper};stroke:{path}}}
.lightcone .mark{{stroke:{mark}}}
.lightcone .cut{{stroke:{cut}}}
.lightcone .inside{{fill:{cut}}}
.lightcone .frontier{{fill:{ink};font-weight:bold}}
)",
                     fmt::arg("paper", theme.paper), fmt::arg("event", theme.event),
                     fmt::arg("line", theme.line), fmt::arg("band", theme.band),
                     fmt::arg("path", theme.path), fmt::arg("mark", theme.mark),
                     fmt::arg("cut", theme.cut), fmt::arg("ink", theme.ink));
}

class Canvas {
 public:
  Canvas(const Computation& computation, const Picture& picture, Window window)
      : computation_(computation),
        picture_(picture),
        window_(std::move(window)),
        layout_(picture_layout(computation, window_)) {}

  [[nodiscard]] std::string svg() {
    place_headings();
    draw_cut();
    draw_processes();
    draw_gap();
    for (const bool on_path : {false, true}) {  // the path stands above all others
      for (const ShownMessage& message : window_.messages) {
        if (message.on_path == on_path) draw_message(message);
      }
    }
    for (const PathLeg& leg : window_.path) draw_leg(leg);
    for (std::size_t i = 0; i < window_.states.size(); ++i) draw_state(i);
    return document();
  }

 private:
  using Role = ShownState::Role;

  // Where things are.
  void place_headings();
  [[nodiscard]] Point point(std::size_t state) const;
  [[nodiscard]] double radius(const ShownState& state) const;

  // What is drawn.
  void draw_processes();
  void draw_process_piece(std::size_t line, double from, double to, bool hidden);
  void draw_gap();
  void draw_cut();
  void draw_message(const ShownMessage& message);
  void draw_head(Point tip, Point direction, double size, std::string_view kind);
  void draw_leg(const PathLeg& leg);
  void draw_state(std::size_t state);
  [[nodiscard]] std::string tooltip(const ShownState& state) const;
  [[nodiscard]] std::string foot() const;
  [[nodiscard]] std::string document() const;

  const Computation& computation_;
  const Picture& picture_;
  Window window_;
  Layout layout_;
  double top_ = 0;  // the first line
  double width_ = 0;
  std::string headings_;
  std::string shapes_;
  std::string words_;  // above all shapes
};

void Canvas::place_headings() {
  Headings made = headings(picture_.title, picture_.subtitle, layout_.right + margin);
  width_ = made.width;
  headings_ = std::move(made.elements);
  top_ = made.bottom + (window_.gap ? 20 : 0) + 36;
}

Point Canvas::point(std::size_t state) const {
  const ShownState& s = window_.states[state];
  return {layout_.x[state], top_ + line_distance * s.line};
}

double Canvas::radius(const ShownState& state) const {
  if (state.role == Role::given) return 6;
  if (!computation_.labels(state.row).empty()) return 5;
  return state.role == Role::passed ? 4 : 3.6;
}

void Canvas::draw_process_piece(std::size_t line, double from, double to, bool hidden) {
  const double y = top_ + line_distance * static_cast<double>(line);
  shapes_ += fmt::format(R"(<path class="process{}" d="M{:.1f} {:.1f}H{:.1f}"/>)"
                         "\n",
                         hidden ? " hidden" : "", from, y, to);
}

void Canvas::draw_processes() {
  for (std::size_t line = 0; line < window_.processes.size(); ++line) {
    const double y = top_ + line_distance * static_cast<double>(line);
    words_ += text_element({layout_.left - 10, y + name_size * 0.35}, name_size, "right",
                           layout_.names[line]);
  }
  for (std::size_t i = 0; i < window_.states.size(); ++i) {
    const ShownState& state = window_.states[i];
    const Point at = point(i);
    const double from = is_first(window_, i) ? layout_.left : point(i - 1).x;
    draw_process_piece(state.line, from, at.x, state.hidden_before > 0);
    if (const std::string words = hidden_words(window_, i); !words.empty()) {
      const double begin = from + layout_.texts[i - 1].after();
      const double middle = (begin + at.x - layout_.texts[i].before()) / 2;
      words_ += text_element({middle, at.y - 5}, small_size, "soft middle", words);
    }
    const bool last = i + 1 == window_.states.size() || is_first(window_, i + 1);
    const bool goes_on = state.rank < computation_.last_rank(window_.processes[state.line]);
    if (last) draw_process_piece(state.line, at.x, layout_.right, goes_on);
  }
}

void Canvas::draw_gap() {
  if (!window_.gap) return;
  const double top = top_ - 44;
  const double bottom =
      top_ + line_distance * static_cast<double>(window_.processes.size() - 1) + 30;
  shapes_ +=
      fmt::format(R"(<rect class="band" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)"
                  "\n",
                  layout_.gap_begin, top, layout_.gap_end - layout_.gap_begin, bottom - top);
  for (std::size_t line = 0; line < window_.processes.size(); ++line) {
    draw_process_piece(line, layout_.gap_begin, layout_.gap_end, true);
  }
  words_ += text_element({(layout_.gap_begin + layout_.gap_end) / 2, top + 16}, label_size,
                         "soft middle", layout_.gap_words);
}

/// A smooth line across all process lines, and a tint of what lies left of it.
void Canvas::draw_cut() {
  if (layout_.cut.empty()) return;
  const auto y = [&](std::size_t line) { return top_ + line_distance * static_cast<double>(line); };
  const double above = top_ - beyond_lines;
  const double below = y(layout_.cut.size() - 1) + beyond_lines;
  std::string line = fmt::format("M{:.1f} {:.1f}V{:.1f}", layout_.cut.front(), above, top_);
  for (std::size_t i = 1; i < layout_.cut.size(); ++i) {
    const double middle = (y(i - 1) + y(i)) / 2;
    line += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", layout_.cut[i - 1], middle,
                        layout_.cut[i], middle, layout_.cut[i], y(i));
  }
  line += fmt::format("V{:.1f}", below);
  shapes_ += fmt::format(R"(<path class="inside" d="{}H{:.1f}V{:.1f}z"/>)"
                         "\n"
                         R"(<path class="cut" d="{}"><title>the global state</title></path>)"
                         "\n",
                         line, layout_.left - 4, above, line);
}

void Canvas::draw_head(Point tip, Point direction, double size, std::string_view kind) {
  const double length = std::hypot(direction.x, direction.y);
  const Point along{direction.x / length * size, direction.y / length * size};
  const Point back{tip.x - along.x, tip.y - along.y};
  shapes_ += fmt::format(R"(<path class="head{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z"/>)"
                         "\n",
                         kind, tip.x, tip.y, back.x - along.y * 0.42, back.y + along.x * 0.42,
                         back.x + along.y * 0.42, back.y - along.x * 0.42);
}

/// A straight arrow; to the same process, one that hangs below the line.
void Canvas::draw_message(const ShownMessage& message) {
  const Point from = point(message.from);
  const Point to = point(message.to);
  const bool same = from.y == to.y;
  const Point middle{(from.x + to.x) / 2, from.y + 30};
  const Point direction =
      same ? Point{to.x - middle.x, to.y - middle.y} : Point{to.x - from.x, to.y - from.y};
  const double length = std::hypot(direction.x, direction.y);
  const double back = radius(window_.states[message.to]) + 1.5;
  const Point tip{to.x - direction.x / length * back, to.y - direction.y / length * back};
  const std::string curve =
      same ? fmt::format("Q{:.1f} {:.1f} {:.1f} {:.1f}", middle.x, middle.y, tip.x, tip.y)
           : fmt::format("L{:.1f} {:.1f}", tip.x, tip.y);
  const std::string name = computation_.message_name(message.message);
  shapes_ += fmt::format(R"(<path class="{}" d="M{:.1f} {:.1f}{}"><title>{}</title></path>)"
                         "\n",
                         message.on_path ? "message leg" : "message", from.x, from.y, curve,
                         escaped(shortened(name, 80)));
  draw_head(tip, direction, message.on_path ? 12 : 8, message.on_path ? " on-path" : "");
}

void Canvas::draw_leg(const PathLeg& leg) {
  const Point from = point(leg.from);
  const Point to = point(leg.to);
  if (leg.whole && from.y != to.y) return;  // the message is drawn already
  shapes_ += fmt::format(R"(<path class="leg{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)"
                         "\n",
                         leg.whole ? "" : " hidden", from.x, from.y, to.x, to.y);
}

/// What the trace says, and in full what may be cut off beside the state.
std::string Canvas::tooltip(const ShownState& state) const {
  const std::string words = all_words(computation_, state.row);
  return state.note.empty() ? words : words + "\n" + state.note;
}

void Canvas::draw_state(std::size_t i) {
  const ShownState& state = window_.states[i];
  const Point at = point(i);
  const double r = radius(state);
  const bool on_path = state.role != Role::context;
  const bool labelled = !computation_.labels(state.row).empty();
  shapes_ += fmt::format(R"(<g class="state{}" data-process="{}" data-rank="{}"><title>{}</title>)",
                         on_path ? " on-path" : "", window_.processes[state.line], state.rank,
                         escaped(safe_text(tooltip(state).substr(0, tooltip_bytes), true)));
  if (state.marked) {
    shapes_ += fmt::format(R"(<circle class="mark" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)", at.x,
                           at.y, r + 3.5);
  }
  const std::string_view kind = labelled ? "dot labelled" : "dot";
  const Kind event_kind = state.rank == 0 ? Kind::initial : computation_.kind(state.row);
  shapes_ += event_shape(event_kind, kind, at, r);
  shapes_ += "</g>\n";
  const StateTexts& texts = layout_.texts[i];
  words_ += text_element({at.x - texts.above.before(), at.y - 12}, label_size,
                         texts.message_name ? "soft message-name"
                         : on_path          ? ""
                                            : "soft",
                         texts.above.text);
  words_ += text_element({at.x - texts.below.before(), at.y + 19}, small_size,
                         on_path          ? "on-path"
                         : state.frontier ? "frontier"
                                          : "soft",
                         texts.below.text);
}

std::string Canvas::foot() const {
  if (window_.states.empty()) return "there are no events to show";
  std::string words = fmt::format("{} of {}", grouped(window_.events),
                                  counted(computation_.event_count(), "event"));
  if (window_.marks_hidden > 0) {
    words += fmt::format("; {} not shown", counted(window_.marks_hidden, "marked state"));
  }
  if (!window_.cut_column) return words + "; the number of an event is its rank";
  return words + "; the line is the global state; numbers are ranks";
}

std::string Canvas::document() const {
  const double lines = window_.processes.empty()
                           ? 0
                           : line_distance * static_cast<double>(window_.processes.size() - 1) + 44;
  const double foot_y = top_ + lines;
  const std::string foot_element =
      text_element({margin, foot_y}, small_size, "soft",
                   shortened(foot(), columns_in(width_ - 2 * margin, small_size)));
  return SvgDocument{.width = width_,
                     .height = foot_y + margin,
                     .title = picture_.title,
                     .style = style,
                     .colours = colours,
                     .body = headings_ + shapes_ + words_ + foot_element}
      .text();
}

[[nodiscard]] Row row_of(const Computation& computation, const Moment& moment) {
  LIGHTCONE_ASSERT(moment.process < computation.process_count());
  LIGHTCONE_ASSERT(moment.rank <= computation.last_rank(moment.process));
  return moment.rank == 0 ? computation.initial_row(moment.process)
                          : computation.event(moment.process, moment.rank);
}

[[nodiscard]] std::vector<Row> rows_of(const Computation& computation,
                                       const std::vector<Moment>& moments) {
  std::vector<Row> rows;
  for (const Moment& moment : moments) rows.push_back(row_of(computation, moment));
  return rows;
}

/// Those of moments that are not shown are left out.
void add_notes(const Computation& computation, const std::vector<MomentNote>& notes,
               Window& window) {
  std::unordered_map<Row, const std::string*> text_of;
  for (const MomentNote& note : notes) text_of[row_of(computation, note.at)] = &note.text;
  for (ShownState& state : window.states) {
    if (const auto note = text_of.find(state.row); note != text_of.end()) {
      state.note = *note->second;
    }
  }
}

}  // namespace

std::string space_time_svg(const Computation& computation, const Picture& picture) {
  const std::vector<Row> path = rows_of(computation, picture.path);
  const std::vector<Row> marked = rows_of(computation, picture.marked);
  LIGHTCONE_ASSERT(picture.cut.empty() || picture.cut.size() == computation.process_count());
  Window window = picture.cut.empty() ? picture_window(computation, path, marked)
                                      : cut_window(computation, picture.cut, marked);
  add_notes(computation, picture.notes, window);
  return Canvas(computation, picture, std::move(window)).svg();
}

}  // namespace lightcone::cli
