// Sendrecv and Sendrecv_replace that take what comes: each rank sends to all others in turn.
#include "program.h"

// In every round the destinations are a permutation, so the rank that is furthest behind always has
// a message to take, and no round waits forever.
static int destination(int round) { return (rank + 1 + round % (ranks - 1)) % ranks; }

PROGRAM(sendrecv_any) {
  for (int round = 0; round < wildcard_messages; ++round) {
    int sent = 100 * rank + round, received;
    MPI_Status status;
    noise();
    MPI_Sendrecv(&sent, 1, MPI_INT, destination(round), round % 2, &received, 1, MPI_INT,
                 MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    note_message(&status, received);
  }
}

PROGRAM(sendrecv_replace_any) {
  for (int round = 0; round < wildcard_messages; ++round) {
    int value = 100 * rank + round;
    MPI_Status status;
    noise();
    MPI_Sendrecv_replace(&value, 1, MPI_INT, destination(round), 0, MPI_ANY_SOURCE, 0,
                         MPI_COMM_WORLD, &status);
    note_message(&status, value);
  }
}

PROGRAM(sendrecv_status_ignored) {
  for (int round = 0; round < wildcard_messages; ++round) {
    int value = 100 * rank + round;
    noise();
    MPI_Sendrecv_replace(&value, 1, MPI_INT, destination(round), 0, MPI_ANY_SOURCE, MPI_ANY_TAG,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("%d", value);
  }
}
