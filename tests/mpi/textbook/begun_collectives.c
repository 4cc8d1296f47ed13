// Collective operations that are begun, small and large, while a wildcard has a choice.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noise.h"

enum { large = 40000 };

static int rank, size;

static void expect(int is_right) {
  if (!is_right) MPI_Abort(MPI_COMM_WORLD, 5);
}

static void scan(void) {
  int sum = 0, one = 1;
  MPI_Request request;
  MPI_Iscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(sum == rank + 1);
}

static void reduce(void) {
  int* in = malloc(large * sizeof *in);
  int* out = malloc(large * sizeof *out);
  MPI_Request request;
  for (int i = 0; i < large; ++i) in[i] = i;
  MPI_Iallreduce(in, out, large, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(out[large - 1] == size * (large - 1));
  free(in);
  free(out);
}

// Rank 0 begins the barrier that the others enter only when they have heard of it.
static void any_of_both(void) {
  MPI_Request requests[2];
  int index, value = 0;
  MPI_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  if (rank != 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

static void duplicate(void) {
  MPI_Comm other;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &other, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(other);
  MPI_Comm_free(&other);
}

int main(int arguments, char** argument) {
  int value = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  noise();
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  scan();
  reduce();
  any_of_both();
  duplicate();
  return MPI_Finalize();
}
