// Chooses what to draw: the path first, then what is one message or event away, and so on.
#include "draw/picture_window.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <lightcone/causal/order/causal_route.h>
#include "draw/causal_columns.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_events = 120;
constexpr std::size_t most_on_path = 60, many_on_path = 30;
constexpr std::size_t most_marks = 24;
constexpr std::size_t most_shown = 12;    // unless the path itself visits more
constexpr std::size_t few_processes = 6;  // of a computation: all may be shown
constexpr std::size_t usual_events = 60, least_context = 12;
constexpr std::size_t farthest = 4;      // messages and events from the path
constexpr std::size_t plain_shown = 3;   // events in a row without anything to show
constexpr std::size_t shortest_gap = 3;  // a mark for a gap takes as much room as two events

/// Decides which rows are drawn.
class ChosenEvents {
 public:
  ChosenEvents(const Computation& computation, std::vector<RouteStep> route,
               std::span<const Rank> cut = {})
      : computation_(computation),
        route_(std::move(route)),
        cut_(cut),
        parts_(computation.row_count(), Part::hidden),
        takes_part_(computation.process_count(), false) {}

  void choose_path() {
    std::vector<std::size_t> worth = steps_worth_showing(true);
    if (worth.size() > many_on_path) worth = steps_worth_showing(false);
    const std::size_t half = most_on_path / 2;
    const bool cut = worth.size() > most_on_path;
    for (std::size_t i = 0; i < worth.size(); ++i) {
      if (cut && i >= half && i + half < worth.size()) continue;
      show(route_[worth[i]].row, cut && i >= half ? Part::end : Part::beginning);
    }
    if (!cut) return;
    gap_begin_ = worth[half - 1] + 1;
    gap_end_ = worth[worth.size() - half];
    for (const RouteStep& step : gap()) in_gap_.insert(step.row);
  }

  void choose_marked(std::span<const Row> marked) {
    for (const Row row : marked) {
      if (parts_[row] != Part::hidden) continue;
      if (marks_added_ == most_marks) {
        ++marks_hidden_;
        continue;
      }
      ++marks_added_;
      show(row, is_late(row) ? Part::end : Part::beginning);
    }
  }

  /// The last state inside and the first event outside, of as many processes as there is room for:
  /// first those with both, then those that have left their initial state.
  void choose_frontier(std::span<const Rank> cut) {
    std::vector<ProcessIndex> order(cut.size());
    std::iota(order.begin(), order.end(), ProcessIndex{0});
    const auto dullness = [&](ProcessIndex p) {
      const bool at_end = cut[p] == computation_.last_rank(p);
      if (takes_part_[p]) return 0;
      return cut[p] > 0 && !at_end ? 1 : cut[p] > 0 || !at_end ? 2 : 3;
    };
    std::ranges::stable_sort(order, {}, dullness);
    for (const ProcessIndex p : order) {
      if (!takes_part_[p] && processes() >= most_shown) break;
      show(row_of(p, cut[p]), Part::beginning);
      if (cut[p] < computation_.last_rank(p)) show(row_of(p, cut[p] + 1), Part::end);
    }
  }

  void choose_beginning() {
    for (const EventIndex e : computation_.order().first(
             std::min<std::size_t>(computation_.event_count(), usual_events))) {
      show(e, Part::beginning);
    }
  }

  void choose_context() {
    const std::size_t most = std::min(most_events, std::max(usual_events, shown_ + least_context));
    std::vector<Row> rim = shown_rows();
    for (std::size_t distance = 1; distance <= farthest && !rim.empty(); ++distance) {
      rim = grow(rim, distance == 1 || computation_.process_count() <= few_processes, most);
    }
    fill_short_gaps();
  }

