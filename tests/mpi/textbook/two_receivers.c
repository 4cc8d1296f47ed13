// Ranks 0 and 1 each take a message of every other rank: with four ranks, 2! orders at each.
#include <mpi.h>
#include <stdio.h>

#include "noise.h"

int main(int arguments, char** argument) {
  int rank, size, length = 0;
  char order[300] = "";
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int to = 0; rank > 1 && to < 2; ++to) {
    noise();
    MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  }
  for (int i = 2; rank < 2 && i < size; ++i) {
    int from;
    MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    length += snprintf(order + length, sizeof order - (size_t)length, " %d", from);
  }
  if (rank < 2) printf("%d order%s\n", rank, order);
  return MPI_Finalize();
}
