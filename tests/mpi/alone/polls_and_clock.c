// A loop that polls and reads the clock, for so many seconds. Prints how often, and the times it saw.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int arguments, char** argument) {
  int rank, value = 0, sent = 0, is_over = 0;
  long polls = 0;
  double sum = 0;
  MPI_Request request;
  const double seconds = arguments > 1 ? atof(argument[1]) : 1;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  const double start = MPI_Wtime();
  for (double now = start; now - start < seconds; ++polls) {
    MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
    now = MPI_Wtime();
    sum += now - start;
  }
  MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("%d polls %ld sum %.17g\n", rank, polls, sum);
  return MPI_Finalize();
}
