// A table about some variables: one number for each choice of stops that some cut has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Where the entries are. Variables of the scope are chosen one after the other. Given those before
/// it, the stops that a variable can have are a range. So a choice of stops is a path down a tree
/// whose levels stand in arrays, and the entries for the last variable stand in a row.
class StopTableIndex {
 public:
  StopTableIndex() = default;
  explicit StopTableIndex(std::size_t variables) : levels_(variables - 1) {}

  /// Adds the children of the next node of a level: they begin at stop `first`.
  void begin_children(std::size_t level, std::size_t child, std::uint32_t first) {
    levels_[level].push_back({child, first});
  }
  /// The node of a child, where the node of its parent and its stop are known.
  [[nodiscard]] std::size_t child(std::size_t level, std::size_t node, std::uint32_t stop) const {
    const Children& children = levels_[level][node];
    return children.begin + (stop - children.first);
  }
  /// The nodes of the level before the last: their children are entries in a row.
  [[nodiscard]] std::size_t rows() const { return levels_.back().size(); }
  [[nodiscard]] std::size_t row_begin(std::size_t row) const { return levels_.back()[row].begin; }
  [[nodiscard]] std::uint32_t row_first(std::size_t row) const { return levels_.back()[row].first; }

  [[nodiscard]] bool begins_row(std::size_t entry) const {
    const auto row = std::lower_bound(
        levels_.back().begin(), levels_.back().end(), entry,
        [](const Children& children, std::size_t at) { return children.begin < at; });
    return row != levels_.back().end() && row->begin == entry;
  }

  /// The entry of a choice of stops, one per variable.
  [[nodiscard]] std::size_t entry(std::span<const std::uint32_t> stops) const {
    std::size_t node = stops[0];
    for (std::size_t i = 0; i < levels_.size(); ++i) node = child(i, node, stops[i + 1]);
    return node;
  }

 private:
  struct Children {
    std::size_t begin;
    std::uint32_t first;
  };
  std::vector<std::vector<Children>> levels_;
};

/// A table about two or more variables, the first to be eliminated last.
template <class Number>
struct StopTable {
  std::vector<std::uint32_t> scope;
  StopTableIndex index;
  std::vector<Number> entries;
};

}  // namespace lightcone
