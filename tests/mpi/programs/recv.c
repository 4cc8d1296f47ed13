// Recv from any source with any tag; with the status ignored; between receives from one source.
#include "program.h"

PROGRAM(recv_any) {
  others_send(MPI_COMM_WORLD, 2 * wildcard_messages);
  for (int i = 0; rank == 0 && i < 2 * wildcard_messages * (ranks - 1); ++i) {
    int value;
    MPI_Status status;
    noise();
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    note_message(&status, value);
  }
}

PROGRAM(recv_status_ignored) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("%d", value);
  }
}

// A message of rank 1 with tag 2 overtakes those with other tags; then wildcards and receives from
// rank 1 take turns as long as it has messages left.
PROGRAM(recv_named_between) {
  int left = wildcard_messages;
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value;
    MPI_Status status;
    const int source = i % 2 == 0 && left > 0 ? 1 : MPI_ANY_SOURCE;
    MPI_Recv(&value, 1, MPI_INT, source, i == 0 ? 2 : MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    note_message(&status, value);
    if (status.MPI_SOURCE == 1) --left;
  }
}
