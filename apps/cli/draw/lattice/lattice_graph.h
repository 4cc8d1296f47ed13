// A small lattice of global states as a graph: all states, and which event leads from which to
// which.
#pragma once

#include <lightcone/error.h>
#include <lightcone/lattice/order/futures.h>

#include <cstdint>
#include <vector>

namespace lightcone::cli {

/// How many global states a picture has room for.
inline constexpr std::size_t most_states_drawn = 500;

/// The consistent cuts of a level in rows, by the number of events below them.
struct LatticeGraph {
  /// The next event of a chain leads from one cut to another; both by index.
  struct Edge {
    std::uint32_t from = 0, to = 0;
    std::uint32_t chain = 0;
  };

  std::vector<Cut> cuts;                 ///< by row, in lexical order in each
  std::vector<std::uint32_t> row_begin;  ///< of each row, and the end of the last
  std::vector<Edge> edges;

  [[nodiscard]] std::size_t rows() const { return row_begin.size() - 1; }
  [[nodiscard]] std::uint32_t row_size(std::size_t row) const {
    return row_begin[row + 1] - row_begin[row];
  }
  /// Every observation passes through one cut of each row: where there is only one, through that.
  [[nodiscard]] bool is_inevitable(std::size_t row) const { return row_size(row) == 1; }
  /// The number of inevitable cuts.
  [[nodiscard]] std::size_t inevitable() const;
};

/// The whole lattice of a level that is no slice; an error where it has more cuts than can be
/// drawn.
[[nodiscard]] Expected<LatticeGraph> lattice_graph(const Futures& futures,
                                                   std::size_t most = most_states_drawn);

}  // namespace lightcone::cli
