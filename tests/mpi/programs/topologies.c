// Wildcard receives on Cartesian and graph topologies and on intercommunicators.
#include "program.h"

static void race_and_free(MPI_Comm comm, const char* name) {
  race_on(comm, name);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

PROGRAM(cartesian) {
  MPI_Comm grid, row;
  MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){0, 1}, 0, &grid);
  race_on(grid, "grid");
  MPI_Cart_sub(grid, (int[]){0, 1}, &row);
  race_and_free(row, "row");
  int left, right, mine = rank, got[ranks];
  MPI_Request request;
  MPI_Cart_shift(grid, 0, 1, &left, &right);
  MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, got, 1, MPI_INT, left, 0, grid, MPI_STATUS_IGNORE);
  MPI_Neighbor_allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, grid);
  MPI_Ineighbor_allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  note("%d", got[2]);
  MPI_Comm_free(&grid);
}

PROGRAM(graphs) {
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks, degree = 1;
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, ranks, (int[]){1, 2, 3, 4}, (int[]){1, 2, 3, 0}, 0, &comm);
  race_and_free(comm, "graph");
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  race_and_free(comm, "adjacent");
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &comm);
  race_and_free(comm, "distributed");
}

// Ranks 0 and 1 receive from ranks 2 and 3, which are 0 and 1 of the other side.
PROGRAM(intercommunicator) {
  MPI_Comm half, both, merged;
  const int low = rank < 2;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 2 : 0, 3, &both);
  for (int i = 0; i < wildcard_messages; ++i) {
    int value = 100 * rank + i;
    MPI_Status status;
    noise();
    for (int to = 0; !low && to < 2; ++to) MPI_Send(&value, 1, MPI_INT, to, i % 3, both);
    for (int from = 0; low && from < 2; ++from) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, both, &status);
      note_message(&status, value);
    }
  }
  MPI_Intercomm_merge(both, low, &merged);
  race_and_free(merged, "merged");
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}
