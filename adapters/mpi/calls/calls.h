// Every MPI call that is wrapped, and how: one table, from which the wrappers are made.
//
// Types are not repeated here: a wrapper takes them from the declaration in mpi.h, so that the same
// table serves every MPI. `X(NAME, COUNT)`: the function MPI_NAME with COUNT parameters; more
// columns say where among them (from 0) is what.
#pragma once

#include <mpi.h>

// clang-format off
#if MPI_VERSION >= 4
// The same with MPI_Count for counts.
#define LIGHTCONE_MPI_LARGE(X, name, count) X(name##_c, count)
#else
#define LIGHTCONE_MPI_LARGE(X, name, count)
#endif

/// Sends: buffer, count, type, rank, tag, communicator.
#define LIGHTCONE_MPI_STANDARD_SENDS(X) X(Send, 6) LIGHTCONE_MPI_LARGE(X, Send, 6)
#define LIGHTCONE_MPI_OTHER_SENDS(X) \
  X(Bsend, 6) X(Ssend, 6) X(Rsend, 6) LIGHTCONE_MPI_LARGE(X, Bsend, 6) \
  LIGHTCONE_MPI_LARGE(X, Ssend, 6) LIGHTCONE_MPI_LARGE(X, Rsend, 6)

/// The same with a request at the end.
#define LIGHTCONE_MPI_BEGUN_STANDARD_SENDS(X) X(Isend, 7) LIGHTCONE_MPI_LARGE(X, Isend, 7)
#define LIGHTCONE_MPI_BEGUN_OTHER_SENDS(X) \
  X(Ibsend, 7) X(Issend, 7) X(Irsend, 7) LIGHTCONE_MPI_LARGE(X, Ibsend, 7) \
  LIGHTCONE_MPI_LARGE(X, Issend, 7) LIGHTCONE_MPI_LARGE(X, Irsend, 7)

#define LIGHTCONE_MPI_PERSISTENT_SENDS(X) \
  X(Send_init, 7) X(Bsend_init, 7) X(Ssend_init, 7) X(Rsend_init, 7) \
  LIGHTCONE_MPI_LARGE(X, Send_init, 7) LIGHTCONE_MPI_LARGE(X, Bsend_init, 7) \
  LIGHTCONE_MPI_LARGE(X, Ssend_init, 7) LIGHTCONE_MPI_LARGE(X, Rsend_init, 7)

/// Receives and probes, each with a function of its own: `X(NAME, COUNT, FUNCTION)`.
#define LIGHTCONE_MPI_RECEIVES(X) \
  X(Recv, 7, receive) X(Irecv, 7, begin_receive) X(Recv_init, 7, make_receive) \
  X(Sendrecv, 12, send_and_receive) X(Sendrecv_replace, 9, replace) X(Probe, 4, probe) \
  X(Iprobe, 5, poll_probe) X(Mprobe, 5, take_probe) X(Improbe, 6, poll_take_probe) \
  X(Mrecv, 5, receive_taken) X(Imrecv, 5, begin_receive_taken)

#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_RECEIVES(X) \
  X(Recv_c, 7, receive) X(Irecv_c, 7, begin_receive) X(Recv_init_c, 7, make_receive) \
  X(Sendrecv_c, 12, send_and_receive) X(Sendrecv_replace_c, 9, replace) \
  X(Mrecv_c, 5, receive_taken) X(Imrecv_c, 5, begin_receive_taken) \
  X(Isendrecv, 12, begin_send_and_receive) X(Isendrecv_c, 12, begin_send_and_receive) \
  X(Isendrecv_replace, 9, begin_replace) X(Isendrecv_replace_c, 9, begin_replace)
#else
#define LIGHTCONE_MPI_LARGE_RECEIVES(X)
#endif

/// What asks about requests.
#define LIGHTCONE_MPI_COMPLETIONS(X) \
  X(Wait, 2, wait) X(Waitall, 3, wait_all) X(Waitany, 4, wait_any) X(Waitsome, 5, wait_some) \
  X(Test, 3, test) X(Testall, 4, test_all) X(Testany, 5, test_any) X(Testsome, 5, test_some) \
  X(Request_get_status, 3, get_status)

/// What starts requests, and gives them up.
#define LIGHTCONE_MPI_STARTED(X) \
  X(Start, 1, start) X(Startall, 2, start_all) X(Cancel, 1, cancel) X(Request_free, 1, free_request)

