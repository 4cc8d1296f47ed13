// Waitany and Testany over wildcard receives and over receives from named sources.
#include "program.h"

static void post(int* value, int source, MPI_Request* request) {
  MPI_Irecv(value, 1, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, request);
}

PROGRAM(waitany) {
  int values[3], total = wildcard_messages * (ranks - 1);
  MPI_Request requests[3];
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  for (int i = 0; i < 3; ++i) post(&values[i], MPI_ANY_SOURCE, &requests[i]);
  for (int done = 0, which; done < total; ++done) {
    MPI_Status status;
    noise();
    MPI_Waitany(3, requests, &which, &status);
    note("[%d]", which);
    note_message(&status, values[which]);
    if (done + 3 < total) post(&values[which], MPI_ANY_SOURCE, &requests[which]);
  }
}

// A race without wildcards: which of the named comes first.
PROGRAM(waitany_named) {
  int values[3], left[3] = {wildcard_messages, wildcard_messages, wildcard_messages};
  MPI_Request requests[3];
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  for (int i = 0; i < 3; ++i) post(&values[i], i + 1, &requests[i]);
  for (int done = 0, which; done < wildcard_messages * (ranks - 1); ++done) {
    MPI_Waitany(3, requests, &which, MPI_STATUS_IGNORE);
    note("[%d]=%d", which, values[which]);
    if (--left[which] > 0) post(&values[which], which + 1, &requests[which]);
  }
}

PROGRAM(testany) {
  int values[3], total = wildcard_messages * (ranks - 1), failures = 0;
  MPI_Request requests[3];
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  for (int i = 0; i < 3; ++i) post(&values[i], MPI_ANY_SOURCE, &requests[i]);
  for (int done = 0, which, flag; done < total;) {
    MPI_Status status;
    MPI_Testany(3, requests, &which, &flag, &status);
    if (!flag && ++failures > 0) continue;
    note("[%d] after %d", which, failures);
    note_message(&status, values[which]);
    if (done++ + 3 < total) post(&values[which], MPI_ANY_SOURCE, &requests[which]);
    failures = 0;
  }
}
