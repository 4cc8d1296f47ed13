// Ends by an error that is fatal: after some messages from all others rank 0 receives one that is
// too long for its buffer, in the call that it is told: `recv`, `named`, `sendrecv`, `probed`,
// `wait`, `waitall`, `waitany`, `waitsome`, `test`. With `abort` rank 1 calls MPI_Abort instead.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noise.h"

enum { before = 60, too_long = 9 };

static int values[4];
static MPI_Status statuses[2];

static void end_as(const char* how) {
  const int any = strcmp(how, "named") == 0 ? 1 : MPI_ANY_SOURCE;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Message message;
  int index, indices[2], done = 0;
  if (strcmp(how, "recv") == 0 || strcmp(how, "named") == 0) {
    MPI_Recv(values, 1, MPI_INT, any, too_long, MPI_COMM_WORLD, statuses);
  } else if (strcmp(how, "sendrecv") == 0) {
    MPI_Sendrecv(values, 1, MPI_INT, MPI_PROC_NULL, 0, values + 1, 1, MPI_INT, any, too_long,
                 MPI_COMM_WORLD, statuses);
  } else if (strcmp(how, "probed") == 0) {
    MPI_Mprobe(any, too_long, MPI_COMM_WORLD, &message, statuses);
    MPI_Mrecv(values, 1, MPI_INT, &message, statuses);
  }
  MPI_Irecv(values, 1, MPI_INT, any, too_long, MPI_COMM_WORLD, &requests[1]);
  if (strcmp(how, "wait") == 0) MPI_Wait(&requests[1], statuses);
  if (strcmp(how, "waitall") == 0) MPI_Waitall(2, requests, statuses);
  if (strcmp(how, "waitany") == 0) MPI_Waitany(2, requests, &index, statuses);
  if (strcmp(how, "waitsome") == 0) MPI_Waitsome(2, requests, &index, indices, statuses);
  while (strcmp(how, "test") == 0 && done == 0) MPI_Test(&requests[1], &done, statuses);
}

int main(int arguments, char** argument) {
  int rank, size;
  const char* const how = arguments > 1 ? argument[1] : "recv";
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; rank != 0 && i < before; ++i) {
    if (i % 10 == 0) noise();
    MPI_Ssend(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(values, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, statuses);
  }
  unsigned order = 0;
  for (int i = 0; rank == 0 && i < (size - 1) * before; ++i) {
    MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, statuses);
    order = order * 31 + (unsigned)statuses[0].MPI_SOURCE;
    MPI_Send(values, 1, MPI_INT, statuses[0].MPI_SOURCE, i, MPI_COMM_WORLD);
    if (i % 10 == 0) printf("%d after %d: %u\n", rank, i, order);
  }
  if (rank == 0) printf("%d all: %u\n", rank, order);
  fflush(stdout);
  if (strcmp(how, "abort") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank != 0) {
    noise();
    MPI_Ssend(values, 4, MPI_INT, 0, too_long, MPI_COMM_WORLD);
  } else {
    end_as(how);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
