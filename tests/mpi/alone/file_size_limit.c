// Messages of a program whose files may not grow beyond the bytes that it is told. Rank 0 prints how
// it ended, and whether the signal of that limit is still as the program left it.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int main(int arguments, char** argument) {
  int rank, size, value = 0;
  const rlim_t bytes = arguments > 1 ? strtoul(argument[1], NULL, 10) : 0;
  const int rounds = arguments > 2 ? atoi(argument[2]) : 1000;
  const long milliseconds = arguments > 3 ? atol(argument[3]) : 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct rlimit limit = {bytes, bytes};
  if (bytes != 0) setrlimit(RLIMIT_FSIZE, &limit);
  for (int round = 0; round < rounds; ++round) {
    if (rank != 0) {
      MPI_Send(&round, 1, MPI_INT, 0, round % 7, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      continue;
    }
    for (int i = 1; i < size; ++i) {
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
    const struct timespec pause = {0, milliseconds * 1000000};
    if (milliseconds != 0) nanosleep(&pause, NULL);
  }
  struct sigaction now;
  sigset_t pending;
  sigaction(SIGXFSZ, NULL, &now);
  sigpending(&pending);
  if (rank == 0) {
    printf("0 done: %s, %s\n", now.sa_handler == SIG_DFL ? "default" : "changed",
           sigismember(&pending, SIGXFSZ) ? "pending" : "not pending");
  }
  return MPI_Finalize();
}
