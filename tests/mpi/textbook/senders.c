// Every other rank sends one message; rank 0 takes them by wildcard: n senders give n! orders.
#include <mpi.h>
#include <stdio.h>

#include "noise.h"

int main(int arguments, char** argument) {
  int rank, size, length = 0;
  char order[300] = "";
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  noise();
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) {
    int from;
    MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    length += snprintf(order + length, sizeof order - (size_t)length, " %d", from);
  }
  if (rank == 0) printf("%d order%s\n", rank, order);
  return MPI_Finalize();
}
