// Computes what MPI defines about communicators, groups and topologies from what was recorded.
#include "answers/stand_ins.h"

#include <algorithm>
#include <set>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

[[nodiscard]] bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

[[nodiscard]] int index_of(const std::vector<int>& list, int value) {
  const auto place = std::find(list.begin(), list.end(), value);
  return place == list.end() ? MPI_UNDEFINED : static_cast<int>(place - list.begin());
}

[[nodiscard]] bool are_similar(std::vector<int> one, std::vector<int> other) {
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  return one == other;
}

/// As many as there is room for.
void copy(const std::vector<int>& from, int most, int* to) {
  const std::size_t count = std::min(from.size(), static_cast<std::size_t>(std::max(most, 0)));
  std::copy_n(from.begin(), count, to);
}

/// All ranks of ranges, each a first, a last and a stride.
[[nodiscard]] std::vector<int> ranks_of(int count, const int ranges[][3]) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) {
    const auto& [first, last, stride] = ranges[i];
    if (stride == 0) continue;
    for (int r = first; stride > 0 ? r <= last : r >= last; r += stride) ranks.push_back(r);
  }
  return ranks;
}

/// The place of a rank in a grid: the last dimension counts fastest.
[[nodiscard]] std::vector<int> place_of(int rank, const std::vector<int>& sizes) {
  std::vector<int> place(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    place[i] = rank % sizes[i];
    rank /= sizes[i];
  }
  return place;
}

/// The rank at a place; none outside of the grid.
[[nodiscard]] int rank_at(std::vector<int> place, const std::vector<int>& sizes,
                          const std::vector<int>& periods) {
  int rank = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (periods[i] != 0) place[i] = (place[i] % sizes[i] + sizes[i]) % sizes[i];
    if (place[i] < 0 || place[i] >= sizes[i]) return MPI_PROC_NULL;
    rank = rank * sizes[i] + place[i];
  }
  return rank;
}

[[nodiscard]] bool is(const CommunicatorFacts* facts, Topology::Kind kind) {
  return facts != nullptr && facts->topology.kind == kind;
}

/// Where the neighbours of a node begin in the list of a graph, and where they end.
struct NeighbourRange {
  int begin = 0, end = 0;
};
[[nodiscard]] NeighbourRange range_of(const Topology& topology, int rank) {
  const std::vector<int>& ends = topology.list(0);
  const auto at = static_cast<std::size_t>(rank);
  if (rank < 0 || at >= ends.size()) return {};
  return {at == 0 ? 0 : ends[at - 1], ends[at]};
}

}  // namespace

int StandIns::make(MPI_Comm parent, MPI_Comm* made) {
  MPI_Group group = MPI_GROUP_NULL;
  LIGHTCONE_REAL(Comm_group)(parent, &group);
  const int result = LIGHTCONE_REAL(Comm_create)(parent, group, made);
  LIGHTCONE_REAL(Group_free)(&group);
  return result;
}

const CommunicatorFacts* StandIns::facts_of(MPI_Comm comm) {
  const Communicator* const communicator = communicators_.find(comm);
  return communicator == nullptr ? nullptr : &communicator->facts();
}

std::vector<int> StandIns::members_of(MPI_Group group) const {
  const auto place = groups_.find(key_of(group));
  return place == groups_.end() ? std::vector<int>() : place->second;
}

/// A group of the MPI's, so that Fortran can have it, too.
int StandIns::give(const std::vector<int>& members, MPI_Group* made) {
  if (members.empty()) {
    *made = MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
  }
  MPI_Group self = MPI_GROUP_NULL;
  LIGHTCONE_REAL(Comm_group)(MPI_COMM_SELF, &self);
  const int first = 0;
  const int result = LIGHTCONE_REAL(Group_incl)(self, 1, &first, made);
  LIGHTCONE_REAL(Group_free)(&self);
  if (result == MPI_SUCCESS) groups_[key_of(*made)] = members;
  return result;
}