  [[nodiscard]] const std::vector<RouteStep>& route() const { return route_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] bool drawn(Row row) const { return parts_[row] != Part::hidden; }
  [[nodiscard]] std::size_t marks_hidden() const { return marks_hidden_; }
  [[nodiscard]] std::size_t path_hidden() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(gap(), [&](const RouteStep& step) { return !drawn(step.row); }));
  }

  [[nodiscard]] ProcessIndex process_of(Row row) const {
    const std::uint32_t events = computation_.event_count();
    return row < events ? computation_.process_of(row) : row - events;
  }
  [[nodiscard]] Rank rank_of(Row row) const {
    return row < computation_.event_count() ? computation_.rank_of(row) : 0;
  }
  [[nodiscard]] std::span<const Rank> cut() const { return cut_; }
  [[nodiscard]] std::vector<Row> shown_rows() const {
    std::vector<Row> rows;
    for (Row row = 0; row < parts_.size(); ++row) {
      if (drawn(row)) rows.push_back(row);
    }
    return rows;
  }

 private:
  void show(Row row, Part part) {
    if (drawn(row)) return;
    if (!cut_.empty()) part = rank_of(row) <= cut_[process_of(row)] ? Part::beginning : Part::end;
    parts_[row] = part;
    takes_part_[process_of(row)] = true;
    ++shown_;
  }

  /// Skips long stretches on one process without anything to show. Whether a label is shown
  /// depends on the room.
  [[nodiscard]] std::vector<std::size_t> steps_worth_showing(bool with_labels) const {
    const auto turns = [&](std::size_t i) {  // whether step i comes from another process
      return i < route_.size() && (i == 0 || !route_[i].linked ||
                                   process_of(route_[i].row) != process_of(route_[i - 1].row));
    };
    std::vector<std::size_t> steps;
    std::vector<std::size_t> plain;
    for (std::size_t i = 0; i < route_.size(); ++i) {
      plain.push_back(i);
      const bool labelled = with_labels && !computation_.labels(route_[i].row).empty();
      if (!route_[i].given && !labelled && !turns(i) && !turns(i + 1)) continue;
      if (plain.size() > plain_shown + 1) plain.erase(plain.begin(), plain.end() - 1);
      steps.insert(steps.end(), plain.begin(), plain.end());
      plain.clear();
    }
    return steps;
  }

  /// Returns whether a row belongs to the end of a path whose middle is left out.
  [[nodiscard]] bool is_late(Row row) const {
    if (gap_end_ == 0 || row >= computation_.event_count()) return false;
    const auto order = computation_.order();
    const auto first_hidden = std::find(order.begin(), order.end(), route_[gap_begin_].row);
    return std::find(order.begin(), first_hidden, row) == first_hidden;
  }

  /// Shows what is one message or one event away from the rim; returns what is new.
  [[nodiscard]] std::vector<Row> grow(const std::vector<Row>& rim, bool new_processes,
                                      std::size_t most) {
    std::vector<bool> in_rim(parts_.size(), false);
    for (const Row row : rim) in_rim[row] = true;
    std::vector<Row> added;
    const auto offer = [&](Row row, Row beside, bool new_process) {
      const ProcessIndex p = process_of(row);
      if (drawn(row) || shown_ >= most || in_gap_.contains(row)) return;
      if (!takes_part_[p] && (!new_process || processes() >= most_shown)) return;
      show(row, parts_[beside]);
      added.push_back(row);
    };
    for (const EventIndex e : computation_.order()) {
      for (const MessageIndex m : computation_.takes(e)) {
        const EventIndex sender = computation_.sent_by(m);
        if (in_rim[sender]) offer(e, sender, new_processes);
        if (in_rim[e]) offer(sender, e, new_processes);
      }
    }
    for (const Row row : rim) offer_neighbours(row, offer);
    return added;
  }

  template <class Offer>
  void offer_neighbours(Row row, const Offer& offer) const {
    const ProcessIndex p = process_of(row);
    const Rank rank = rank_of(row);
    if (rank < computation_.last_rank(p)) offer(computation_.event(p, rank + 1), row, false);
    if (rank > 1) offer(row - 1, row, false);
    if (rank == 1 && computation_.has_initial(p)) offer(computation_.initial_row(p), row, false);
  }

  void fill_short_gaps() {
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (!takes_part_[p]) continue;
      Rank before = 0;
      for (Rank rank = 1; rank <= computation_.last_rank(p) + 1; ++rank) {
        const bool end = rank > computation_.last_rank(p);
        if (!end && !drawn(computation_.event(p, rank))) continue;
        const Row beside = !end         ? computation_.event(p, rank)
                           : before > 0 ? computation_.event(p, before)
                                        : computation_.initial_row(p);
        for (Rank k = before + 1; k < rank && rank - before <= shortest_gap; ++k) {
          const Row row = computation_.event(p, k);
          if (!in_gap_.contains(row)) show(row, parts_[beside]);
        }
        before = rank;
      }
    }
  }

  /// The steps of the route that are left out in the middle.
  [[nodiscard]] std::span<const RouteStep> gap() const {
    return std::span(route_).subspan(gap_begin_, gap_end_ - gap_begin_);
  }

  [[nodiscard]] Row row_of(ProcessIndex p, Rank rank) const {
    return rank == 0 ? computation_.initial_row(p) : computation_.event(p, rank);
  }

  [[nodiscard]] std::size_t processes() const {
    return static_cast<std::size_t>(std::count(takes_part_.begin(), takes_part_.end(), true));
  }

  const Computation& computation_;
  std::vector<RouteStep> route_;
  std::span<const Rank> cut_;
  std::vector<Part> parts_;
  std::vector<bool> takes_part_;
  std::size_t shown_ = 0;
  std::size_t marks_added_ = 0;
  std::size_t marks_hidden_ = 0;
  std::size_t gap_begin_ = 0, gap_end_ = 0;
  std::set<Row> in_gap_;
};