/// Collective operations: `X(NAME, COUNT, FLOW, COMMUNICATOR, ROOT, SHAPE)`, where the two are
/// parameters; ROOT is -1 where there is none. SHAPE says where the results are.
#define LIGHTCONE_MPI_COLLECTIVES(X) \
  X(Barrier, 1, all, 0, -1, nothing) X(Bcast, 5, from_root, 4, 3, bcast) \
  X(Gather, 8, to_root, 7, 6, gather) \
  X(Gatherv, 9, to_root, 8, 7, gatherv) X(Scatter, 8, from_root, 7, 6, scatter) \
  X(Scatterv, 9, from_root, 8, 7, scatterv) \
  X(Allgather, 7, all, 6, -1, allgather) X(Allgatherv, 8, all, 7, -1, allgatherv) \
  X(Alltoall, 7, all, 6, -1, allgather) \
  X(Alltoallv, 9, all, 8, -1, alltoallv) X(Alltoallw, 9, all, 8, -1, alltoallw) \
  X(Reduce, 7, to_root, 6, 5, reduce) \
  X(Allreduce, 6, all, 5, -1, allreduce) X(Reduce_scatter, 6, all, 5, -1, reduce_scatter) \
  X(Reduce_scatter_block, 6, all, 5, -1, allreduce) X(Scan, 6, upward, 5, -1, allreduce) \
  X(Exscan, 6, upward, 5, -1, exscan)

/// The same with a request at the end.
#define LIGHTCONE_MPI_BEGUN_COLLECTIVES(X) \
  X(Ibarrier, 2, all, 0, -1, nothing) X(Ibcast, 6, from_root, 4, 3, bcast) \
  X(Igather, 9, to_root, 7, 6, gather) \
  X(Igatherv, 10, to_root, 8, 7, gatherv) X(Iscatter, 9, from_root, 7, 6, scatter) \
  X(Iscatterv, 10, from_root, 8, 7, scatterv) X(Iallgather, 8, all, 6, -1, allgather) \
  X(Iallgatherv, 9, all, 7, -1, allgatherv) \
  X(Ialltoall, 8, all, 6, -1, allgather) X(Ialltoallv, 10, all, 8, -1, alltoallv) \
  X(Ialltoallw, 10, all, 8, -1, alltoallw) \
  X(Ireduce, 8, to_root, 6, 5, reduce) X(Iallreduce, 7, all, 5, -1, allreduce) \
  X(Ireduce_scatter, 7, all, 5, -1, reduce_scatter) \
  X(Ireduce_scatter_block, 7, all, 5, -1, allreduce) X(Iscan, 7, upward, 5, -1, allreduce) \
  X(Iexscan, 7, upward, 5, -1, exscan)

/// All of these with MPI_Count for counts.
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_COLLECTIVES(X) \
  X(Bcast_c, 5, from_root, 4, 3, bcast) X(Gather_c, 8, to_root, 7, 6, gather) \
  X(Gatherv_c, 9, to_root, 8, 7, gatherv) \
  X(Scatter_c, 8, from_root, 7, 6, scatter) X(Scatterv_c, 9, from_root, 8, 7, scatterv) \
  X(Allgather_c, 7, all, 6, -1, allgather) X(Allgatherv_c, 8, all, 7, -1, allgatherv) \
  X(Alltoall_c, 7, all, 6, -1, allgather) \
  X(Alltoallv_c, 9, all, 8, -1, alltoallv) X(Alltoallw_c, 9, all, 8, -1, alltoallw) \
  X(Reduce_c, 7, to_root, 6, 5, reduce) \
  X(Allreduce_c, 6, all, 5, -1, allreduce) X(Reduce_scatter_c, 6, all, 5, -1, reduce_scatter) \
  X(Reduce_scatter_block_c, 6, all, 5, -1, allreduce) X(Scan_c, 6, upward, 5, -1, allreduce) \
  X(Exscan_c, 6, upward, 5, -1, exscan)
