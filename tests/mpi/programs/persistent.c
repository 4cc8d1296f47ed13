// Persistent requests: Recv_init by wildcard with Start, Startall, Waitany, Waitsome, Testany, and
// each kind of persistent send.
#include "program.h"

static int values[3];
static MPI_Request requests[3];

static void init(void) {
  for (int i = 0; i < 3; ++i) {
    MPI_Recv_init(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &requests[i]);
  }
}

static void free_all(void) {
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
}

PROGRAM(persistent_waitany) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  init();
  MPI_Startall(3, requests);
  for (int done = 0, which; done < wildcard_messages * (ranks - 1); ++done) {
    MPI_Status status;
    noise();
    MPI_Waitany(3, requests, &which, &status);
    note("[%d]", which);
    note_message(&status, values[which]);
    if (done + 3 < wildcard_messages * (ranks - 1)) MPI_Start(&requests[which]);
  }
  free_all();
}

PROGRAM(persistent_waitsome) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  init();
  for (int round = 0; round < wildcard_messages; ++round) {
    MPI_Startall(3, requests);
    for (int done = 0, some, which[3]; done < 3; done += some) {
      MPI_Status statuses[3];
      noise();
      MPI_Waitsome(3, requests, &some, which, statuses);
      for (int i = 0; i < some; ++i) note_message(&statuses[i], values[which[i]]);
      note("|");
    }
  }
  free_all();
}

// An inactive request completes at once, and a started one may be cancelled.
PROGRAM(persistent_wait_test) {
  int done, cancelled;
  MPI_Status status;
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  init();
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  for (int i = 0; i < wildcard_messages * (ranks - 1); ++i) {
    int failures = 0;
    MPI_Start(&requests[i % 3]);
    if (i % 2 == 0) MPI_Wait(&requests[i % 3], &status);
    for (done = i % 2 == 0; !done; ++failures) MPI_Test(&requests[i % 3], &done, &status);
    note_message(&status, values[i % 3]);
    note("after %d", failures);
  }
  MPI_Start(&requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &cancelled);
  note("%s", cancelled ? "cancelled" : "received");
  free_all();
}
