// Probe and Iprobe, by wildcard and of a named source, with receives of what they found.
#include "program.h"

static void receive(int source, int tag) {
  int value;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
  note_message(&status, value);
}

PROGRAM(probe_any) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    MPI_Status status;
    noise();
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    receive(status.MPI_SOURCE, status.MPI_TAG);
  }
}

// What is received need not be what was probed.
PROGRAM(probe_then_any) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, i % 3, MPI_COMM_WORLD, &status);
    note("probed %d", status.MPI_SOURCE);
    noise();
    receive(MPI_ANY_SOURCE, i % 3);
  }
}

PROGRAM(iprobe_any) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int found = 0, failures = -1;
    MPI_Status status;
    for (; !found; ++failures) {
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    }
    note("after %d", failures);
    receive(status.MPI_SOURCE, status.MPI_TAG);
  }
}

// No wildcard, and still a race: whether the message is there yet.
PROGRAM(iprobe_named) {
  int left[ranks] = {0, wildcard_messages, wildcard_messages, wildcard_messages};
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int received = 0, turn = 0; rank == 0 && received < 3 * wildcard_messages; ++turn) {
    const int source = turn % (ranks - 1) + 1;
    int found;
    if (left[source] == 0) continue;
    MPI_Iprobe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (!found) continue;
    receive(source, MPI_ANY_TAG);
    ++received;
    --left[source];
  }
}
