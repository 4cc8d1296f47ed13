// A sender that is far ahead of its receiver by design. Rank 1 sends all that it is told to, and then
// tells rank 2, whose messages rank 0 takes first.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { early = 1, told = 2, first = 3, few = 10 };

int main(int arguments, char** argument) {
  int rank, value = 0;
  const int messages = arguments > 1 ? atoi(argument[1]) : 1000;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    for (int i = 0; i < messages; ++i) MPI_Send(&i, 1, MPI_INT, 0, early, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 2, told, MPI_COMM_WORLD);
  } else if (rank == 2) {
    MPI_Recv(&value, 1, MPI_INT, 1, told, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < few; ++i) MPI_Send(&value, 1, MPI_INT, 0, first, MPI_COMM_WORLD);
  } else if (rank == 0) {
    long sum = 0;
    for (int i = 0; i < few + messages; ++i) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i < few ? first : early, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      sum += value;
    }
    printf("0 sum %ld\n", sum);
  }
  return MPI_Finalize();
}
