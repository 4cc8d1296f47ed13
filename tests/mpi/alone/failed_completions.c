// Calls that complete several requests and fail, where errors come to a handler: some messages are
// too long. Prints what the handler got, and how each request was left. With `pending` one of them
// has no message yet.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "noise.h"

enum { rounds = 12, go_on = 7 };

static int rank, pending;
static int values[3][4];
static MPI_Status statuses[3], status;
static MPI_Request requests[3];

static int class_of(int error) {
  int error_class;
  MPI_Error_class(error, &error_class);
  return error_class == MPI_ERR_IN_STATUS  ? 1
         : error_class == MPI_ERR_TRUNCATE ? 2
         : error_class == MPI_ERR_PENDING  ? 3
         : error == MPI_SUCCESS            ? 0
                                           : 4;
}

static void handle(MPI_Comm* comm, int* error, ...) {
  int same;
  MPI_Comm_compare(*comm, MPI_COMM_WORLD, &same);
  printf("%d handles %d%s\n", rank, class_of(*error), same == MPI_IDENT ? "" : ", of another");
}

static void show(const char* call, int result, int count) {
  printf("%d %s: %d, of", rank, call, class_of(result));
  for (int k = 0; k < count; ++k) {
    printf(" %d", result == MPI_SUCCESS ? 0 : class_of(statuses[k].MPI_ERROR));
  }
  printf("\n");
}

static void receive(int round) {
  int done = 0, outcount = 0, indices[3];
  const int source = round % 2 == 0 ? 1 : MPI_ANY_SOURCE;
  for (int k = 0; k < 3; ++k) {
    MPI_Irecv(values[k], k == 1 ? 1 : 4, MPI_INT, source, k, MPI_COMM_WORLD, &requests[k]);
  }
  if (round % 3 == 0 || pending) {
    show("waitall", MPI_Waitall(3, requests, statuses), 3);
  } else if (round % 3 == 1) {
    int result = MPI_SUCCESS;
    while (!done && result == MPI_SUCCESS) result = MPI_Testall(3, requests, &done, statuses);
    show("testall", result, 3);
  } else {
    for (int left = 3; left > 0; left -= outcount) {
      const int result = MPI_Waitsome(3, requests, &outcount, indices, statuses);
      show("waitsome", result, outcount);
      if (outcount == MPI_UNDEFINED) break;
    }
  }
  MPI_Send(&round, 1, MPI_INT, 1, go_on, MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k) {
    if (requests[k] != MPI_REQUEST_NULL) printf("%d still open: %d\n", rank, k);
    MPI_Wait(&requests[k], &status);
  }
}

int main(int arguments, char** argument) {
  MPI_Errhandler handler;
  pending = arguments > 1 && strcmp(argument[1], "pending") == 0;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (int round = 0; round < rounds; ++round) {
    if (rank == 0) receive(round);
    if (rank == 1) {
      noise();
      for (int k = 0; k < (pending ? 2 : 3); ++k) {
        MPI_Send(values[k], 4, MPI_INT, 0, k, MPI_COMM_WORLD);
      }
      MPI_Recv(values[0], 1, MPI_INT, 0, go_on, MPI_COMM_WORLD, &status);
      if (pending) MPI_Send(values[2], 4, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
  }
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
