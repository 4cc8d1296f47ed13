// The calls that ask about communicators and groups, and those that need the other processes. The
// table has the form of calls.h.
#pragma once

#include <mpi.h>

// clang-format off
/// What asks about communicators, groups and windows. A process that runs alone knows more about
/// them than its MPI. `X(NAME, COUNT)`.
#define LIGHTCONE_MPI_QUERIES(X) \
  X(Comm_rank, 2) X(Comm_size, 2) X(Comm_remote_size, 2) X(Comm_test_inter, 2) \
  X(Comm_compare, 3) X(Comm_group, 2) X(Comm_remote_group, 2) X(Win_get_group, 2) \
  X(Group_size, 2) X(Group_rank, 2) X(Group_translate_ranks, 5) X(Group_compare, 3) \
  X(Group_union, 3) X(Group_intersection, 3) X(Group_difference, 3) X(Group_incl, 4) \
  X(Group_excl, 4) X(Group_range_incl, 4) X(Group_range_excl, 4) X(Group_free, 1) \
  X(Topo_test, 2) X(Cartdim_get, 2) X(Cart_get, 5) X(Cart_rank, 3) X(Cart_coords, 4) \
  X(Cart_shift, 5) X(Cart_map, 5) X(Graphdims_get, 3) X(Graph_get, 5) \
  X(Graph_neighbors_count, 3) X(Graph_neighbors, 4) X(Graph_map, 5) \
  X(Dist_graph_neighbors_count, 4) X(Dist_graph_neighbors, 7)

/// Calls on files. `X(NAME, COUNT)`.
#define LIGHTCONE_MPI_FILES(X) \
  X(File_open, 5) X(File_close, 1) X(File_delete, 2) X(File_set_size, 2) X(File_preallocate, 2) \
  X(File_set_info, 2) X(File_set_view, 6) X(File_set_atomicity, 2) X(File_sync, 1) \
  X(File_seek, 3) X(File_read_at, 6) X(File_write_at, 6) X(File_read, 5) X(File_write, 5) \
  X(File_iread_at, 6) X(File_iwrite_at, 6) X(File_iread, 5) X(File_iwrite, 5) \
  X(File_read_at_all, 6) X(File_write_at_all, 6) X(File_read_all, 5) X(File_write_all, 5) \
  X(File_iread_at_all, 6) X(File_iwrite_at_all, 6) X(File_iread_all, 5) X(File_iwrite_all, 5) \
  X(File_read_at_all_begin, 5) X(File_read_at_all_end, 3) X(File_write_at_all_begin, 5) \
  X(File_write_at_all_end, 3) X(File_read_all_begin, 4) X(File_read_all_end, 3) \
  X(File_write_all_begin, 4) X(File_write_all_end, 3)

/// What a process that runs alone cannot be answered. `X(NAME, COUNT)`.
#define LIGHTCONE_MPI_NOT_ALONE(X) \
  X(Win_attach, 3) X(File_read_shared, 5) X(File_write_shared, 5) X(File_read_ordered, 5) \
  X(File_write_ordered, 5) X(File_iread_shared, 5) X(File_iwrite_shared, 5) \
  LIGHTCONE_MPI_LATER_NOT_ALONE(X)
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LATER_NOT_ALONE(X) \
  X(Psend_init, 9) X(Precv_init, 9) X(Barrier_init, 3) X(Bcast_init, 7) X(Gather_init, 10) \
  X(Gatherv_init, 11) X(Scatter_init, 10) X(Scatterv_init, 11) X(Allgather_init, 9) \
  X(Allgatherv_init, 10) X(Alltoall_init, 9) X(Alltoallv_init, 11) X(Alltoallw_init, 11) \
  X(Reduce_init, 9) X(Allreduce_init, 8) X(Reduce_scatter_init, 8) \
  X(Reduce_scatter_block_init, 8) X(Scan_init, 8) X(Exscan_init, 8) \
  X(Neighbor_allgather_init, 9) X(Neighbor_allgatherv_init, 10) X(Neighbor_alltoall_init, 9) \
  X(Neighbor_alltoallv_init, 11) X(Neighbor_alltoallw_init, 11)
#else
#define LIGHTCONE_MPI_LATER_NOT_ALONE(X)
#endif
// clang-format on
