// Counts cuts by eliminating one event after the other, along the time of a computation.
#pragma once

#include <lightcone/lattice/eliminate/elimination_budget.h>
#include <lightcone/lattice/eliminate/event_order.h>
#include <lightcone/lattice/eliminate/position_graph.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace lightcone {

// A cut contains an event or not: one variable of two values per event that begins a stop. An event
// shares factors only with the events before and after it in its chain and with its direct causes
// and effects. Events are opened in some order. When all that an event shares a factor with is
// open, it is closed: the sum over its two values is taken. The table has one entry per set of open
// events that some cut contains: a set that has, with an event, all open events before it. The
// entry sums over all sets of closed events that go with it. So the cost depends on how many events
// are open at a time, not on how long the chains are. Where all chains talk to all others, but
// messages do not take long, few events are open, and chains cannot be eliminated well.
//
// A stop's weight is a factor of the event that begins it and of the event that ends it: it counts
// if the first is in and the second is not.
template <class Number>
class EventElimination {
 public:
  /// Counts over the variables that take part; the others' weights are in theirs.
  EventElimination(const PositionGraph& graph, const std::vector<bool>& takes_part, bool keeps,
                   EliminationBudget& budget)
      : graph_(graph), steps_(event_order(graph, takes_part)), keeps_(keeps), budget_(budget) {
    opened_.resize(graph.variables());
    for (std::uint32_t v = 0; v < graph.variables(); ++v) opened_[v].resize(graph.stops(v), none);
    open_of_.resize(graph.variables(), 0);
  }

  /// Returns whether all of it was done within the budget. `weights(variable)` has those of stops.
  template <class Weights>
  [[nodiscard]] bool run(const Weights& weights) {
    table_.keys = {0};
    table_.numbers.assign(1, Number(1));
    for (const EventStep& step : steps_) {
      const StopEvent e = step.event;
      const bool done = step.opens ? open(e, weights(e.variable)) : close(e);
      if (!done) return false;
    }
    return true;
  }
  [[nodiscard]] const Number& result() const { return table_.numbers[0]; }
  /// The most variables that one table was about.
  [[nodiscard]] std::uint32_t width() const { return width_; }

