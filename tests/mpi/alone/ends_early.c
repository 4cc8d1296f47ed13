// Ends in the middle, as it is told: `abort` by rank 0, or rank 2 by `SEGV`, `KILL` or `exit`.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "noise.h"

enum { messages = 400 };

static void end_as(const char* how) {
  if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  sleep(2);  // what happened more than a second ago is to be kept, whatever comes
  if (strcmp(how, "exit") == 0) exit(8);
  raise(strcmp(how, "SEGV") == 0 ? SIGSEGV : SIGKILL);
}

int main(int arguments, char** argument) {
  int rank;
  const char* how = arguments > 1 ? argument[1] : "abort";
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; rank != 0 && i < messages; ++i) {
    if (i % 20 == 0) noise();
    MPI_Ssend(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 2 && i == messages / 2 && strcmp(how, "abort") != 0) end_as(how);
  }
  unsigned order = 0;
  for (int i = 0; rank == 0 && i < 3 * messages; ++i) {
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    order = order * 31 + (unsigned)status.MPI_SOURCE;
    if (i % 10 == 0) printf("%d after %d: %u\n", rank, i, order);
    if (i == messages && strcmp(how, "abort") == 0) end_as(how);
  }
  return MPI_Finalize();
}
