// A master that hands out work to whoever is free, as programs do; and mixed posts, where a named
// receive and a wildcard compete for one message.
#include "program.h"

PROGRAM(master_worker) {
  enum { items = 40, work = 1, stop = 2 };
  int item = 0, result;
  MPI_Status status;
  for (int sent = 0, stopped = 0; rank == 0 && stopped < ranks - 1;) {
    MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (result >= 0) note("%d:%d", status.MPI_SOURCE, result);
    const int more = sent < items;
    MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, more ? work : stop, MPI_COMM_WORLD);
    *(more ? &sent : &stopped) += 1;
  }
  if (rank == 0) return;
  for (result = -1;; result = item * item) {
    MPI_Send(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&item, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == stop) break;
    note("%d", item);
    noise();
  }
}

// The wildcard is posted first, so it may take the first of two messages that the named receive
// waits for.
PROGRAM(mixed_posts) {
  for (int round = 0; round < wildcard_messages; ++round) {
    int values[4], value = 100 * rank + round;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int i = 0; i < 4 && rank == 0; ++i) {
      const int source = i == 1 ? 1 : MPI_ANY_SOURCE;
      MPI_Irecv(&values[i], 1, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
      noise();
    }
    for (int i = 0; i < (rank == 1 ? 2 : 1) && rank != 0; ++i) {
      noise();
      MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    for (int i = 3; rank == 0 && i >= 0; --i) {
      MPI_Wait(&requests[i], &statuses[i]);
      note_message(&statuses[i], values[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