  /// Draws the stops of the variables that take part, in proportion to how many cuts have them.
  template <class Below>
  void draw(std::vector<std::uint32_t>& stops, const Below& below) const {
    std::uint64_t key = 0;
    std::size_t closed = kept_.size();
    std::size_t opened = slots_.size();
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (!step->opens) {
        const Closed& kept = kept_[--closed];
        if (draws_in(kept, key, below)) key |= kept.bit;
        continue;
      }
      const std::uint64_t bit = slots_[--opened];
      if ((key & bit) == 0) continue;
      stops[step->event.variable] = std::max(stops[step->event.variable], step->event.stop);
      key &= ~bit;
    }
  }

 private:
  static constexpr std::uint32_t none_open = 64;
  /// Sorted by key; a key has one bit per open event.
  struct Table {
    std::vector<std::uint64_t> keys;
    std::vector<Number> numbers;

    void clear() {
      keys.clear();
      numbers.clear();
    }
    void add(std::uint64_t key, Number number) {
      keys.push_back(key);
      numbers.push_back(std::move(number));
    }
  };
  /// The table before an event was closed.
  struct Closed {
    std::uint64_t bit;
    Table before;
  };
  /// What opening an event does to entries: which it is in or out of, and with what factor.
  struct Opening {
    std::uint64_t bit;
    std::uint64_t causes = 0, effects = 0;  // that are open
    std::uint64_t out_if = 0, in_unless = 0;
    const Number* out_factor = nullptr;  // if all of `out_if` are in
    const Number* in_factor = nullptr;   // if none of `in_unless` is
  };

  [[nodiscard]] bool open(StopEvent e, const std::vector<Number>& weights) {
    const auto slot = static_cast<std::uint32_t>(std::countr_one(used_));
    if (slot >= none_open) return false;
    Opening opening{.bit = std::uint64_t{1} << slot};
    find_order(e, opening);
    auto& opened = opened_[e.variable];
    if (e.stop == 1 || opened[e.stop - 1] != none) {
      opening.out_if = e.stop == 1 ? 0 : std::uint64_t{1} << opened[e.stop - 1];
      opening.out_factor = &weights[e.stop - 1];
    }
    const bool is_last = e.stop + 1 == opened.size();
    if (is_last || opened[e.stop + 1] != none) {
      opening.in_unless = is_last ? 0 : std::uint64_t{1} << opened[e.stop + 1];
      opening.in_factor = &weights[e.stop];
    }
    used_ |= opening.bit;
    opened[e.stop] = slot;
    open_.push_back({e, slot});
    if (open_of_[e.variable]++ == 0) ++variables_open_;
    if (keeps_) slots_.push_back(opening.bit);
    insert(opening);
    return budget_.spend(table_.keys.size(), held_ + 2 * table_.keys.size());
  }
  void find_order(StopEvent e, Opening& opening) const {
    for (const Open& other : open_) {
      const StopEvent f = other.event;
      const std::uint64_t bit = std::uint64_t{1} << other.slot;
      if (graph_.precedes(f.variable, f.stop, e.variable, e.stop)) opening.causes |= bit;
      if (graph_.precedes(e.variable, e.stop, f.variable, f.stop)) opening.effects |= bit;
    }
  }
  /// Both lists, of entries without the event and with it, are sorted: they are merged.
  void insert(const Opening& opening) {
    next_.clear();
    const auto& keys = table_.keys;
    std::size_t out = 0;
    std::size_t in = 0;
    const auto skip = [&] {
      while (out < keys.size() && (keys[out] & opening.effects) != 0) ++out;
      while (in < keys.size() && (keys[in] & opening.causes) != opening.causes) ++in;
    };
    for (skip(); out < keys.size() || in < keys.size(); skip()) {
      if (in == keys.size() || (out < keys.size() && keys[out] < (keys[in] | opening.bit))) {
        Number number = table_.numbers[out];
        if (opening.out_factor != nullptr && (keys[out] & opening.out_if) == opening.out_if) {
          number *= *opening.out_factor;
        }
        next_.add(keys[out++], std::move(number));
      } else {
        Number number = table_.numbers[in];
        if (opening.in_factor != nullptr && (keys[in] & opening.in_unless) == 0) {
          number *= *opening.in_factor;
        }
        next_.add(keys[in++] | opening.bit, std::move(number));
      }
    }
    std::swap(table_, next_);
  }

  [[nodiscard]] bool close(StopEvent e) {
    const std::uint32_t slot = opened_[e.variable][e.stop];
    const std::uint64_t bit = std::uint64_t{1} << slot;
    if (keeps_) {
      held_ += table_.keys.size();
      kept_.push_back({bit, table_});
    }
    sum_over(bit);
    used_ &= ~bit;
    std::erase_if(open_, [&](const Open& other) { return other.slot == slot; });
    if (--open_of_[e.variable] == 0) --variables_open_;
    width_ = std::max(width_, variables_open_);
    return budget_.spend(table_.keys.size(), held_ + 2 * table_.keys.size());
  }
  /// The entries without a bit are sorted, and so are those with it once it is gone.
  void sum_over(std::uint64_t bit) {
    next_.clear();
    auto& keys = table_.keys;
    auto& numbers = table_.numbers;
    std::size_t out = 0;
    std::size_t in = 0;
    const auto skip = [&] {
      while (out < keys.size() && (keys[out] & bit) != 0) ++out;
      while (in < keys.size() && (keys[in] & bit) == 0) ++in;
    };
    for (skip(); out < keys.size() || in < keys.size(); skip()) {
      const std::uint64_t with = in < keys.size() ? keys[in] & ~bit : UINT64_MAX;
      if (out < keys.size() && keys[out] <= with) {
        const std::uint64_t key = keys[out];
        next_.add(key, std::move(numbers[out++]));
        if (in < keys.size() && key == with) next_.numbers.back() += numbers[in++];
      } else {
        next_.add(with, std::move(numbers[in++]));
      }
    }
    std::swap(table_, next_);
  }

  /// Which of two entries a drawn one came from: that with the event in it, or that without.
  template <class Below>
  [[nodiscard]] static bool draws_in(const Closed& closed, std::uint64_t key, const Below& below) {
    const Number* out = find(closed.before, key);
    const Number* in = find(closed.before, key | closed.bit);
    if (out == nullptr || in == nullptr) return in != nullptr;
    Number both = *out;
    both += *in;
    return below(both) < *in;
  }
  [[nodiscard]] static const Number* find(const Table& table, std::uint64_t key) {
    const auto at = std::lower_bound(table.keys.begin(), table.keys.end(), key);
    if (at == table.keys.end() || *at != key) return nullptr;
    return &table.numbers[static_cast<std::size_t>(at - table.keys.begin())];
  }

  struct Open {
    StopEvent event;
    std::uint32_t slot;
  };
  const PositionGraph& graph_;
  std::vector<EventStep> steps_;
  bool keeps_;
  EliminationBudget& budget_;
  Table table_, next_;
  std::uint64_t used_ = 0;                          // slots
  std::vector<Open> open_;                          // events
  std::vector<std::vector<std::uint32_t>> opened_;  // the slot of each event, or none
  std::vector<std::uint32_t> open_of_;              // open events of each variable
  std::uint32_t variables_open_ = 0, width_ = 0;
  std::size_t held_ = 0;
  std::vector<std::uint64_t> slots_;  // of events as they were opened, if kept
  std::vector<Closed> kept_;
};

}  // namespace lightcone
