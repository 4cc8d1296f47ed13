// Irecv by wildcard, completed by Wait and by Test; in reverse order; beside a receive that waits
// for a control message all the while.
#include "program.h"

static void post(int* value, int source, int tag, MPI_Request* request) {
  MPI_Irecv(value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, request);
}

PROGRAM(irecv_wait) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value;
    MPI_Request request;
    MPI_Status status;
    post(&value, MPI_ANY_SOURCE, MPI_ANY_TAG, &request);
    noise();
    MPI_Wait(&request, &status);
    note_message(&status, value);
  }
}

PROGRAM(irecv_test) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value, done = 0, failures = -1;
    MPI_Request request;
    MPI_Status status;
    post(&value, MPI_ANY_SOURCE, MPI_ANY_TAG, &request);
    for (; !done; ++failures) MPI_Test(&request, &done, &status);
    note_message(&status, value);
    note("after %d", failures);
  }
}

PROGRAM(irecv_reverse) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages; ++i) {
    int values[3];
    MPI_Request requests[3];
    for (int j = 0; j < 3; ++j) post(&values[j], MPI_ANY_SOURCE, MPI_ANY_TAG, &requests[j]);
    for (int j = 2; j >= 0; --j) {
      MPI_Status status;
      noise();
      MPI_Wait(&requests[j], &status);
      note_message(&status, values[j]);
    }
  }
}

// The control message has a tag that no other has, and comes last from one of the others.
PROGRAM(irecv_control) {
  enum { control = 7 };
  MPI_Request stop;
  int order = 0, value, stopped = 0, left = wildcard_messages * (ranks - 1);
  if (rank == 0) post(&order, MPI_ANY_SOURCE, control, &stop);
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, control, MPI_COMM_WORLD);
  while (rank == 0 && (left > 0 || !stopped)) {
    MPI_Status status;
    if (left-- > 0) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, left % 3, MPI_COMM_WORLD, &status);
      note_message(&status, value);
    }
    if (stopped) continue;
    MPI_Test(&stop, &stopped, &status);
    if (stopped) note("control of %d", status.MPI_SOURCE);
  }
}
