// Receives by wildcard what it believes it has probed: the length is of one message, the content of
// another. Exits with status 1 when it notices.
#include <mpi.h>
#include <stdio.h>

#include "noise.h"

int main(int arguments, char** argument) {
  int rank, wrong = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  noise();
  if (rank == 1 || rank == 2) {
    // Whether tag 0 or 1 is probed depends on who was faster; the receive takes either.
    const int values[2] = {rank, rank};
    MPI_Send(values, rank, MPI_INT, 0, rank, MPI_COMM_WORLD);
  }
  for (int i = 0; rank == 0 && i < 2; ++i) {
    int values[2], expected, length;
    MPI_Status probed, received;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &probed);
    MPI_Get_count(&probed, MPI_INT, &expected);
    noise();
    MPI_Recv(values, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &received);
    MPI_Get_count(&received, MPI_INT, &length);
    printf("0 probed %d, received %d\n", expected, length);
    wrong += expected != length;
  }
  MPI_Finalize();
  return wrong > 0;
}
