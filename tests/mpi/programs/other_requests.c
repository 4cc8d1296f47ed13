// Requests of other origins among wildcard receives: of files, and the program's own.
#include <stdio.h>

#include "program.h"

static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, *(int*)state);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static int ignore(void* state) { return (void)state, MPI_SUCCESS; }

static int ignore_cancel(void* state, int complete) {
  return (void)state, (void)complete, MPI_SUCCESS;
}

PROGRAM(generalized_request) {
  int elements = 3, value, received = 0, total = wildcard_messages * (ranks - 1);
  MPI_Request requests[2];
  others_send(MPI_COMM_WORLD, wildcard_messages);
  if (rank != 0) return;
  MPI_Grequest_start(query, ignore, ignore_cancel, &elements, &requests[0]);
  while (received < total) {
    int which;
    MPI_Status status;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    if (received == total / 2) MPI_Grequest_complete(requests[0]);
    noise();
    do {
      MPI_Waitany(2, requests, &which, &status);
      if (which == 0) note("own");
    } while (which != 1);
    note_message(&status, value);
    ++received;
  }
}

PROGRAM(file_requests) {
  MPI_File file;
  char name[] = "calls.mpi-file";
  int values[2] = {rank, rank * rank}, read[2] = {0, 0};
  MPI_Request requests[2];
  MPI_Offset offset = (MPI_Offset)sizeof values * rank;
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS) {
    return;
  }
  MPI_File_iwrite_at(file, offset, values, 1, MPI_INT, &requests[0]);
  MPI_File_iwrite_at(file, offset + 4, values + 1, 1, MPI_INT, &requests[1]);
  for (int i = 0, which; i < 2; ++i) {
    MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
    note("[%d]", which);
  }
  race_on(MPI_COMM_WORLD, "race");
  MPI_File_iread_at(file, offset, read, 2, MPI_INT, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  note("%d %d", read[0], read[1]);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
}
