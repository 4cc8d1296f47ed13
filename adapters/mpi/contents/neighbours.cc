// Neighbours on grids and graphs, from what is known of a communicator.
#include "contents/neighbours.h"

#include <algorithm>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

/// Before and behind the process, dimension by dimension. The last dimension varies fastest.
[[nodiscard]] std::vector<int> on_grid(const Topology& topology, int rank) {
  const std::vector<int>& sizes = topology.list(0);
  const std::vector<int>& periods = topology.list(1);
  std::vector<int> neighbours(2 * sizes.size(), MPI_PROC_NULL);
  int stride = 1;
  for (std::size_t d = std::min(sizes.size(), periods.size()); d-- > 0;) {
    const int place = rank / stride % sizes[d];
    for (const int step : {-1, 1}) {
      int to = place + step;
      if (periods[d] != 0) to = (to + sizes[d]) % sizes[d];
      if (to < 0 || to >= sizes[d]) continue;
      neighbours[2 * d + (step > 0 ? 1 : 0)] = rank + (to - place) * stride;
    }
    stride *= sizes[d];
  }
  return neighbours;
}

[[nodiscard]] std::vector<int> on_graph(const Topology& topology, int rank) {
  const std::vector<int>& ends = topology.list(0);
  const std::vector<int>& to = topology.list(1);
  const auto own = static_cast<std::size_t>(rank);
  if (own >= ends.size()) return {};
  const int begin = own == 0 ? 0 : ends[own - 1];
  if (begin < 0 || ends[own] < begin || static_cast<std::size_t>(ends[own]) > to.size()) return {};
  return {to.begin() + begin, to.begin() + ends[own]};
}

}  // namespace

Neighbours Neighbours::of(const CommunicatorFacts& facts) {
  const Topology& topology = facts.topology;
  switch (topology.kind) {
    case Topology::Kind::none: break;
    case Topology::Kind::grid: {
      const auto both = on_grid(topology, facts.rank);
      return {both, both};
    }
    case Topology::Kind::graph: {
      const auto both = on_graph(topology, facts.rank);
      return {both, both};
    }
    case Topology::Kind::neighbours: return {topology.list(0), topology.list(2)};
  }
  return {};
}

std::vector<int> others_among(const std::vector<int>& neighbours, const CommunicatorFacts& facts) {
  std::vector<int> others;
  for (const int rank : neighbours) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= facts.members.size()) continue;
    if (rank != facts.rank) others.push_back(facts.members[static_cast<std::size_t>(rank)]);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

std::vector<Buffer> blocks_of(const std::vector<int>& neighbours, std::span<const Buffer> buffers) {
  std::vector<Buffer> blocks(buffers.begin(), buffers.end());
  if (blocks.size() == 1 && neighbours.size() > 1) {
    const Buffer whole = blocks.front();
    MPI_Aint lower = 0, extent = 0;
    LIGHTCONE_REAL(Type_get_extent)(whole.type, &lower, &extent);
    const auto count = whole.count / static_cast<MPI_Count>(neighbours.size());
    blocks.clear();
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const auto offset = static_cast<MPI_Aint>(i) * static_cast<MPI_Aint>(count) * extent;
      blocks.push_back({static_cast<char*>(whole.at) + offset, count, whole.type});
    }
  }
  std::vector<Buffer> there;
  for (std::size_t i = 0; i < blocks.size() && i < neighbours.size(); ++i) {
    if (neighbours[i] != MPI_PROC_NULL) there.push_back(blocks[i]);
  }
  return there;
}

}  // namespace lightcone::mpi
