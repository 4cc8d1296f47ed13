// Takes the request that completes first for the first in the array: two named receives, and a
// result that is wrong (status 1) when they complete the other way round.
#include <mpi.h>
#include <stdio.h>

#include "noise.h"

int main(int arguments, char** argument) {
  int rank, wrong = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  noise();
  if (rank == 1 || rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int values[2], which, order[2];
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < 2; ++i) {
      MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
      order[i] = values[which];
    }
    wrong = order[0] - order[1] != -1;
    printf("0 difference %d\n", order[0] - order[1]);
  }
  MPI_Finalize();
  return wrong;
}
