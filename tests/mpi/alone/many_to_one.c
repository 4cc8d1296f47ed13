// Many to one: each other rank sends as many messages as it is told, of 64 bytes or of as many as
// it is told; rank 0 takes them as they come, and prints a hash of their order.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noise.h"

enum { longest = 1 << 17, window = 64 };
static int length = 64;

static void send_all(int rank, long messages) {
  static char buffers[window][longest];
  MPI_Request requests[window];
  for (int i = 0; i < window; ++i) requests[i] = MPI_REQUEST_NULL;
  for (long i = 0; i < messages; ++i) {
    MPI_Wait(&requests[i % window], MPI_STATUS_IGNORE);
    memset(buffers[i % window], rank, (size_t)length);
    if (i % window == 0) noise();
    MPI_Isend(buffers[i % window], length, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[i % window]);
  }
  MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
}

int main(int arguments, char** argument) {
  int rank, size;
  const long messages = arguments > 1 ? atol(argument[1]) : 1000;
  if (arguments > 2) length = atoi(argument[2]);
  if (length < 16 || length > longest) return 2;
  unsigned long order = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double start = MPI_Wtime();
  if (rank != 0) send_all(rank, messages);
  for (long i = 0; rank == 0 && i < messages * (size - 1); ++i) {
    static char buffer[longest];
    MPI_Status status;
    MPI_Recv(buffer, length, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    order = order * 1000003UL + (unsigned long)status.MPI_SOURCE + (unsigned long)buffer[9];
  }
  if (rank == 0) printf("0 order %016lx in %.6f s\n", order, MPI_Wtime() - start);
  return MPI_Finalize();
}
