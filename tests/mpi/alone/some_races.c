// Rank 0 asks the others, and receives their answers from any source: one after the other, or every
// tenth time all at once. With four ranks, two of such three answers could have been others.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "noise.h"

static unsigned long order;

static void take_answer(void) {
  int value;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  order = order * 1000003UL + (unsigned long)status.MPI_SOURCE;
}

static void ask(int round, int size) {
  const int all_at_once = round % 10 == 0;
  for (int other = 1; other < size; ++other) {
    MPI_Send(&round, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    if (!all_at_once) take_answer();
  }
  for (int other = 1; all_at_once && other < size; ++other) take_answer();
}

static void answer(void) {
  int round;
  MPI_Recv(&round, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (round % 10 == 0) noise();
  MPI_Send(&round, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

int main(int count, char** word) {
  int rank, size;
  const int rounds = count > 1 ? atoi(word[1]) : 100;
  MPI_Init(&count, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) {
      ask(i, size);
    } else {
      answer();
    }
  }
  printf("%d order %lx\n", rank, order);
  return MPI_Finalize();
}