int StandIns::Comm_rank(MPI_Comm comm, int* rank) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Comm_rank)(comm, rank);
  *rank = facts->rank;
  return MPI_SUCCESS;
}

int StandIns::Comm_size(MPI_Comm comm, int* size) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Comm_size)(comm, size);
  *size = static_cast<int>(facts->members.size());
  return MPI_SUCCESS;
}

int StandIns::Comm_remote_size(MPI_Comm comm, int* size) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr || !facts->is_inter) return LIGHTCONE_REAL(Comm_remote_size)(comm, size);
  *size = static_cast<int>(facts->others.size());
  return MPI_SUCCESS;
}

int StandIns::Comm_test_inter(MPI_Comm comm, int* flag) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Comm_test_inter)(comm, flag);
  *flag = facts->is_inter ? 1 : 0;
  return MPI_SUCCESS;
}

int StandIns::Comm_compare(MPI_Comm one, MPI_Comm other, int* result) {
  const CommunicatorFacts* const a = facts_of(one);
  const CommunicatorFacts* const b = facts_of(other);
  if (a == nullptr || b == nullptr) return LIGHTCONE_REAL(Comm_compare)(one, other, result);
  const bool same = a->members == b->members && a->others == b->others;
  const bool similar = are_similar(a->members, b->members) && are_similar(a->others, b->others);
  *result = one == other                            ? MPI_IDENT
            : a->is_inter == b->is_inter && same    ? MPI_CONGRUENT
            : a->is_inter == b->is_inter && similar ? MPI_SIMILAR
                                                    : MPI_UNEQUAL;
  return MPI_SUCCESS;
}

int StandIns::Comm_group(MPI_Comm comm, MPI_Group* group) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Comm_group)(comm, group);
  return give(facts->members, group);
}

int StandIns::Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr || !facts->is_inter) return LIGHTCONE_REAL(Comm_remote_group)(comm, group);
  return give(facts->others, group);
}

int StandIns::Win_get_group(MPI_Win window, MPI_Group* group) {
  const auto place = windows_.find(key_of(window));
  if (place == windows_.end()) return LIGHTCONE_REAL(Win_get_group)(window, group);
  return give(place->second, group);
}

int StandIns::Group_size(MPI_Group group, int* size) {
  *size = static_cast<int>(members_of(group).size());
  return MPI_SUCCESS;
}

int StandIns::Group_rank(MPI_Group group, int* rank) {
  *rank = index_of(members_of(group), communicators_.rank());
  return MPI_SUCCESS;
}

int StandIns::Group_translate_ranks(MPI_Group from, int count, const int* ranks, MPI_Group to,
                                    int* translated) {
  const std::vector<int> source = members_of(from), target = members_of(to);
  for (int i = 0; i < count; ++i) {
    const bool is_rank = ranks[i] >= 0 && static_cast<std::size_t>(ranks[i]) < source.size();
    translated[i] = ranks[i] == MPI_PROC_NULL ? MPI_PROC_NULL
                    : is_rank ? index_of(target, source[static_cast<std::size_t>(ranks[i])])
                              : MPI_UNDEFINED;
  }
  return MPI_SUCCESS;
}

int StandIns::Group_compare(MPI_Group one, MPI_Group other, int* result) {
  const std::vector<int> a = members_of(one), b = members_of(other);
  *result = a == b ? MPI_IDENT : are_similar(a, b) ? MPI_SIMILAR : MPI_UNEQUAL;
  return MPI_SUCCESS;
}

int StandIns::Group_union(MPI_Group one, MPI_Group other, MPI_Group* made) {
  std::vector<int> all = members_of(one);
  for (const int member : members_of(other)) {
    if (!contains(all, member)) all.push_back(member);
  }
  return give(all, made);
}

int StandIns::Group_intersection(MPI_Group one, MPI_Group other, MPI_Group* made) {
  std::vector<int> both = members_of(one);
  const std::vector<int> others = members_of(other);
  std::erase_if(both, [&](int member) { return !contains(others, member); });
  return give(both, made);
}

