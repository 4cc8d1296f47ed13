// Request_get_status, Request_free of sends, Cancel and Test_cancelled; a count of failed tests.
#include "program.h"

PROGRAM(request_get_status) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value, done = 0, failures = -1;
    MPI_Request request;
    MPI_Status seen, status;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    for (; !done; ++failures) MPI_Request_get_status(request, &done, &seen);
    MPI_Wait(&request, &status);
    note("%d after %d", seen.MPI_SOURCE, failures);
    note_message(&status, value);
  }
}

PROGRAM(request_free) {
  static int values[wildcard_messages];
  for (int i = 0; rank != 0 && i < wildcard_messages; ++i) {
    MPI_Request request;
    values[i] = 100 * rank + i;
    noise();
    MPI_Isend(&values[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    note_message(&status, value);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// The first receive matches nothing; the second may have matched when it is cancelled.
PROGRAM(cancel) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value, cancelled[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    noise();
    for (int j = 0; j < 2; ++j) {
      MPI_Cancel(&requests[j]);
      MPI_Wait(&requests[j], &statuses[j]);
      MPI_Test_cancelled(&statuses[j], &cancelled[j]);
    }
    note("%s%s", cancelled[0] ? "cancelled" : "received", cancelled[1] ? "," : "");
    if (cancelled[1]) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &statuses[1]);
    }
    note_message(&statuses[1], value);
  }
}

// One named source, and still a race: how often the answer is no.
PROGRAM(test_failures) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value, done = 0, failures = -1;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, i % 3 + 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    for (; !done; ++failures) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    note("%d after %d", value, failures);
  }
}

// The same without wildcards: a replay must not post those that were cancelled, since they would
// take what later receives got.
PROGRAM(cancel_named) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value = -1, was_cancelled;
    MPI_Request request;
    MPI_Status status;
    const int from = i % (ranks - 1) + 1, tag = i / (ranks - 1) % 3;
    MPI_Irecv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &request);
    noise();
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &was_cancelled);
    if (was_cancelled) MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
    note("%s %d", was_cancelled ? "cancelled" : "received", value);
  }
}
