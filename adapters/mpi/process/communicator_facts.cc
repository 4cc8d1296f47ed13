// Asks the MPI what a communicator is like, and writes it down.
#include "process/communicator_facts.h"

#include <lightcone/base/wire.h>

#include <algorithm>
#include <numeric>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

constexpr std::uint64_t null_flag = 1, inter_flag = 2, topology_factor = 4;

[[nodiscard]] Topology grid_of(MPI_Comm handle) {
  int count = 0;
  LIGHTCONE_REAL(Cartdim_get)(handle, &count);
  std::vector<int> sizes(static_cast<std::size_t>(count)), periods(sizes.size()),
      place(sizes.size());
  LIGHTCONE_REAL(Cart_get)(handle, count, sizes.data(), periods.data(), place.data());
  return {Topology::Kind::grid, {sizes, periods}};
}

[[nodiscard]] Topology graph_of(MPI_Comm handle) {
  int nodes = 0, edges = 0;
  LIGHTCONE_REAL(Graphdims_get)(handle, &nodes, &edges);
  std::vector<int> ends(static_cast<std::size_t>(nodes)), to(static_cast<std::size_t>(edges));
  LIGHTCONE_REAL(Graph_get)(handle, nodes, edges, ends.data(), to.data());
  return {Topology::Kind::graph, {ends, to}};
}

[[nodiscard]] Topology neighbours_of(MPI_Comm handle) {
  int in = 0, out = 0, is_weighted = 0;
  LIGHTCONE_REAL(Dist_graph_neighbors_count)(handle, &in, &out, &is_weighted);
  std::vector<int> sources(static_cast<std::size_t>(in)), source_weights(sources.size()),
      destinations(static_cast<std::size_t>(out)), destination_weights(destinations.size());
  LIGHTCONE_REAL(Dist_graph_neighbors)
  (handle, in, sources.data(), is_weighted != 0 ? source_weights.data() : unweighted(), out,
   destinations.data(), is_weighted != 0 ? destination_weights.data() : unweighted());
  if (is_weighted == 0) {
    source_weights.clear();
    destination_weights.clear();
  }
  return {Topology::Kind::neighbours, {sources, source_weights, destinations, destination_weights}};
}

[[nodiscard]] Topology topology_of(MPI_Comm handle) {
  int kind = MPI_UNDEFINED;
  LIGHTCONE_REAL(Topo_test)(handle, &kind);
  if (kind == MPI_CART) return grid_of(handle);
  if (kind == MPI_GRAPH) return graph_of(handle);
  if (kind == MPI_DIST_GRAPH) return neighbours_of(handle);
  return {};
}

[[nodiscard]] std::vector<int> members_of(MPI_Comm handle, bool of_others, MPI_Group world) {
  MPI_Group group = MPI_GROUP_NULL;
  if (of_others) {
    LIGHTCONE_REAL(Comm_remote_group)(handle, &group);
  } else {
    LIGHTCONE_REAL(Comm_group)(handle, &group);
  }
  std::vector<int> members = world_ranks(group, world);
  LIGHTCONE_REAL(Group_free)(&group);
  return members;
}

void put_list(WireWriter& wire, const std::vector<int>& list) {
  wire.number(list.size());
  for (const int value : list) {
    wire.number(zigzag(static_cast<std::uint64_t>(std::int64_t{value})));
  }
}

[[nodiscard]] std::vector<int> get_list(WireReader& wire) {
  std::vector<int> list;
  const std::uint64_t count = wire.number();
  if (count > wire.left()) wire.fail();
  for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
    const auto value = static_cast<std::int64_t>(unzigzag(wire.number()));
    if (value < INT32_MIN || value > INT32_MAX) wire.fail();
    list.push_back(static_cast<int>(value));
  }
  return list;
}

}  // namespace

std::vector<int> world_ranks(MPI_Group group, MPI_Group world) {
  int size = 0;
  LIGHTCONE_REAL(Group_size)(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size)), in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  LIGHTCONE_REAL(Group_translate_ranks)(group, size, ranks.data(), world, in_world.data());
  return in_world;
}

CommunicatorFacts CommunicatorFacts::of(MPI_Comm handle, MPI_Group world) {
  CommunicatorFacts facts;
  facts.is_null = handle == MPI_COMM_NULL;
  if (facts.is_null) return facts;
  int is_inter = 0;
  LIGHTCONE_REAL(Comm_test_inter)(handle, &is_inter);
  LIGHTCONE_REAL(Comm_rank)(handle, &facts.rank);
  facts.is_inter = is_inter != 0;
  facts.members = members_of(handle, false, world);
  if (facts.is_inter) {
    facts.others = members_of(handle, true, world);
  } else {
    facts.topology = topology_of(handle);
  }
  return facts;
}

int CommunicatorFacts::sources() const {
  const auto own = static_cast<std::size_t>(rank);
  const std::vector<int>& first = topology.list(0);
  switch (topology.kind) {
    case Topology::Kind::none: return 0;
    case Topology::Kind::grid: return 2 * static_cast<int>(first.size());
    case Topology::Kind::graph:
      return own >= first.size() ? 0 : first[own] - (own == 0 ? 0 : first[own - 1]);
    case Topology::Kind::neighbours: return static_cast<int>(first.size());
  }
  return 0;
}

std::string CommunicatorFacts::bytes() const {
  WireWriter wire;
  wire.number((is_null ? null_flag : 0) + (is_inter ? inter_flag : 0) +
              topology_factor * static_cast<std::uint64_t>(topology.kind));
  if (is_null) return std::move(wire.bytes());
  wire.number(static_cast<std::uint64_t>(rank));
  put_list(wire, members);
  put_list(wire, others);
  wire.number(topology.lists.size());
  for (const auto& list : topology.lists) put_list(wire, list);
  return std::move(wire.bytes());
}

std::optional<CommunicatorFacts> CommunicatorFacts::read(std::string_view bytes) {
  WireReader wire(bytes);
  CommunicatorFacts facts;
  const std::uint64_t flags = wire.number();
  facts.is_null = (flags & null_flag) != 0;
  facts.is_inter = (flags & inter_flag) != 0;
  const std::uint64_t kind = flags / topology_factor;
  if (kind > static_cast<std::uint64_t>(Topology::Kind::neighbours)) return std::nullopt;
  facts.topology.kind = static_cast<Topology::Kind>(kind);
  if (facts.is_null) return wire.failed() ? std::nullopt : std::optional(facts);
  facts.rank = static_cast<int>(wire.number());
  facts.members = get_list(wire);
  facts.others = get_list(wire);
  const std::uint64_t lists = wire.number();
  for (std::uint64_t i = 0; i < lists && i < 4; ++i) facts.topology.lists.push_back(get_list(wire));
  const bool fits = facts.rank >= 0 && static_cast<std::size_t>(facts.rank) < facts.members.size();
  if (wire.failed() || wire.left() != 0 || !fits) return std::nullopt;
  return facts;
}

}  // namespace lightcone::mpi
