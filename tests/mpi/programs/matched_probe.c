// Mprobe and Improbe, with Mrecv and Imrecv of what they took; messages of several lengths.
#include "program.h"

static void send_lengths(void) {
  for (int i = 0; rank != 0 && i < wildcard_messages; ++i) {
    int values[4] = {100 * rank + i, rank, i, 0};
    noise();
    MPI_Send(values, 1 + i % 4, MPI_INT, 0, i % 2, MPI_COMM_WORLD);
  }
}

static void note_length(const MPI_Status* status, int value) {
  int length;
  MPI_Get_count(status, MPI_INT, &length);
  note_message(status, value);
  note("x%d", length);
}

PROGRAM(mprobe_mrecv) {
  send_lengths();
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int values[4];
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    noise();
    MPI_Mrecv(values, 4, MPI_INT, &message, &status);
    note_length(&status, values[0]);
  }
}

// Two messages are taken before either is received, the second first.
PROGRAM(mprobe_imrecv) {
  send_lengths();
  for (int i = 0; rank == 0 && i + 1 < wildcard_messages * (ranks - 1); i += 2) {
    int values[2][4];
    MPI_Message messages[2];
    MPI_Request requests[2];
    for (int j = 0; j < 2; ++j) {
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[j], MPI_STATUS_IGNORE);
      noise();
    }
    for (int j = 1; j >= 0; --j) MPI_Imrecv(values[j], 4, MPI_INT, &messages[j], &requests[j]);
    for (int j = 0; j < 2; ++j) {
      MPI_Status status;
      MPI_Wait(&requests[j], &status);
      note_length(&status, values[j][0]);
    }
  }
  int last[4];
  if (rank != 0) return;
  MPI_Recv(last, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  note("%d", last[0]);
}

PROGRAM(improbe) {
  send_lengths();
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int values[4], found = 0, failures = -1;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    for (; !found; ++failures) {
      MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
    }
    note("after %d", failures);
    if (i % 3 == 0) {
      MPI_Mrecv(values, 4, MPI_INT, &message, &status);
    } else {
      MPI_Imrecv(values, 4, MPI_INT, &message, &request);
      MPI_Wait(&request, &status);
    }
    note_length(&status, values[0]);
  }
}
