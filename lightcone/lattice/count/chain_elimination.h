// Counts cuts by eliminating one chain after the other.
#pragma once

#include <lightcone/lattice/count/elimination_budget.h>
#include <lightcone/lattice/count/elimination_order.h>
#include <lightcone/lattice/count/position_graph.h>
#include <lightcone/lattice/count/stop_table.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lightcone {

// The number of consistent cuts is the sum, over all choices of one stop per variable, of the
// product of the stops' weights and of one factor per need: 1 if it is met, else 0. A variable v
// occurs only in factors about v and its neighbours. So the sum over v can be done first, for each
// choice of the neighbours' stops. Its results are a table about them: a new factor. Then v is
// gone, and its neighbours are neighbours of each other. After the last variable a number is left.
//
// Choices that no cut has are left out of tables: they add nothing to the result. A choice of some
// variables' stops is part of a cut iff each two of them are (the join of the least cuts with these
// stops is one). So given the stops of other variables, those of v are a range (`Bounds`). Hence a
// table has one entry per partial global state of its scope. Sums over a range of v are differences
// of sums from the first stop on, if v is in no table or in one.
template <class Number>
class ChainElimination {
 public:
  /// Steps are kept if states shall be drawn later.
  ChainElimination(const PositionGraph& graph, std::vector<std::vector<Number>> weights, bool keeps,
                   EliminationBudget& budget)
      : graph_(graph),
        weights_(std::move(weights)),
        tables_of_(graph.variables()),
        keeps_(keeps),
        budget_(budget) {}

  /// Sums over one variable. Returns false if the budget is spent.
  [[nodiscard]] bool eliminate(const EliminationOrder::Step& step) {
    Kept kept = take(step);
    if (step.scope.empty()) {
      constant_ *= total(kept);
    } else if (step.scope.size() == 1 && kept.tables.empty()) {
      multiply_into(step.scope[0], kept);
    } else if (!make_table(kept)) {
      return false;
    }
    if (keeps_) {
      kept_.push_back(std::move(kept));
    } else {
      for (const auto& table : kept.tables) held_ -= table.entries.size();
    }
    return !budget_.is_spent();
  }

  /// The product of the sums over variables without a neighbour.
  [[nodiscard]] const Number& constant() const { return constant_; }
  /// The weights of a variable's stops, with all that was eliminated into them.
  [[nodiscard]] const std::vector<Number>& weights(std::uint32_t variable) const {
    return weights_[variable];
  }

  /// Draws the stops of the variables that were eliminated, where those of the others are known: in
  /// proportion to how many cuts have them. `below(number)` draws a number below another. It must
  /// have been told to keep.
  template <class Below>
  void draw(std::vector<std::uint32_t>& stops, const Below& below) const {
    for (auto step = kept_.rbegin(); step != kept_.rend(); ++step) {
      std::uint32_t first = 0;
      std::uint32_t last = graph_.stops(step->variable) - 1;
      for (std::size_t i = 0; i < step->scope.size(); ++i) {
        const std::uint32_t x = stops[step->scope[i]];
        first = std::max(first, step->bounds[i].first[x]);
        last = std::min(last, step->bounds[i].last[x]);
      }
      stops[step->variable] = draw_one(*step, stops, first, last, below);
    }
  }

 private:
  /// All factors that a variable is in, when it is eliminated.
  struct Kept {
    std::uint32_t variable;
    std::vector<std::uint32_t> scope;
    std::vector<PositionGraph::Bounds> bounds;  // of the variable, by each one of the scope
    /// Sums of weights before each stop, and of all, where no table or one is about the variable.
    std::vector<Number> sums;
    std::vector<Number> weights;
    std::vector<StopTable<Number>> tables;  // a single one has sums up to each stop in its rows
  };

  [[nodiscard]] Kept take(const EliminationOrder::Step& step) {
    Kept kept;
    kept.variable = step.variable;
    kept.scope = step.scope;
    for (const std::uint32_t u : step.scope) kept.bounds.push_back(graph_.bounds(u, step.variable));
    kept.weights = std::move(weights_[step.variable]);
    for (const std::size_t t : tables_of_[step.variable]) {
      for (const std::uint32_t u : tables_[t].scope) {
        if (u != step.variable) std::erase(tables_of_[u], t);
      }
      kept.tables.push_back(std::move(tables_[t]));
    }
    if (kept.tables.empty()) {
      kept.sums.push_back(Number(0));
      for (const Number& weight : kept.weights) {
        kept.sums.push_back(kept.sums.back());
        kept.sums.back() += weight;
      }
    } else if (kept.tables.size() == 1) {
      sum_up_rows(kept.tables[0], kept.weights);
    }
    return kept;
  }
  static void sum_up_rows(StopTable<Number>& table, const std::vector<Number>& weights) {
    const StopTableIndex& index = table.index;
    for (std::size_t row = 0; row < index.rows(); ++row) {
      const std::size_t begin = index.row_begin(row);
      const std::size_t end =
          row + 1 < index.rows() ? index.row_begin(row + 1) : table.entries.size();
      for (std::size_t i = begin; i < end; ++i) {
        table.entries[i] *= weights[index.row_first(row) + (i - begin)];
        if (i > begin) table.entries[i] += table.entries[i - 1];
      }
    }
  }
  [[nodiscard]] static Number total(const Kept& kept) {
    if (kept.tables.empty()) return kept.sums.back();
    return Number(0);  // a table about one variable does not exist
  }

