// Deadlocks in one order: the wildcard takes the message of rank 1, for which rank 0 then waits.
#include <mpi.h>
#include <stdio.h>

#include "noise.h"

int main(int arguments, char** argument) {
  int rank, first, second;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  noise();
  if (rank == 1 || rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("0 got %d, then %d\n", first, second);
  }
  return MPI_Finalize();
}
