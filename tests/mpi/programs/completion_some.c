// Waitsome and Testsome over wildcard receives, posted again as they complete.
#include "program.h"

enum { posted = 4, total = wildcard_messages * (ranks - 1) };

static int values[posted];
static MPI_Request requests[posted];

static void post(int i) {
  MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
}

/// Prints those that are complete, and posts them again as long as messages are left.
static int take(int some, const int* which, const MPI_Status* statuses, int done) {
  note("%d:", some);
  for (int i = 0; i < some; ++i, ++done) {
    note("[%d]", which[i]);
    if (statuses != MPI_STATUSES_IGNORE) note_message(&statuses[i], values[which[i]]);
    if (statuses == MPI_STATUSES_IGNORE) note("%d", values[which[i]]);
    if (done + posted < total) post(which[i]);
  }
  return done;
}

PROGRAM(waitsome) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < posted; ++i) post(i);
  for (int done = 0, some, which[posted]; rank == 0 && done < total;) {
    MPI_Status statuses[posted];
    noise();
    MPI_Waitsome(posted, requests, &some, which, statuses);
    done = take(some, which, statuses, done);
  }
}

PROGRAM(waitsome_statuses_ignored) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < posted; ++i) post(i);
  for (int done = 0, some, which[posted]; rank == 0 && done < total;) {
    noise();
    MPI_Waitsome(posted, requests, &some, which, MPI_STATUSES_IGNORE);
    done = take(some, which, MPI_STATUSES_IGNORE, done);
  }
}

PROGRAM(testsome) {
  int failures = 0;
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < posted; ++i) post(i);
  for (int done = 0, some, which[posted]; rank == 0 && done < total;) {
    MPI_Status statuses[posted];
    noise();
    MPI_Testsome(posted, requests, &some, which, statuses);
    if (some == 0) ++failures;
    if (some > 0) done = take(some, which, statuses, done);
  }
  if (rank == 0) note("%d failures", failures);
}