/// Turns the chosen rows into states, messages and the path.
class Assembly {
 public:
  Assembly(const Computation& computation, const ChosenEvents& choice)
      : computation_(computation), choice_(choice) {}

  [[nodiscard]] Window window(std::span<const Row> marked) {
    add_states();
    add_columns();
    add_path();
    add_messages();
    for (const Row row : marked) {
      if (choice_.drawn(row)) window_.states[state_of_.at(row)].marked = true;
    }
    window_.marks_hidden = choice_.marks_hidden();
    return std::move(window_);
  }

 private:
  void add_states() {
    std::vector<Row> rows = choice_.shown_rows();
    const auto rank = [&](Row row) { return choice_.rank_of(row); };
    std::sort(rows.begin(), rows.end(), [&](Row a, Row b) {
      return std::pair(choice_.process_of(a), rank(a)) < std::pair(choice_.process_of(b), rank(b));
    });
    Rank before = 0;
    for (const Row row : rows) {
      const ProcessIndex p = choice_.process_of(row);
      if (window_.processes.empty() || window_.processes.back() != p) {
        window_.processes.push_back(p);
        before = 0;
      }
      ShownState state;
      state.row = row;
      state.line = static_cast<std::uint32_t>(window_.processes.size() - 1);
      state.rank = rank(row);
      state.hidden_before = state.rank > before ? state.rank - before - 1 : 0;
      state.frontier = !choice_.cut().empty() && state.rank == choice_.cut()[p];
      before = state.rank;
      window_.events += state.rank > 0;
      state_of_[row] = window_.states.size();
      window_.states.push_back(state);
    }
  }

  [[nodiscard]] CausalColumns columns() const {
    if (!choice_.cut().empty()) return columns_beside_cut(computation_, choice_.parts());
    std::vector<bool> on_path(computation_.row_count(), false);
    for (const RouteStep& step : choice_.route()) on_path[step.row] = true;
    return causal_columns(computation_, choice_.parts(), on_path);
  }

  void add_columns() {
    const CausalColumns columns = this->columns();
    for (ShownState& state : window_.states) state.column = columns.of_row[state.row];
    window_.columns = columns.count;
    if (choice_.path_hidden() > 0) window_.gap = {columns.before_gap, choice_.path_hidden()};
    if (!choice_.cut().empty()) window_.cut_column = columns.before_gap;
  }

  void add_path() {
    const RouteStep* before = nullptr;  // the last step that is shown
    bool linked = true;                 // whether causes lead from there to the step at hand
    bool whole = true;
    for (const RouteStep& step : choice_.route()) {
      linked = linked && step.linked;
      if (!choice_.drawn(step.row)) {
        whole = false;
        continue;
      }
      ShownState& state = window_.states[state_of_.at(step.row)];
      using Role = ShownState::Role;
      state.role = std::max(state.role, step.given ? Role::given : Role::passed);
      if (before != nullptr && linked) {
        window_.path.push_back({state_of_.at(before->row), state_of_.at(step.row), whole});
      }
      before = &step;
      linked = whole = true;
    }
  }

  void add_messages() {
    std::vector<std::pair<std::size_t, std::size_t>> on_path;
    for (const PathLeg& leg : window_.path) {
      const bool crosses = window_.states[leg.from].line != window_.states[leg.to].line;
      if (leg.whole && crosses) on_path.emplace_back(leg.from, leg.to);
    }
    std::sort(on_path.begin(), on_path.end());
    for (std::size_t to = 0; to < window_.states.size(); ++to) {
      if (window_.states[to].rank == 0) continue;
      for (const MessageIndex m : computation_.takes(window_.states[to].row)) {
        const auto from = state_of_.find(computation_.sent_by(m));
        if (from == state_of_.end()) continue;
        const std::pair ends(from->second, to);
        window_.messages.push_back(
            {ends.first, to, m, std::binary_search(on_path.begin(), on_path.end(), ends)});
      }
    }
  }

  const Computation& computation_;
  const ChosenEvents& choice_;
  Window window_;
  std::map<Row, std::size_t> state_of_;
};

}  // namespace

Window picture_window(const Computation& computation, std::span<const Row> path,
                      std::span<const Row> marked) {
  ChosenEvents choice(computation, causal_route(computation, path));
  choice.choose_path();
  choice.choose_marked(marked);
  if (path.empty() && marked.empty()) choice.choose_beginning();
  choice.choose_context();
  return Assembly(computation, choice).window(marked);
}

Window cut_window(const Computation& computation, std::span<const Rank> cut,
                  std::span<const Row> marked) {
  ChosenEvents choice(computation, {}, cut);
  choice.choose_marked(marked);
  choice.choose_frontier(cut);
  choice.choose_context();
  return Assembly(computation, choice).window(marked);
}

}  // namespace lightcone::cli