int StandIns::Group_difference(MPI_Group one, MPI_Group other, MPI_Group* made) {
  std::vector<int> rest = members_of(one);
  const std::vector<int> others = members_of(other);
  std::erase_if(rest, [&](int member) { return contains(others, member); });
  return give(rest, made);
}

int StandIns::Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made) {
  const std::vector<int> members = members_of(group);
  std::vector<int> chosen;
  for (int i = 0; i < count; ++i) {
    const bool is_rank = ranks[i] >= 0 && static_cast<std::size_t>(ranks[i]) < members.size();
    if (!is_rank) return LIGHTCONE_REAL(Group_incl)(group, count, ranks, made);
    chosen.push_back(members[static_cast<std::size_t>(ranks[i])]);
  }
  return give(chosen, made);
}

int StandIns::Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made) {
  const std::vector<int> members = members_of(group);
  const std::set<int> left_out(ranks, ranks + std::max(count, 0));
  std::vector<int> rest;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!left_out.contains(static_cast<int>(i))) rest.push_back(members[i]);
  }
  return give(rest, made);
}

int StandIns::Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
  const std::vector<int> ranks = ranks_of(count, ranges);
  return Group_incl(group, static_cast<int>(ranks.size()), ranks.data(), made);
}

int StandIns::Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
  const std::vector<int> ranks = ranks_of(count, ranges);
  return Group_excl(group, static_cast<int>(ranks.size()), ranks.data(), made);
}

int StandIns::Group_free(MPI_Group* group) {
  if (group != nullptr) groups_.erase(key_of(*group));
  return LIGHTCONE_REAL(Group_free)(group);
}

int StandIns::Topo_test(MPI_Comm comm, int* kind) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Topo_test)(comm, kind);
  switch (facts->topology.kind) {
    case Topology::Kind::none: *kind = MPI_UNDEFINED; break;
    case Topology::Kind::grid: *kind = MPI_CART; break;
    case Topology::Kind::graph: *kind = MPI_GRAPH; break;
    case Topology::Kind::neighbours: *kind = MPI_DIST_GRAPH; break;
  }
  return MPI_SUCCESS;
}

int StandIns::Cartdim_get(MPI_Comm comm, int* count) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::grid)) return LIGHTCONE_REAL(Cartdim_get)(comm, count);
  *count = static_cast<int>(facts->topology.list(0).size());
  return MPI_SUCCESS;
}

int StandIns::Cart_get(MPI_Comm comm, int most, int* sizes, int* periods, int* place) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::grid)) {
    return LIGHTCONE_REAL(Cart_get)(comm, most, sizes, periods, place);
  }
  copy(facts->topology.list(0), most, sizes);
  copy(facts->topology.list(1), most, periods);
  copy(place_of(facts->rank, facts->topology.list(0)), most, place);
  return MPI_SUCCESS;
}

int StandIns::Cart_rank(MPI_Comm comm, const int* place, int* rank) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::grid)) return LIGHTCONE_REAL(Cart_rank)(comm, place, rank);
  const std::vector<int>& sizes = facts->topology.list(0);
  *rank = rank_at({place, place + sizes.size()}, sizes, facts->topology.list(1));
  return MPI_SUCCESS;
}

int StandIns::Cart_coords(MPI_Comm comm, int rank, int most, int* place) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::grid)) {
    return LIGHTCONE_REAL(Cart_coords)(comm, rank, most, place);
  }
  copy(place_of(rank, facts->topology.list(0)), most, place);
  return MPI_SUCCESS;
}

int StandIns::Cart_shift(MPI_Comm comm, int direction, int distance, int* source,
                         int* destination) {
  const CommunicatorFacts* const facts = facts_of(comm);
  const bool is_grid = is(facts, Topology::Kind::grid) && direction >= 0 &&
                       static_cast<std::size_t>(direction) < facts->topology.list(0).size();
  if (!is_grid) {
    return LIGHTCONE_REAL(Cart_shift)(comm, direction, distance, source, destination);
  }
  const std::vector<int>& sizes = facts->topology.list(0);
  const std::vector<int>& periods = facts->topology.list(1);
  std::vector<int> place = place_of(facts->rank, sizes);
  int& here = place[static_cast<std::size_t>(direction)];
  here += distance;
  *destination = rank_at(place, sizes, periods);
  here -= 2 * distance;
  *source = rank_at(place, sizes, periods);
  return MPI_SUCCESS;
}

