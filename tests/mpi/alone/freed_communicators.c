// Communicators are given up while requests on them are open, or can be started again. Each round
// has a communicator of its own: an MPI has only some thousand at a time.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "noise.h"

static int rank, size, value[4];
static MPI_Status status;

static void take(const char* what, int round) {
  printf("%d %s %d: %d from %d\n", rank, what, round, value[0], status.MPI_SOURCE);
}

/// A receive waits for one of all others.
static void begun(int round) {
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, 0, copy, &request);
  if (rank == 1 + round % (size - 1)) {
    value[0] = 10 * round + rank;
    MPI_Isend(value, 1, MPI_INT, 0, 0, copy, &request);
  }
  MPI_Comm_free(&copy);
  noise();
  if (rank == 0 || rank == 1 + round % (size - 1)) MPI_Wait(&request, &status);
  if (rank == 0) take("begun", round);
}

/// The same with a request that is started after that, and one that nothing is sent to.
static void persistent(int round) {
  MPI_Comm copy;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) {
    MPI_Recv_init(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &requests[0]);
    MPI_Irecv(value + 1, 1, MPI_INT, 1, 99, copy, &requests[1]);
  } else {
    value[0] = 100 * round + rank;
    MPI_Send_init(value, 1, MPI_INT, 0, rank, copy, &requests[0]);
  }
  MPI_Comm_free(&copy);
  noise();
  for (int i = 0; i < (rank == 0 ? size - 1 : 1); ++i) {
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], &status);
    if (rank == 0) take("persistent", round);
  }
  if (rank == 0) {
    MPI_Cancel(&requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&requests[0]);
}

int main(int arguments, char** argument) {
  const int rounds = arguments > 1 ? atoi(argument[1]) : 40;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < rounds; ++round) begun(round);
  for (int round = 0; round < rounds / 4; ++round) persistent(round);
  MPI_Finalize();
  return 0;
}
