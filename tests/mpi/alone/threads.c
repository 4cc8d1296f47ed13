// THREAD_MULTIPLE, with two threads of rank 0 that receive by wildcard at the same time: to be
// recorded and replayed exactly, or refused.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#include "noise.h"

enum { messages = 10 };
static int rank;

static void* receive(void* tag) {
  for (int i = 0; i < 3 * messages; ++i) {
    int value;
    MPI_Status status;
    noise();
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, *(int*)tag, MPI_COMM_WORLD, &status);
    printf("%d.%d got %d of %d\n", rank, *(int*)tag, value, status.MPI_SOURCE);
  }
  return NULL;
}

int main(int arguments, char** argument) {
  int provided, tags[2] = {0, 1};
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init_thread(&arguments, &argument, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%d level %s\n", rank, provided == MPI_THREAD_MULTIPLE ? "multiple" : "less");
  if (provided != MPI_THREAD_MULTIPLE) return MPI_Finalize();
  for (int i = 0; rank != 0 && i < 2 * messages; ++i) {
    noise();
    MPI_Send(&i, 1, MPI_INT, 0, i % 2, MPI_COMM_WORLD);
  }
  if (rank == 0) {
    pthread_t other;
    pthread_create(&other, NULL, receive, &tags[1]);
    receive(&tags[0]);
    pthread_join(other, NULL);
  }
  return MPI_Finalize();
}
