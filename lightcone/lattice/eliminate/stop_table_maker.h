// Sums over one chain for each choice of the stops of those that it shares a factor with.
#pragma once

#include <lightcone/lattice/eliminate/chain_factors.h>
#include <lightcone/lattice/eliminate/elimination_budget.h>
#include <lightcone/lattice/eliminate/position_graph.h>
#include <lightcone/lattice/eliminate/stop_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lightcone {

/// Goes through all choices of the scope's stops, and writes one entry for each.
template <class Number>
class StopTableMaker {
 public:
  StopTableMaker(const PositionGraph& graph, const ChainFactors<Number>& kept, std::size_t held,
                 EliminationBudget& budget)
      : kept_(kept), variables_(kept.scope.size()), held_(held), budget_(budget) {
    made_.scope = kept.scope;
    if (variables_ > 1) made_.index = StopTableIndex(variables_);
    nodes_.assign(variables_, 0);
    for (std::size_t i = 0; i < variables_; ++i) {
      for (std::size_t j = i + 1; j < variables_; ++j) {
        bounds_.push_back(graph.bounds(kept.scope[i], kept.scope[j]));
      }
      bounds_.push_back(kept.bounds[i]);
    }
    for (const auto& table : kept.tables) find_levels(table);
    ranges_.assign((variables_ + 1) * (variables_ + 1), {});
    for (std::size_t j = 0; j < variables_; ++j) {
      range(0, j) = {0, graph.stops(kept.scope[j]) - 1};
    }
    range(0, variables_) = {0, graph.stops(kept.variable) - 1};
  }

  [[nodiscard]] bool run() { return choose(0); }
  [[nodiscard]] StopTable<Number>& made() { return made_; }

 private:
  struct Range {
    std::uint32_t first, last;
  };
  /// Which level of a factor's tree each variable of the scope is, and the nodes on the way down.
  struct Descent {
    const StopTable<Number>* table;
    std::vector<std::size_t> level;  // of each variable of the scope, or none
    std::vector<std::size_t> nodes;  // of each level
  };

  void find_levels(const StopTable<Number>& table) {
    Descent descent{&table, std::vector<std::size_t>(variables_, none),
                    std::vector<std::size_t>(table.scope.size(), 0)};
    for (std::size_t i = 0, level = 0; i < variables_; ++i) {
      if (level < table.scope.size() && table.scope[level] == kept_.scope[i]) {
        descent.level[i] = level++;
      }
    }
    descents_.push_back(std::move(descent));
  }
  [[nodiscard]] Range& range(std::size_t depth, std::size_t i) {
    return ranges_[depth * (variables_ + 1) + i];
  }
  /// What the i-th variable of the scope leaves of the j-th; the last one is the eliminated one.
  [[nodiscard]] const PositionGraph::Bounds& bounds(std::size_t i, std::size_t j) const {
    return bounds_[i * variables_ - i * (i - 1) / 2 + (j - i - 1)];
  }

  [[nodiscard]] bool choose(std::size_t i) {
    const Range mine = range(i, i);
    const bool is_last = i + 1 == variables_;
    for (std::uint32_t x = mine.first; x <= mine.last; ++x) {
      for (std::size_t j = i + 1; j <= variables_; ++j) {
        const auto& by = bounds(i, j);
        range(i + 1, j) = {std::max(range(i, j).first, by.first[x]),
                           std::min(range(i, j).last, by.last[x])};
      }
      descend(i, x);
      if (is_last) {
        made_.entries.push_back(sum(range(variables_, variables_)));
      } else {
        begin_children(i);
        if (!choose(i + 1)) return false;
      }
      ++nodes_[i];
    }
    return !is_last ||
           budget_.spend(std::size_t{mine.last} - mine.first + 1, held_ + made_.entries.size());
  }
  void begin_children(std::size_t i) {
    const std::size_t child = i + 2 == variables_ ? made_.entries.size() : nodes_[i + 1];
    made_.index.begin_children(i, child, range(i + 1, i + 1).first);
  }
  void descend(std::size_t i, std::uint32_t x) {
    for (Descent& descent : descents_) {
      const std::size_t level = descent.level[i];
      if (level == none) continue;
      descent.nodes[level] =
          level == 0 ? x : descent.table->index.child(level - 1, descent.nodes[level - 1], x);
    }
  }
  /// The entry of the eliminated variable's stop 0, as it would be; a row may begin after it.
  [[nodiscard]] static std::size_t entry(const Descent& descent, std::uint32_t stop) {
    const std::size_t level = descent.nodes.size() - 2;
    return descent.table->index.child(level, descent.nodes[level], stop);
  }
  [[nodiscard]] Number sum(Range of) const {
    if (descents_.empty()) {
      Number result = kept_.sums[of.last + 1];
      result -= kept_.sums[of.first];
      return result;
    }
    if (descents_.size() == 1) return difference(descents_[0], of);
    Number result(0);
    for (std::uint32_t v = of.first; v <= of.last; ++v) {
      Number product = kept_.weights[v];
      for (const Descent& descent : descents_) {
        product *= descent.table->entries[entry(descent, v)];
      }
      result += product;
    }
    return result;
  }
  [[nodiscard]] static Number difference(const Descent& descent, Range of) {
    Number result = descent.table->entries[entry(descent, of.last)];
    const std::size_t row = descent.nodes[descent.nodes.size() - 2];
    if (of.first > descent.table->index.row_first(row)) {
      result -= descent.table->entries[entry(descent, of.first - 1)];
    }
    return result;
  }

  const ChainFactors<Number>& kept_;
  std::size_t variables_;
  std::size_t held_;  // entries of other tables
  EliminationBudget& budget_;
  std::vector<PositionGraph::Bounds> bounds_;
  std::vector<Descent> descents_;
  std::vector<Range> ranges_;       // of each variable, at each depth
  std::vector<std::size_t> nodes_;  // how many there are, of each level
  StopTable<Number> made_;
};

}  // namespace lightcone