int StandIns::Cart_map(MPI_Comm comm, int count, const int* sizes, const int* periods, int* rank) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Cart_map)(comm, count, sizes, periods, rank);
  int all = 1;
  for (int i = 0; i < count; ++i) all *= sizes[i];
  *rank = facts->rank < all ? facts->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int StandIns::Graphdims_get(MPI_Comm comm, int* nodes, int* edges) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::graph)) return LIGHTCONE_REAL(Graphdims_get)(comm, nodes, edges);
  *nodes = static_cast<int>(facts->topology.list(0).size());
  *edges = static_cast<int>(facts->topology.list(1).size());
  return MPI_SUCCESS;
}

int StandIns::Graph_get(MPI_Comm comm, int most_nodes, int most_edges, int* ends, int* to) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::graph)) {
    return LIGHTCONE_REAL(Graph_get)(comm, most_nodes, most_edges, ends, to);
  }
  copy(facts->topology.list(0), most_nodes, ends);
  copy(facts->topology.list(1), most_edges, to);
  return MPI_SUCCESS;
}

int StandIns::Graph_neighbors_count(MPI_Comm comm, int rank, int* count) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::graph)) {
    return LIGHTCONE_REAL(Graph_neighbors_count)(comm, rank, count);
  }
  const NeighbourRange range = range_of(facts->topology, rank);
  *count = range.end - range.begin;
  return MPI_SUCCESS;
}

int StandIns::Graph_neighbors(MPI_Comm comm, int rank, int most, int* neighbours) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::graph)) {
    return LIGHTCONE_REAL(Graph_neighbors)(comm, rank, most, neighbours);
  }
  const NeighbourRange range = range_of(facts->topology, rank);
  const std::vector<int>& to = facts->topology.list(1);
  copy({to.begin() + range.begin, to.begin() + range.end}, most, neighbours);
  return MPI_SUCCESS;
}

int StandIns::Graph_map(MPI_Comm comm, int nodes, const int* ends, const int* to, int* rank) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (facts == nullptr) return LIGHTCONE_REAL(Graph_map)(comm, nodes, ends, to, rank);
  *rank = facts->rank < nodes ? facts->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int StandIns::Dist_graph_neighbors_count(MPI_Comm comm, int* in, int* out, int* is_weighted) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::neighbours)) {
    return LIGHTCONE_REAL(Dist_graph_neighbors_count)(comm, in, out, is_weighted);
  }
  const Topology& topology = facts->topology;
  *in = static_cast<int>(topology.list(0).size());
  *out = static_cast<int>(topology.list(2).size());
  *is_weighted = topology.list(1).empty() && topology.list(3).empty() ? 0 : 1;
  return MPI_SUCCESS;
}

int StandIns::Dist_graph_neighbors(MPI_Comm comm, int most_in, int* sources, int* source_weights,
                                   int most_out, int* destinations, int* destination_weights) {
  const CommunicatorFacts* const facts = facts_of(comm);
  if (!is(facts, Topology::Kind::neighbours)) {
    return LIGHTCONE_REAL(Dist_graph_neighbors)(comm, most_in, sources, source_weights, most_out,
                                                destinations, destination_weights);
  }
  copy(facts->topology.list(0), most_in, sources);
  copy(facts->topology.list(2), most_out, destinations);
  if (source_weights != unweighted()) copy(facts->topology.list(1), most_in, source_weights);
  if (destination_weights != unweighted()) {
    copy(facts->topology.list(3), most_out, destination_weights);
  }
  return MPI_SUCCESS;
}

}  // namespace lightcone::mpi
