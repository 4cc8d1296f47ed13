// Communicators and groups of a process that runs alone. Its MPI knows of one process only, so each
// handle of the program stands for something that is known here.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tsl/robin_map.h>

#include "process/communicators.h"

namespace lightcone::mpi {

/// Answers what the program asks about communicators and groups. The functions have the names of
/// the calls. Handles that are not known here go to the MPI.
class StandIns {
 public:
  explicit StandIns(Communicators& communicators) : communicators_(communicators) {}

  /// Makes a communicator that stands for one that the process was a member of.
  [[nodiscard]] static int make(MPI_Comm parent, MPI_Comm* made);
  /// The window has the processes of this communicator.
  void add_window(MPI_Win window, const std::vector<int>& members) {
    windows_[key_of(window)] = members;
  }

  int Comm_rank(MPI_Comm comm, int* rank);
  int Comm_size(MPI_Comm comm, int* size);
  int Comm_remote_size(MPI_Comm comm, int* size);
  int Comm_test_inter(MPI_Comm comm, int* flag);
  int Comm_compare(MPI_Comm one, MPI_Comm other, int* result);
  int Comm_group(MPI_Comm comm, MPI_Group* group);
  int Comm_remote_group(MPI_Comm comm, MPI_Group* group);
  int Win_get_group(MPI_Win window, MPI_Group* group);

  int Group_size(MPI_Group group, int* size);
  int Group_rank(MPI_Group group, int* rank);
  int Group_translate_ranks(MPI_Group from, int count, const int* ranks, MPI_Group to,
                            int* translated);
  int Group_compare(MPI_Group one, MPI_Group other, int* result);
  int Group_union(MPI_Group one, MPI_Group other, MPI_Group* made);
  int Group_intersection(MPI_Group one, MPI_Group other, MPI_Group* made);
  int Group_difference(MPI_Group one, MPI_Group other, MPI_Group* made);
  int Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made);
  int Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made);
  int Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
  int Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
  int Group_free(MPI_Group* group);

  int Topo_test(MPI_Comm comm, int* kind);
  int Cartdim_get(MPI_Comm comm, int* count);
  int Cart_get(MPI_Comm comm, int most, int* sizes, int* periods, int* place);
  int Cart_rank(MPI_Comm comm, const int* place, int* rank);
  int Cart_coords(MPI_Comm comm, int rank, int most, int* place);
  int Cart_shift(MPI_Comm comm, int direction, int distance, int* source, int* destination);
  int Cart_map(MPI_Comm comm, int count, const int* sizes, const int* periods, int* rank);
  int Graphdims_get(MPI_Comm comm, int* nodes, int* edges);
  int Graph_get(MPI_Comm comm, int most_nodes, int most_edges, int* ends, int* to);
  int Graph_neighbors_count(MPI_Comm comm, int rank, int* count);
  int Graph_neighbors(MPI_Comm comm, int rank, int most, int* neighbours);
  int Graph_map(MPI_Comm comm, int nodes, const int* ends, const int* to, int* rank);
  int Dist_graph_neighbors_count(MPI_Comm comm, int* in, int* out, int* is_weighted);
  int Dist_graph_neighbors(MPI_Comm comm, int most_in, int* sources, int* source_weights,
                           int most_out, int* destinations, int* destination_weights);

 private:
  [[nodiscard]] const CommunicatorFacts* facts_of(MPI_Comm comm);
  [[nodiscard]] std::vector<int> members_of(MPI_Group group) const;
  int give(const std::vector<int>& members, MPI_Group* made);

  Communicators& communicators_;
  tsl::robin_map<std::uint64_t, std::vector<int>> groups_, windows_;  // ranks in the world
};

}  // namespace lightcone::mpi
