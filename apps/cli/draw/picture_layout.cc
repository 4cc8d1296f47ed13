// Chooses the texts beside the states, and finds room for them.
#include "draw/picture_layout.h"

#include <algorithm>
#include <numeric>

#include "check/moment_words.h"
#include "draw/svg_text.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr double least_step = 30;  // from column to column
constexpr double between_texts = 10;
constexpr double cut_room = 44, beside_cut = 12;  // the band of a cut, and what it keeps clear of
constexpr std::size_t name_columns = 22, label_columns = 20, message_columns = 12,
                      note_columns = 30;

/// As many parts of a note as there is room for; of one that is too long, its value stays whole.
[[nodiscard]] std::string note_words(const std::string& note) {
  const std::string safe = safe_text(note);
  if (svg_columns(safe) <= note_columns) return safe;
  std::size_t end = 0;
  for (auto at = safe.find(", "); at != std::string::npos; at = safe.find(", ", at + 1)) {
    if (svg_columns(safe.substr(0, at)) + 3 > note_columns) break;
    end = at;
  }
  if (end > 0) return safe.substr(0, end) + ", …";
  const std::string first = safe.substr(0, safe.find(", "));
  const auto value = std::min(first.rfind(" = "), first.size());
  const std::size_t room = svg_columns(first.substr(value)) + 4;
  if (room >= note_columns) return shortened(safe, note_columns);
  return shortened(first.substr(0, value), note_columns + 4 - room) + first.substr(value);
}

[[nodiscard]] StateTexts texts_of(const Computation& computation, const ShownState& state) {
  using Role = ShownState::Role;
  StateTexts texts;
  texts.above.text = state.note.empty()
                         ? shortened(label_words(computation, state.row), label_columns)
                         : note_words(state.note);
  if (state.role == Role::given || state.marked || state.frontier)
    texts.below.text = std::to_string(state.rank);
  return texts;
}

[[nodiscard]] bool is_across_gap(const Window& window, const ShownState& a, const ShownState& b) {
  return window.gap && a.column < window.gap->before_column &&
         b.column >= window.gap->before_column;
}

class ColumnPlacer {
 public:
  ColumnPlacer(const Window& window, Layout& layout)
      : window_(window),
        layout_(layout),
        states_(window.states.size()),
        x_(window.columns, 0),
        least_(layout.left + 8) {
    std::iota(states_.begin(), states_.end(), std::size_t{0});
    std::ranges::stable_sort(states_, {}, [&](std::size_t i) { return column(i); });
  }

  void place() {
    auto begin = states_.begin();
    while (begin != states_.end()) {
      const auto end = std::find_if(begin, states_.end(),
                                    [&](std::size_t i) { return column(i) != column(*begin); });
      place_column(std::span(begin, end));
      begin = end;
    }
    for (std::size_t i = 0; i < states_.size(); ++i) layout_.x.push_back(x_[column(i)]);
    const bool all_inside = window_.cut_column == window_.columns;
    layout_.right = reach_ + 16 + (all_inside ? cut_room : 0);
    if (window_.cut_column) place_cut();
  }

 private:
  [[nodiscard]] std::uint32_t column(std::size_t state) const {
    return window_.states[state].column;
  }

  void place_column(std::span<const std::size_t> states) {
    const std::uint32_t c = column(states[0]);
    if (window_.gap && c == window_.gap->before_column) {
      layout_.gap_begin = reach_ + 4;
      layout_.gap_end = layout_.gap_begin + text_width(layout_.gap_words, label_size) + 8;
      least_ = layout_.gap_end + 4;
    }
    if (window_.cut_column == c) least_ = reach_ + 2 * beside_cut;
    if (c > 0) x_[c] = x_[c - 1] + (window_.cut_column == c ? cut_room : least_step);
    for (const std::size_t i : states) {
      double begin = least_;
      if (!is_first(window_, i)) {
        const std::string hidden = hidden_words(window_, i);
        const double before = x_[column(i - 1)] + layout_.texts[i - 1].after() + between_texts;
        const double room = hidden.empty() ? 0 : text_width(hidden, small_size) + between_texts;
        begin = std::max(begin, before + room);
      }
      x_[c] = std::max(x_[c], begin + layout_.texts[i].before());
    }
    for (const std::size_t i : states) reach_ = std::max(reach_, x_[c] + layout_.texts[i].after());
  }

