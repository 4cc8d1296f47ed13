// Lists the cuts of a small lattice, and finds for each the cuts one event later.
#include "draw/lattice/lattice_graph.h"

#include <fmt/format.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/visit/enumeration.h>

#include <algorithm>

#include "print/wording.h"

namespace lightcone::cli {
namespace {

/// What counting may take only to say how many states are too many.
constexpr Limits counting{.states = 10'000'000, .seconds = 1};

[[nodiscard]] Error too_many(const Futures& futures, std::size_t most) {
  const Count count = count_cuts(futures, all_of(futures.level()), counting);
  return {fmt::format("the lattice has {}{} global states: too many for a picture of at most {}",
                      count.exact ? "" : "more than ", short_number(count.decimal), most),
          {},
          0,
          "--relevant ATOM and --of PROCESSES keep fewer events"};
}

void add_edges(const Level& level, std::size_t row, LatticeGraph& graph) {
  const auto next = graph.cuts.begin() + graph.row_begin[row + 1];
  const auto end = graph.cuts.begin() + graph.row_begin[row + 2];
  for (std::uint32_t from = graph.row_begin[row]; from < graph.row_begin[row + 1]; ++from) {
    for (std::uint32_t chain = 0; chain < level.chains(); ++chain) {
      if (!can_advance(level, graph.cuts[from], chain)) continue;
      Cut after = graph.cuts[from];
      ++after[chain];
      const auto to = std::lower_bound(next, end, after) - graph.cuts.begin();
      graph.edges.push_back({from, static_cast<std::uint32_t>(to), chain});
    }
  }
}

}  // namespace

std::size_t LatticeGraph::inevitable() const {
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows(); ++row) count += is_inevitable(row);
  return count;
}

Expected<LatticeGraph> lattice_graph(const Futures& futures, std::size_t most) {
  const Level& level = futures.level();
  LatticeGraph graph;
  const bool all = for_each_cut(futures, all_of(level), [&](std::span<const Rank> cut) {
    if (graph.cuts.size() == most) return false;
    graph.cuts.emplace_back(cut.begin(), cut.end());
    return true;
  });
  if (!all) return failure(too_many(futures, most));
  std::ranges::stable_sort(graph.cuts, {}, [](const Cut& cut) { return size_of(cut); });
  for (std::uint32_t i = 0; i < graph.cuts.size(); ++i) {
    if (i == 0 || size_of(graph.cuts[i]) != size_of(graph.cuts[i - 1]))
      graph.row_begin.push_back(i);
  }
  graph.row_begin.push_back(static_cast<std::uint32_t>(graph.cuts.size()));
  for (std::size_t row = 0; row + 1 < graph.rows(); ++row) add_edges(level, row, graph);
  return graph;
}

}  // namespace lightcone::cli
