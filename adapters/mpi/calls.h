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

/// Collective operations: `X(NAME, COUNT, FLOW, COMMUNICATOR, ROOT)`, where the two are parameters;
/// ROOT is -1 where there is none.
#define LIGHTCONE_MPI_COLLECTIVES(X) \
  X(Barrier, 1, all, 0, -1) X(Bcast, 5, from_root, 4, 3) X(Gather, 8, to_root, 7, 6) \
  X(Gatherv, 9, to_root, 8, 7) X(Scatter, 8, from_root, 7, 6) X(Scatterv, 9, from_root, 8, 7) \
  X(Allgather, 7, all, 6, -1) X(Allgatherv, 8, all, 7, -1) X(Alltoall, 7, all, 6, -1) \
  X(Alltoallv, 9, all, 8, -1) X(Alltoallw, 9, all, 8, -1) X(Reduce, 7, to_root, 6, 5) \
  X(Allreduce, 6, all, 5, -1) X(Reduce_scatter, 6, all, 5, -1) \
  X(Reduce_scatter_block, 6, all, 5, -1) X(Scan, 6, upward, 5, -1) X(Exscan, 6, upward, 5, -1)

/// The same with a request at the end.
#define LIGHTCONE_MPI_BEGUN_COLLECTIVES(X) \
  X(Ibarrier, 2, all, 0, -1) X(Ibcast, 6, from_root, 4, 3) X(Igather, 9, to_root, 7, 6) \
  X(Igatherv, 10, to_root, 8, 7) X(Iscatter, 9, from_root, 7, 6) \
  X(Iscatterv, 10, from_root, 8, 7) X(Iallgather, 8, all, 6, -1) X(Iallgatherv, 9, all, 7, -1) \
  X(Ialltoall, 8, all, 6, -1) X(Ialltoallv, 10, all, 8, -1) X(Ialltoallw, 10, all, 8, -1) \
  X(Ireduce, 8, to_root, 6, 5) X(Iallreduce, 7, all, 5, -1) X(Ireduce_scatter, 7, all, 5, -1) \
  X(Ireduce_scatter_block, 7, all, 5, -1) X(Iscan, 7, upward, 5, -1) \
  X(Iexscan, 7, upward, 5, -1)

/// Makers of communicators: the old one comes first, the new one last. `several`: one call of all
/// members may make more than one.
#define LIGHTCONE_MPI_MAKERS(X) \
  X(Comm_dup, 2, false) X(Comm_dup_with_info, 3, false) X(Comm_split, 4, true) \
  X(Comm_split_type, 5, true) X(Comm_create, 3, true) X(Cart_create, 6, false) \
  X(Cart_sub, 3, true) X(Graph_create, 6, false) X(Dist_graph_create, 9, false) \
  X(Dist_graph_create_adjacent, 10, false) X(Intercomm_merge, 3, false)

/// Makers of windows: `X(NAME, COUNT, COMMUNICATOR)`; the window comes last.
#define LIGHTCONE_MPI_WINDOW_MAKERS(X) \
  X(Win_create, 6, 4) X(Win_allocate, 6, 3) X(Win_allocate_shared, 6, 3) \
  X(Win_create_dynamic, 3, 1) LIGHTCONE_MPI_LARGE_WINDOW_MAKERS(X)
#if MPI_VERSION >= 4
#define LIGHTCONE_MPI_LARGE_WINDOW_MAKERS(X) \
  X(Win_create_c, 6, 4) X(Win_allocate_c, 6, 3) X(Win_allocate_shared_c, 6, 3)
#else
#define LIGHTCONE_MPI_LARGE_WINDOW_MAKERS(X)
#endif

/// What synchronises processes by a window and completes nothing.
#define LIGHTCONE_MPI_WINDOW_CALLS(X) \
  X(Win_free, 1, free_window) X(Win_post, 3, post_window) X(Win_start, 3, start_window) \
  X(Win_wait, 1, wait_for_window) X(Win_lock, 4, let_through) X(Win_lock_all, 2, let_through) \
  X(Win_sync, 1, let_through)

/// What else concerns communicators, processes, windows and values.
#define LIGHTCONE_MPI_OTHERS(X) \
  X(Comm_idup, 3, begin_duplicate) X(Comm_create_group, 4, create_group) \
  X(Intercomm_create, 6, create_intercommunicator) X(Comm_free, 1, free_communicator) \
  X(Comm_disconnect, 1, free_communicator) X(Comm_spawn, 8, refuse_spawn) \
  X(Comm_spawn_multiple, 9, refuse_spawn) X(Abort, 2, abort_all) \
  X(Fetch_and_op, 7, fetch_and_op) X(Compare_and_swap, 7, compare_and_swap) \
  X(Get_accumulate, 12, get_accumulate) X(Win_flush, 2, complete_fetches) \
  X(Win_flush_local, 2, complete_fetches) X(Win_flush_all, 1, complete_fetches) \
  X(Win_flush_local_all, 1, complete_fetches) X(Win_unlock, 2, complete_fetches) \
  X(Win_unlock_all, 1, complete_fetches) X(Win_fence, 2, complete_fetches) \
  X(Win_complete, 1, complete_fetches)
// clang-format on
