// Receives one message in ten by PMPI_Recv, where no wrapper sees it: a replay must notice.
#include <mpi.h>
#include <stdio.h>

#include "noise.h"

enum { messages = 20 };

int main(int arguments, char** argument) {
  int rank;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; rank != 0 && i < messages; ++i) {
    noise();
    MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; rank == 0 && i < 3 * messages; ++i) {
    int value;
    MPI_Status status;
    if (i % 10 == 5) PMPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    if (i % 10 != 5) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    printf("%d got %d of %d\n", rank, value, status.MPI_SOURCE);
  }
  return MPI_Finalize();
}
