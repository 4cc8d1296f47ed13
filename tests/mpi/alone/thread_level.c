// Init_thread with the level given (funneled or serialized), Query_thread, and wildcard receives;
// with serialized, a second thread takes turns with the first.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "noise.h"

enum { messages = 10 };
static int rank;

static void* receive(void* from) {
  for (int i = 0; rank == 0 && i < 3 * messages / 2; ++i) {
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    printf("%d %s got %d of %d\n", rank, (const char*)from, value, status.MPI_SOURCE);
  }
  return NULL;
}

int main(int arguments, char** argument) {
  const int serialized = arguments > 1 && strcmp(argument[1], "serialized") == 0;
  int provided, again, is_main;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init_thread(&arguments, &argument, serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED,
                  &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Query_thread(&again);
  MPI_Is_thread_main(&is_main);
  printf("%d level %d %d\n", rank, provided == again, is_main);
  for (int i = 0; rank != 0 && i < messages; ++i) {
    noise();
    MPI_Send(&i, 1, MPI_INT, 0, i % 2, MPI_COMM_WORLD);
  }
  pthread_t other;  // half of the messages are received here or there, half by the main thread
  if (serialized) pthread_create(&other, NULL, receive, "second");
  if (serialized) pthread_join(other, NULL);
  if (!serialized) receive("main");
  receive("main");
  return MPI_Finalize();
}
