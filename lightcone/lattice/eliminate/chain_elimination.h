// Counts cuts by eliminating one chain after the other.
#pragma once

#include <lightcone/lattice/eliminate/chain_factors.h>
#include <lightcone/lattice/eliminate/elimination_budget.h>
#include <lightcone/lattice/eliminate/elimination_order.h>
#include <lightcone/lattice/eliminate/position_graph.h>
#include <lightcone/lattice/eliminate/stop_table.h>
#include <lightcone/lattice/eliminate/stop_table_maker.h>

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
  [[nodiscard]] bool eliminate(const EliminationOrder::ChainStep& step) {
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
      stops[step->variable] = step->draw(stops, below);
    }
  }

 private:
  using Kept = ChainFactors<Number>;

  [[nodiscard]] Kept take(const EliminationOrder::ChainStep& step) {
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

  [[nodiscard]] bool make_table(const Kept& kept) {
    StopTableMaker<Number> maker(graph_, kept, held_, budget_);
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
