// The factors of a sum that one chain is in, when it is eliminated.
#pragma once

#include <lightcone/lattice/eliminate/position_graph.h>
#include <lightcone/lattice/eliminate/stop_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lightcone {

/// All factors that a variable is in, when it is eliminated.
template <class Number>
struct ChainFactors {
  std::uint32_t variable;
  std::vector<std::uint32_t> scope;
  std::vector<PositionGraph::Bounds> bounds;  // of the variable, by each one of the scope
  /// Sums of weights before each stop, and of all, where no table or one is about the variable.
  std::vector<Number> sums;
  std::vector<Number> weights;
  std::vector<StopTable<Number>> tables;  // a single one has sums up to each stop in its rows

  /// Draws a stop of the variable where those of the scope are known, in proportion to how many
  /// cuts have it. `below(number)` draws a number below another.
  template <class Below>
  [[nodiscard]] std::uint32_t draw(const std::vector<std::uint32_t>& stops,
                                   const Below& below) const {
    std::uint32_t first = 0;
    std::uint32_t last = static_cast<std::uint32_t>(weights.size()) - 1;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      first = std::max(first, bounds[i].first[stops[scope[i]]]);
      last = std::min(last, bounds[i].last[stops[scope[i]]]);
    }
    if (tables.empty()) {
      return draw_by_sums(&sums[first + 1], sums[first], first, last, below);
    }
    std::vector<std::size_t> entries;  // of `first`, in each table
    for (const auto& table : tables) {
      std::vector<std::uint32_t> choice;
      for (const std::uint32_t u : table.scope) {
        choice.push_back(u == variable ? first : stops[u]);
      }
      entries.push_back(table.index.entry(choice));
    }
    if (tables.size() == 1) {
      const auto& table = tables[0];
      const bool begins_row = table.index.begins_row(entries[0]);
      return draw_by_sums(&table.entries[entries[0]],
                          begins_row ? Number(0) : table.entries[entries[0] - 1], first, last,
                          below);
    }
    std::vector<Number> up_to;
    for (std::uint32_t v = first; v <= last; ++v) {
      Number product = weights[v];
      for (std::size_t t = 0; t < entries.size(); ++t) {
        product *= tables[t].entries[entries[t] + (v - first)];
      }
      if (v > first) product += up_to.back();
      up_to.push_back(std::move(product));
    }
    return draw_by_sums(up_to.data(), Number(0), first, last, below);
  }
  /// `up_to` has the sums up to each stop from `first` on, with `before` in all of them.
  template <class Below>
  [[nodiscard]] static std::uint32_t draw_by_sums(const Number* up_to, const Number& before,
                                                  std::uint32_t first, std::uint32_t last,
                                                  const Below& below) {
    Number all = up_to[last - first];
    all -= before;
    Number drawn = below(all);
    drawn += before;
    return first + static_cast<std::uint32_t>(
                       std::upper_bound(up_to, up_to + (last - first), drawn) - up_to);
  }
};

}  // namespace lightcone