#define LIGHTCONE_MPI_BEGUN_LARGE_COLLECTIVES(X) \
  X(Ibcast_c, 6, from_root, 4, 3, bcast) X(Igather_c, 9, to_root, 7, 6, gather) \
  X(Igatherv_c, 10, to_root, 8, 7, gatherv) X(Iscatter_c, 9, from_root, 7, 6, scatter) \
  X(Iscatterv_c, 10, from_root, 8, 7, scatterv) X(Iallgather_c, 8, all, 6, -1, allgather) \
  X(Iallgatherv_c, 9, all, 7, -1, allgatherv) X(Ialltoall_c, 8, all, 6, -1, allgather) \
  X(Ialltoallv_c, 10, all, 8, -1, alltoallv) \
  X(Ialltoallw_c, 10, all, 8, -1, alltoallw) X(Ireduce_c, 8, to_root, 6, 5, reduce) \
  X(Iallreduce_c, 7, all, 5, -1, allreduce) \
  X(Ireduce_scatter_c, 7, all, 5, -1, reduce_scatter) \
  X(Ireduce_scatter_block_c, 7, all, 5, -1, allreduce) \
  X(Iscan_c, 7, upward, 5, -1, allreduce) X(Iexscan_c, 7, upward, 5, -1, exscan)
#else
#define LIGHTCONE_MPI_LARGE_COLLECTIVES(X)
#define LIGHTCONE_MPI_BEGUN_LARGE_COLLECTIVES(X)
#endif

/// Collective operations among neighbours: `X(NAME, COUNT, COMMUNICATOR, SHAPE)`.
#define LIGHTCONE_MPI_NEIGHBOURS(X) \
  X(Neighbor_allgather, 7, 6, allgather) X(Neighbor_allgatherv, 8, 7, allgatherv) \
  X(Neighbor_alltoall, 7, 6, allgather) X(Neighbor_alltoallv, 9, 8, alltoallv) \
  X(Neighbor_alltoallw, 9, 8, alltoallw)
#define LIGHTCONE_MPI_BEGUN_NEIGHBOURS(X) \
  X(Ineighbor_allgather, 8, 6, allgather) X(Ineighbor_allgatherv, 9, 7, allgatherv) \
  X(Ineighbor_alltoall, 8, 6, allgather) X(Ineighbor_alltoallv, 10, 8, alltoallv) \
  X(Ineighbor_alltoallw, 10, 8, alltoallw)
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_NEIGHBOURS(X) \
  X(Neighbor_allgather_c, 7, 6, allgather) X(Neighbor_allgatherv_c, 8, 7, allgatherv) \
  X(Neighbor_alltoall_c, 7, 6, allgather) X(Neighbor_alltoallv_c, 9, 8, alltoallv) \
  X(Neighbor_alltoallw_c, 9, 8, alltoallw)
#define LIGHTCONE_MPI_BEGUN_LARGE_NEIGHBOURS(X) \
  X(Ineighbor_allgather_c, 8, 6, allgather) X(Ineighbor_allgatherv_c, 9, 7, allgatherv) \
  X(Ineighbor_alltoall_c, 8, 6, allgather) X(Ineighbor_alltoallv_c, 10, 8, alltoallv) \
  X(Ineighbor_alltoallw_c, 10, 8, alltoallw)
#else
#define LIGHTCONE_MPI_LARGE_NEIGHBOURS(X)
#define LIGHTCONE_MPI_BEGUN_LARGE_NEIGHBOURS(X)
#endif

/// Makers of communicators: the old one comes first, the new one last. `several`: one call of all
/// members may make more than one.
#define LIGHTCONE_MPI_MAKERS(X) \
  X(Comm_dup, 2, false) X(Comm_dup_with_info, 3, false) X(Comm_split, 4, true) \
  X(Comm_split_type, 5, true) X(Comm_create, 3, true) X(Cart_create, 6, false) \
  X(Cart_sub, 3, true) X(Graph_create, 6, false) X(Dist_graph_create, 9, false) \
  X(Dist_graph_create_adjacent, 10, false) X(Intercomm_merge, 3, false)

/// Makers whose members alone know of the new one, which comes last: `X(NAME, COUNT, TAG)`, with
/// TAG a parameter.
#define LIGHTCONE_MPI_GROUP_MAKERS(X) \
  X(Comm_create_group, 4, 2) X(Intercomm_create, 6, 4) \
  LIGHTCONE_MPI_MAKERS_WITHOUT_PARENT(X)
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_MAKERS_WITHOUT_PARENT(X) \
  X(Comm_create_from_group, 5, 1) X(Intercomm_create_from_groups, 8, 4)
#else
#define LIGHTCONE_MPI_MAKERS_WITHOUT_PARENT(X)
#endif

