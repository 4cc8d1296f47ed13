// Depth among the drawn states, found along a linear extension, forward and then backward.
#include "draw/causal_columns.h"

#include <algorithm>

namespace lightcone::cli {
namespace {

class ColumnFinder {
 public:
  ColumnFinder(const Computation& computation, const std::vector<Part>& parts,
               const std::vector<bool>& fixed)
      : computation_(computation), parts_(parts), fixed_(fixed) {}

  [[nodiscard]] CausalColumns find() {
    if (std::find(parts_.begin(), parts_.end(), Part::end) != parts_.end()) find_gap();
    push_right(false);
    pull_right(none);
    return without_empty_columns();
  }

  [[nodiscard]] CausalColumns find_beside_cut() {
    find_gap();
    push_right(false);
    pull_right(gap_);
    return without_empty_columns();
  }

 private:
  void find_gap() {
    push_right(true);
    gap_ = depth_.empty() ? 0 : *std::max_element(depth_.begin(), depth_.end());
  }

  [[nodiscard]] bool drawn(Row row) const { return parts_[row] != Part::hidden; }

  template <class Function>
  void for_each_cause(EventIndex e, Function function) const {
    function(computation_.rank_of(e) > 1 ? e - 1
                                         : computation_.initial_row(computation_.process_of(e)));
    for (const MessageIndex m : computation_.takes(e)) function(computation_.sent_by(m));
  }

  /// The depth of a drawn row counts from 1; a hidden one hands on that of its causes.
  void push_right(bool beginning_only) {
    depth_.assign(computation_.row_count(), 0);
    led_to_ = fixed_;
    const auto place = [&](Row row) {
      if (!drawn(row) || (beginning_only && parts_[row] == Part::end)) return;
      ++depth_[row];
      if (parts_[row] == Part::end) depth_[row] = std::max(depth_[row], gap_ + 1);
    };
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      place(computation_.initial_row(p));
    }
    for (const EventIndex e : computation_.order()) {
      for_each_cause(e, [&](Row cause) {
        depth_[e] = std::max(depth_[e], depth_[cause]);
        if (led_to_[cause]) led_to_[e] = true;
      });
      place(e);
    }
  }

  /// Rows that nothing holds at the left move beside their first effect. What is moved only moves
  /// right and stays left of its effects, so that the order is kept. Nothing of them moves farther
  /// than `farthest`, which is where those without an effect go.
  void pull_right(std::uint32_t farthest) {
    std::vector<std::uint32_t> latest(computation_.row_count(), farthest);
    const auto settle = [&](Row row) {
      if (drawn(row) && !led_to_[row] && latest[row] != none) depth_[row] = latest[row];
    };
    const auto order = computation_.order();
    for (auto e = order.rbegin(); e != order.rend(); ++e) {
      settle(*e);
      const std::uint32_t bound = drawn(*e) ? depth_[*e] - 1 : latest[*e];
      for_each_cause(*e, [&](Row cause) { latest[cause] = std::min(latest[cause], bound); });
    }
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      settle(computation_.initial_row(p));
    }
  }

  [[nodiscard]] CausalColumns without_empty_columns() const {
    std::vector<std::uint32_t> used;
    for (Row row = 0; row < parts_.size(); ++row) {
      if (drawn(row)) used.push_back(depth_[row]);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const auto rank = [&](std::uint32_t depth) {
      return static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), depth) -
                                        used.begin());
    };
    CausalColumns columns{std::vector<std::uint32_t>(parts_.size(), 0),
                          static_cast<std::uint32_t>(used.size()), rank(gap_ + 1)};
    for (Row row = 0; row < parts_.size(); ++row) {
      if (drawn(row)) columns.of_row[row] = rank(depth_[row]);
    }
    return columns;
  }

  const Computation& computation_;
  const std::vector<Part>& parts_;
  const std::vector<bool>& fixed_;
  std::vector<std::uint32_t> depth_;
  std::vector<bool> led_to_;  // rows that a fixed one is or leads to
  std::uint32_t gap_ = 0;     // the depth of the last row left of the gap
};

}  // namespace

CausalColumns columns_beside_cut(const Computation& computation, const std::vector<Part>& parts) {
  std::vector<bool> outside(parts.size());
  std::transform(parts.begin(), parts.end(), outside.begin(),
                 [](Part part) { return part == Part::end; });
  return ColumnFinder(computation, parts, outside).find_beside_cut();
}

CausalColumns causal_columns(const Computation& computation, const std::vector<Part>& parts,
                             const std::vector<bool>& fixed) {
  return ColumnFinder(computation, parts, fixed).find();
}

}  // namespace lightcone::cli