  /// The sum is a factor of its one neighbour's weights. Neighbouring stops often share it.
  void multiply_into(std::uint32_t neighbour, const Kept& kept) {
    auto& weights = weights_[neighbour];
    const auto& bounds = kept.bounds[0];
    Number sum(0);
    for (std::size_t x = 0; x < weights.size(); ++x) {
      if (x == 0 || bounds.first[x] != bounds.first[x - 1] ||
          bounds.last[x] != bounds.last[x - 1]) {
        sum = kept.sums[bounds.last[x] + 1];
        sum -= kept.sums[bounds.first[x]];
      }
      weights[x] *= sum;
    }
    (void)budget_.spend(weights.size(), held_);
  }

  /// Goes through all choices of the scope's stops, and writes one entry for each.
  class TableMaker {
   public:
    TableMaker(ChainElimination& elimination, const Kept& kept)
        : elimination_(elimination), kept_(kept), variables_(kept.scope.size()) {
      made_.scope = kept.scope;
      if (variables_ > 1) made_.index = StopTableIndex(variables_);
      nodes_.assign(variables_, 0);
      for (std::size_t i = 0; i < variables_; ++i) {
        for (std::size_t j = i + 1; j < variables_; ++j) {
          bounds_.push_back(elimination.graph_.bounds(kept.scope[i], kept.scope[j]));
        }
        bounds_.push_back(kept.bounds[i]);
      }
      for (const auto& table : kept.tables) find_levels(table);
      ranges_.assign((variables_ + 1) * (variables_ + 1), {});
      for (std::size_t j = 0; j < variables_; ++j) {
        range(0, j) = {0, elimination.graph_.stops(kept.scope[j]) - 1};
      }
      range(0, variables_) = {0, elimination.graph_.stops(kept.variable) - 1};
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
      return !is_last || elimination_.budget_.spend(std::size_t{mine.last} - mine.first + 1,
                                                    elimination_.held_ + made_.entries.size());
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

    ChainElimination& elimination_;
    const Kept& kept_;
    std::size_t variables_;
    std::vector<PositionGraph::Bounds> bounds_;
    std::vector<Descent> descents_;
    std::vector<Range> ranges_;       // of each variable, at each depth
    std::vector<std::size_t> nodes_;  // how many there are, of each level
    StopTable<Number> made_;
  };

  [[nodiscard]] bool make_table(const Kept& kept) {
    TableMaker maker(*this, kept);
    if (!maker.run()) return false;
    StopTable<Number>& made = maker.made();
    if (made.scope.size() == 1) {
      auto& weights = weights_[made.scope[0]];
      for (std::size_t x = 0; x < weights.size(); ++x) weights[x] *= made.entries[x];
      return true;
    }
    held_ += made.entries.size();
    for (const std::uint32_t u : made.scope) tables_of_[u].push_back(tables_.size());
    tables_.push_back(std::move(made));
    return true;
  }

  /// Draws a stop from `first` to `last` by sums up to each of them.
  template <class Below>
  [[nodiscard]] static std::uint32_t draw_one(const Kept& kept,
                                              const std::vector<std::uint32_t>& stops,
                                              std::uint32_t first, std::uint32_t last,
                                              const Below& below) {
    if (kept.tables.empty()) {
      return draw_by_sums(&kept.sums[first + 1], kept.sums[first], first, last, below);
    }
    std::vector<std::size_t> entries;  // of `first`, in each table
    for (const auto& table : kept.tables) {
      std::vector<std::uint32_t> choice;
      for (const std::uint32_t u : table.scope) {
        choice.push_back(u == kept.variable ? first : stops[u]);
      }
      entries.push_back(table.index.entry(choice));
    }
    if (kept.tables.size() == 1) {
      const auto& table = kept.tables[0];
      const bool begins_row = table.index.begins_row(entries[0]);
      return draw_by_sums(&table.entries[entries[0]],
                          begins_row ? Number(0) : table.entries[entries[0] - 1], first, last,
                          below);
    }
    std::vector<Number> sums;
    for (std::uint32_t v = first; v <= last; ++v) {
      Number product = kept.weights[v];
      for (std::size_t t = 0; t < entries.size(); ++t) {
        product *= kept.tables[t].entries[entries[t] + (v - first)];
      }
      if (v > first) product += sums.back();
      sums.push_back(std::move(product));
    }
    return draw_by_sums(sums.data(), Number(0), first, last, below);
  }
  /// `sums` has the sums up to each stop from `first` on, with `before` in all of them.
  template <class Below>
  [[nodiscard]] static std::uint32_t draw_by_sums(const Number* sums, const Number& before,
                                                  std::uint32_t first, std::uint32_t last,
                                                  const Below& below) {
    Number all = sums[last - first];
    all -= before;
    Number drawn = below(all);
    drawn += before;
    return first +
           static_cast<std::uint32_t>(std::upper_bound(sums, sums + (last - first), drawn) - sums);
  }

  const PositionGraph& graph_;
  std::vector<std::vector<Number>> weights_;         // of stops, of each variable
  std::vector<std::vector<std::size_t>> tables_of_;  // of each variable
  std::vector<StopTable<Number>> tables_;
  Number constant_{1};
  std::size_t held_ = 0;  // entries
  bool keeps_;
  EliminationBudget& budget_;
  std::vector<Kept> kept_;
};

}  // namespace lightcone
