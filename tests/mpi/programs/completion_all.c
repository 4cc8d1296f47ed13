// Waitall and Testall over wildcard receives, and requests that are null.
#include "program.h"

static void post_all(int* values, MPI_Request* requests) {
  for (int i = 0; i < 3; ++i) {
    MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  }
}

PROGRAM(waitall) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int round = 0; rank == 0 && round < wildcard_messages; ++round) {
    int values[3];
    MPI_Request requests[3];
    MPI_Status statuses[3];
    post_all(values, requests);
    noise();
    MPI_Waitall(3, requests, round % 2 == 0 ? statuses : MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i) {
      if (round % 2 == 0) note_message(&statuses[i], values[i]);
      if (round % 2 != 0) note("%d", values[i]);
    }
  }
}

PROGRAM(testall) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int round = 0; rank == 0 && round < wildcard_messages; ++round) {
    int values[3], done = 0, failures = -1;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    post_all(values, requests);
    for (; !done; ++failures) MPI_Testall(3, requests, &done, statuses);
    note("after %d", failures);
    for (int i = 0; i < 3; ++i) note_message(&statuses[i], values[i]);
  }
}

// Completing nothing is answered at once, and is no race; a null request among others is skipped.
PROGRAM(null_requests) {
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int which, flag, some, indices[3], value;
  MPI_Status status;
  MPI_Wait(&requests[0], &status);
  MPI_Waitany(3, requests, &which, &status);
  note("%d", which == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Testany(3, requests, &which, &flag, MPI_STATUS_IGNORE);
  note("%d %d", which == MPI_UNDEFINED, flag);
  MPI_Waitsome(3, requests, &some, indices, MPI_STATUSES_IGNORE);
  note("%d", some == MPI_UNDEFINED);
  MPI_Testsome(0, requests, &some, indices, MPI_STATUSES_IGNORE);
  note("%d", some == MPI_UNDEFINED);
  MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
  note("%d", flag);
  others_send(MPI_COMM_WORLD, 3);
  for (int i = 0; rank == 0 && i < 3 * (ranks - 1); ++i) {
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i % 3]);
    MPI_Waitany(3, requests, &which, &status);
    note("[%d]", which);
    note_message(&status, value);
  }
}
