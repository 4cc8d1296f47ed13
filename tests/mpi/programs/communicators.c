// Wildcard receives on communicators of every origin: dup, idup, split, create, and used again.
#include "program.h"

static void race_and_free(MPI_Comm comm, const char* name) {
  race_on(comm, name);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

PROGRAM(comm_dup) {
  MPI_Comm comm, with_info;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &with_info);
  race_and_free(with_info, "info");
  race_and_free(comm, "dup");
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
  race_on(MPI_COMM_WORLD, "meanwhile");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  race_and_free(comm, "idup");
}

PROGRAM(comm_idup_waitany) {
  MPI_Comm comms[2];
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &requests[i]);
  for (int i = 0, which; i < 2; ++i) {
    noise();
    MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
    note("[%d]", which);
  }
  for (int i = 0; i < 2; ++i) race_and_free(comms[i], "idup");
}

PROGRAM(comm_split) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 3 ? MPI_UNDEFINED : 0, -rank, &comm);
  race_and_free(comm, "split");
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &comm);
  race_and_free(comm, "shared");
}

PROGRAM(comm_create) {
  MPI_Comm comm;
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 3, (int[]){3, 1, 2}, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
  race_and_free(comm, "create");
  if (rank != 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &comm);
    race_and_free(comm, "group");
  }
  MPI_Group_free(&some);
  MPI_Group_free(&all);
}

// A handle that was freed comes back as another communicator; two of them race with each other.
PROGRAM(comm_reuse) {
  for (int round = 0; round < 4; ++round) {
    MPI_Comm comms[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank == 0 ? 0 : ranks - rank, &comms[1]);
    for (int i = 0; i < 4; ++i) others_send(comms[(i + rank) % 2], 1);
    int values[2], which;
    MPI_Request requests[2];
    for (int i = 0; rank == 0 && i < 4 * (ranks - 1) / 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        MPI_Irecv(&values[j], 1, MPI_INT, MPI_ANY_SOURCE, 0, comms[j], &requests[j]);
      }
      for (int j = 0; j < 2; ++j) {
        MPI_Status status;
        MPI_Waitany(2, requests, &which, &status);
        note("c%d", which);
        note_message(&status, values[which]);
      }
    }
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  }
}
