// Draws computations: events in order of depth, each message in a lane beside its receiver's row.
#include "draw/diagram.h"

#include <fmt/format.h>
#include <lightcone/causal/process_words.h>

#include <algorithm>
#include <map>
#include <vector>

#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::uint32_t most_processes = 16;

enum Line : std::uint8_t { up = 1, down = 2, left = 4, right = 8, timeline = 16 };
enum class Colour : std::uint8_t { plain, label, message };

struct Cell {
  std::uint8_t lines = 0;
  std::string text;         // stands over the lines
  bool is_covered = false;  // by the wide character before it
  Colour colour = Colour::plain;
};

/// A message on the drawing: from the column and row of its send to those of its receive.
struct Arrow {
  std::size_t from_x, to_x;
  std::uint32_t from_row, to_row;
  std::uint32_t gap = 0;   // the lanes it runs in: those below process row `gap`
  std::uint32_t lane = 0;  // counted from the top of the gap
};

/// By depth, so that time and causes run from left to right, however the trace was written.
[[nodiscard]] std::vector<EventIndex> by_depth(const Computation& computation) {
  std::vector<std::uint32_t> depth(computation.event_count());
  for (const EventIndex e : computation.order()) {
    std::uint32_t before = computation.rank_of(e) > 1 ? depth[e - 1] : 0;
    for (const MessageIndex m : computation.takes(e)) {
      before = std::max(before, depth[computation.sent_by(m)]);
    }
    depth[e] = before + 1;
  }
  std::vector<EventIndex> events(computation.order().begin(), computation.order().end());
  std::sort(events.begin(), events.end(), [&](EventIndex a, EventIndex b) {
    return std::pair(depth[a], a) < std::pair(depth[b], b);
  });
  return events;
}

class Drawing {
 public:
  Drawing(const Computation& computation, const DiagramStyle& style)
      : computation_(computation), style_(style) {}
  [[nodiscard]] std::string text();

 private:
  void place_events();
  void find_arrows();
  void choose_lanes();
  void draw_timelines();
  void draw(const Arrow& arrow);
  void vertical(std::size_t x, std::size_t y1, std::size_t y2);
  void horizontal(std::size_t y, std::size_t x1, std::size_t x2);
  void write(std::size_t x, std::size_t y, const std::string& text, Colour colour);
  [[nodiscard]] std::string event_text(EventIndex e) const;
  [[nodiscard]] std::string arrowhead(EventIndex e) const;
  [[nodiscard]] std::string glyph(std::uint8_t lines) const;
  [[nodiscard]] std::string line_text(const std::vector<Cell>& line) const;

  const Computation& computation_;
  const DiagramStyle& style_;
  std::size_t left_ = 0;   // where the timelines begin
  std::size_t width_ = 0;  // of the whole drawing
  std::vector<EventIndex> drawn_;
  std::map<EventIndex, std::size_t> x_;
  std::vector<Arrow> arrows_;
  std::vector<std::size_t> y_;  // of each process
  std::vector<std::vector<Cell>> grid_;
};

std::string Drawing::arrowhead(EventIndex e) const {
  bool above = false;
  bool below = false;
  for (const MessageIndex m : computation_.takes(e)) {
    const bool from_above =
        computation_.process_of(computation_.sent_by(m)) < computation_.process_of(e);
    (from_above ? above : below) = true;
  }
  if (above && below) return style_.unicode ? "◆" : "#";
  if (above) return style_.unicode ? "▼" : "v";
  return style_.unicode ? "▲" : "^";
}

std::string Drawing::event_text(EventIndex e) const {
  std::string labels;
  for (const NameIndex label : computation_.labels(e)) {
    labels += (labels.empty() ? "" : ",") + printable(computation_.names()[label], 12);
  }
  switch (computation_.kind(e)) {
    case Kind::send:
      if (!labels.empty()) labels += '/';
      return labels + printable(computation_.message_name(computation_.sends(e)), 12);
    case Kind::receive: return arrowhead(e) + labels;
    default: return !labels.empty() ? labels : style_.unicode ? "●" : "o";
  }
}

void Drawing::place_events() {
  for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
    left_ = std::max(left_, display_width(process_words(computation_, p, 16)) + 3);
  }
  std::size_t x = left_ + 1;
  for (const EventIndex e : by_depth(computation_)) {
    const std::size_t end = x + display_width(event_text(e)) + 1;
    if (end > style_.columns) break;
    drawn_.push_back(e);
    x_[e] = x;
    x = end;
  }
  width_ = x;
}

void Drawing::find_arrows() {
  for (const EventIndex e : drawn_) {
    for (const MessageIndex m : computation_.takes(e)) {
      const EventIndex sent = computation_.sent_by(m);
      Arrow arrow{x_.at(sent), x_.at(e), computation_.process_of(sent), computation_.process_of(e)};
      arrow.gap = arrow.from_row < arrow.to_row ? arrow.to_row - 1 : arrow.to_row;
      arrows_.push_back(arrow);
    }
  }
}

