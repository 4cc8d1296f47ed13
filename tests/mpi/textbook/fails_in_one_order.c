// Fails in one order only: a division by what rank 1 sends, unless rank 2 has come before. With
// the argument `abort` it calls MPI_Abort, else it ends with status 1.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "noise.h"

int main(int arguments, char** argument) {
  int rank, failed = 0, divisor = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  noise();
  const int value = rank - 1;  // rank 1 sends 0
  if (rank == 1 || rank == 2) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 2; ++i) {
    int received;
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    divisor += received;
    if (divisor == 0) failed = 1;
  }
  if (rank == 0) printf("0 %s\n", failed ? "divided by zero" : "fine");
  fflush(stdout);
  if (failed && arguments > 1) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return failed;
}