  /// On each line halfway between the states beside it and their texts, but in the band between
  /// the columns that are inside and those that are not: a message between two states inside does
  /// not cross it.
  void place_cut() {
    const std::uint32_t c = *window_.cut_column;
    const double from = (c > 0 ? x_[c - 1] : layout_.left) + beside_cut;
    const double to = (c < window_.columns ? x_[c] : layout_.right) - beside_cut;
    std::vector<double> inside(window_.processes.size(), layout_.left);
    std::vector<double> outside(window_.processes.size(), layout_.right);
    for (std::size_t i = 0; i < window_.states.size(); ++i) {
      const std::uint32_t line = window_.states[i].line;
      const StateTexts& texts = layout_.texts[i];
      if (column(i) < c) {
        inside[line] = std::max(inside[line], layout_.x[i] + texts.after());
      } else {
        outside[line] = std::min(outside[line], layout_.x[i] - texts.before());
      }
    }
    for (std::size_t line = 0; line < inside.size(); ++line) {
      layout_.cut.push_back(std::clamp((inside[line] + outside[line]) / 2, from, to));
    }
  }

  const Window& window_;
  Layout& layout_;
  std::vector<std::size_t> states_;  // by column
  std::vector<double> x_;            // of each column
  double least_;                     // where the text of a state may begin
  double reach_ = layout_.left;      // where the texts placed so far end
};

}  // namespace

double SideText::before() const {
  const double width = text_width(text, size);
  if (arrow_leaves == arrow_comes) return width / 2;
  return arrow_leaves ? width + 2 : -4;
}

double StateTexts::before() const { return std::max({above.before(), below.before(), 8.0}); }
double StateTexts::after() const { return std::max({above.after(), below.after(), 8.0}); }

bool is_first(const Window& window, std::size_t state) {
  return state == 0 || window.states[state - 1].line != window.states[state].line;
}

std::string hidden_words(const Window& window, std::size_t state) {
  const ShownState& to = window.states[state];
  if (to.hidden_before == 0 || is_first(window, state)) return {};
  if (is_across_gap(window, window.states[state - 1], to)) return {};
  return grouped(to.hidden_before) + " more";
}

Layout picture_layout(const Computation& computation, const Window& window) {
  Layout layout;
  for (const ProcessIndex p : window.processes) {
    layout.names.push_back(shortened(computation.process_name(p), name_columns));
    layout.left = std::max(layout.left, text_width(layout.names.back(), name_size));
  }
  layout.left += margin + 10;
  for (const ShownState& state : window.states) {
    layout.texts.push_back(texts_of(computation, state));
  }
  for (const ShownMessage& message : window.messages) {
    const std::uint32_t from = window.states[message.from].line;
    const std::uint32_t to = window.states[message.to].line;
    StateTexts& sender = layout.texts[message.from];
    StateTexts& receiver = layout.texts[message.to];
    if (message.on_path && sender.above.text.empty()) {
      sender.message_name = true;
      sender.above.text = shortened(computation.message_name(message.message), message_columns);
    }
    (from <= to ? sender.below : sender.above).arrow_leaves = true;
    (from >= to ? receiver.below : receiver.above).arrow_comes = true;
  }
  if (window.gap) layout.gap_words = "… " + counted(window.gap->hidden, "more event");
  ColumnPlacer(window, layout).place();
  return layout;
}

}  // namespace lightcone::cli