/// Arrows that would touch each other side by side get lanes of their own; short ones first, so
/// that they stay near their row.
void Drawing::choose_lanes() {
  const std::uint32_t rows = computation_.process_count();
  std::sort(arrows_.begin(), arrows_.end(),
            [](const Arrow& a, const Arrow& b) { return a.to_x - a.from_x < b.to_x - b.from_x; });
  std::vector<std::vector<std::vector<const Arrow*>>> lanes(rows);
  for (Arrow& arrow : arrows_) {
    auto& gap = lanes[arrow.gap];
    const auto is_free = [&](const std::vector<const Arrow*>& lane) {
      return std::none_of(lane.begin(), lane.end(), [&](const Arrow* other) {
        return other->from_x <= arrow.to_x && arrow.from_x <= other->to_x;
      });
    };
    auto lane = std::find_if(gap.begin(), gap.end(), is_free);
    if (lane == gap.end()) lane = gap.emplace(gap.end());
    arrow.lane = static_cast<std::uint32_t>(lane - gap.begin());
    lane->push_back(&arrow);
  }
  std::size_t y = 0;
  for (std::uint32_t p = 0; p < rows; ++p) {
    y_.push_back(y);
    const bool last = p + 1 == rows;
    y += 1 + std::max<std::size_t>(lanes[p].size(), last ? 0 : 1);
  }
  grid_.assign(y, std::vector<Cell>(width_));
}

void Drawing::draw_timelines() {
  for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
    for (std::size_t x = left_ - 1; x < width_; ++x) grid_[y_[p]][x].lines |= timeline;
    const std::string name = process_words(computation_, p, 16);
    write(left_ - 2 - display_width(name), y_[p], name, Colour::plain);
  }
  for (const EventIndex e : drawn_) {
    const Kind kind = computation_.kind(e);
    write(x_.at(e), y_[computation_.process_of(e)], event_text(e),
          kind == Kind::internal ? Colour::label : Colour::message);
  }
}

void Drawing::vertical(std::size_t x, std::size_t y1, std::size_t y2) {
  if (y1 > y2) std::swap(y1, y2);
  for (std::size_t y = y1; y < y2; ++y) {
    grid_[y][x].lines |= down;
    grid_[y + 1][x].lines |= up;
  }
}

void Drawing::horizontal(std::size_t y, std::size_t x1, std::size_t x2) {
  for (std::size_t x = x1; x < x2; ++x) {
    grid_[y][x].lines |= right;
    grid_[y][x + 1].lines |= left;
  }
}

void Drawing::draw(const Arrow& arrow) {
  const std::size_t lane_y = y_[arrow.gap] + 1 + arrow.lane;
  vertical(arrow.from_x, y_[arrow.from_row], lane_y);
  horizontal(lane_y, arrow.from_x, arrow.to_x);
  vertical(arrow.to_x, lane_y, y_[arrow.to_row]);
}

void Drawing::write(std::size_t x, std::size_t y, const std::string& text, Colour colour) {
  std::size_t before = x;  // where a mark without columns belongs
  for (std::string_view rest = text; !rest.empty();) {
    const ShownCharacter next = first_shown(rest);
    const std::size_t at = next.columns == 0 ? before : x;
    grid_[y][at].text += rest.substr(0, next.bytes);
    grid_[y][at].colour = colour;
    if (next.columns == 2) grid_[y][at + 1].is_covered = true;
    before = at;
    x += next.columns;
    rest.remove_prefix(next.bytes);
  }
}

std::string Drawing::glyph(std::uint8_t lines) const {
  static const char* const thin[16] = {" ", "│", "│", "│", "─", "┘", "┐", "┤",
                                       "─", "└", "┌", "├", "─", "┴", "┬", "┼"};
  const bool crossed = (lines & (up | down)) != 0;
  if ((lines & timeline) != 0) return style_.unicode ? (crossed ? "┿" : "━") : crossed ? "|" : "=";
  if (style_.unicode) return thin[lines & 15];
  const bool flat = (lines & (left | right)) != 0;
  if (!crossed) return flat ? "-" : " ";
  return flat && lines != 15 ? "+" : "|";  // where two lines cross, one passes over the other
}

std::string Drawing::line_text(const std::vector<Cell>& line) const {
  std::string out;
  for (const Cell& cell : line) {
    if (cell.is_covered) continue;
    if (cell.text.empty()) {
      out += glyph(cell.lines);
    } else if (cell.colour == Colour::label) {
      out += style_.paint.cyan(cell.text);
    } else if (cell.colour == Colour::message) {
      out += style_.paint.yellow(cell.text);
    } else {
      out += style_.paint.bold(cell.text);
    }
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

std::string Drawing::text() {
  place_events();
  find_arrows();
  choose_lanes();
  draw_timelines();
  for (const Arrow& arrow : arrows_) draw(arrow);
  std::string out;
  for (const auto& line : grid_) out += line_text(line);
  if (drawn_.size() < computation_.event_count()) {
    out += fmt::format("\n  The first {} of {}; no more fit here.\n", grouped(drawn_.size()),
                       counted(computation_.event_count(), "event"));
  }
  return out;
}

}  // namespace

std::string diagram(const Computation& computation, const DiagramStyle& style) {
  if (computation.process_count() == 0) return {};
  if (computation.process_count() > most_processes) {
    return fmt::format("  {}: too many to draw.\n",
                       counted(computation.process_count(), "process", "processes"));
  }
  return Drawing(computation, style).text();
}

}  // namespace lightcone::cli