/// Makers with a request at the end: the old one comes first, the new one before the request.
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_BEGUN_MAKERS(X) X(Comm_idup, 3) X(Comm_idup_with_info, 4)
#else
#define LIGHTCONE_MPI_BEGUN_MAKERS(X) X(Comm_idup, 3)
#endif

/// Makers of windows: `X(NAME, COUNT, COMMUNICATOR, FUNCTION)`; the window comes last.
#define LIGHTCONE_MPI_WINDOW_MAKERS(X) \
  X(Win_create, 6, 4, make_window) X(Win_allocate, 6, 3, make_window) \
  X(Win_allocate_shared, 6, 3, make_shared_window) X(Win_create_dynamic, 3, 1, make_window) \
  LIGHTCONE_MPI_LARGE_WINDOW_MAKERS(X)
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_WINDOW_MAKERS(X) \
  X(Win_create_c, 6, 4, make_window) X(Win_allocate_c, 6, 3, make_window) \
  X(Win_allocate_shared_c, 6, 3, make_shared_window)
#else
#define LIGHTCONE_MPI_LARGE_WINDOW_MAKERS(X)
#endif

/// What synchronises processes by a window and completes no fetch.
#define LIGHTCONE_MPI_WINDOW_CALLS(X) \
  X(Win_free, 1, free_window) X(Win_post, 3, synchronise_group) \
  X(Win_start, 3, synchronise_group) X(Win_wait, 1, synchronise_by) X(Win_test, 2, test_window) \
  X(Win_lock, 4, synchronise_by) X(Win_lock_all, 2, synchronise_by) X(Win_sync, 1, synchronise_by)

/// What puts values into windows; the window comes last, or before a request.
#define LIGHTCONE_MPI_PUTS(X) X(Put, 8, put) X(Accumulate, 9, put) LIGHTCONE_MPI_LARGE_PUTS(X)
#define LIGHTCONE_MPI_BEGUN_PUTS(X) \
  X(Rput, 9, begin_put) X(Raccumulate, 10, begin_put) LIGHTCONE_MPI_BEGUN_LARGE_PUTS(X)
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_PUTS(X) X(Put_c, 8, put) X(Accumulate_c, 9, put)
#define LIGHTCONE_MPI_BEGUN_LARGE_PUTS(X) X(Rput_c, 9, begin_put) X(Raccumulate_c, 10, begin_put)
#else
#define LIGHTCONE_MPI_LARGE_PUTS(X)
#define LIGHTCONE_MPI_BEGUN_LARGE_PUTS(X)
#endif

/// What else concerns communicators and processes.
#define LIGHTCONE_MPI_OTHERS(X) \
  X(Comm_free, 1, free_communicator) X(Comm_disconnect, 1, free_communicator) \
  X(Comm_set_errhandler, 2, set_error_handler) X(Comm_spawn, 8, refuse_processes) \
  X(Comm_spawn_multiple, 9, refuse_processes) X(Comm_accept, 5, refuse_processes) \
  X(Comm_connect, 5, refuse_processes) X(Comm_join, 2, refuse_processes) X(Abort, 2, abort_all)

/// What fetches values out of windows, and what says that they are there.
#define LIGHTCONE_MPI_FETCHES(X) \
  X(Fetch_and_op, 7, fetch_and_op) X(Compare_and_swap, 7, compare_and_swap) X(Get, 8, get) \
  X(Get_accumulate, 12, get_accumulate) X(Rget, 9, begin_get) \
  X(Rget_accumulate, 13, begin_get_accumulate) X(Win_flush, 2, complete_one_target) \
  X(Win_flush_local, 2, complete_one_target) X(Win_unlock, 2, complete_one_target) \
  X(Win_flush_all, 1, complete_all_targets) X(Win_flush_local_all, 1, complete_all_targets) \
  X(Win_unlock_all, 1, complete_all_targets) X(Win_fence, 2, complete_all_targets) \
  X(Win_complete, 1, complete_all_targets) LIGHTCONE_MPI_LARGE_FETCHES(X)
/// What gives values that are not recorded.
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_FETCHES(X) \
  X(Get_c, 8, get) X(Get_accumulate_c, 12, get_accumulate) X(Rget_c, 9, begin_get) \
  X(Rget_accumulate_c, 13, begin_get_accumulate)
#define LIGHTCONE_MPI_UNRECORDED(X) X(Parrived, 3)
#else
#define LIGHTCONE_MPI_LARGE_FETCHES(X)
#define LIGHTCONE_MPI_UNRECORDED(X)
#endif
// clang-format on
