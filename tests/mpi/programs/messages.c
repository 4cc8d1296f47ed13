// Messages of other kinds: to nobody, to oneself, large and tiny, of derived types, too long.
#include <string.h>

#include "program.h"

PROGRAM(proc_null) {
  int value = 5, flag;
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  note("%d %d", status.MPI_SOURCE == MPI_PROC_NULL, status.MPI_TAG == MPI_ANY_TAG);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &status);
  note("%d %d", status.MPI_SOURCE == MPI_PROC_NULL, flag);
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
  note("%d", message == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  MPI_Sendrecv(&rank, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, &value, 1, MPI_INT,
               rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  note("%d", value);
  race_on(MPI_COMM_WORLD, "race");
}

// A message to oneself races with those of the others.
PROGRAM(to_oneself) {
  int sent = rank, value;
  MPI_Request request;
  if (rank == 0) MPI_Isend(&sent, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1) + 1; ++i) {
    MPI_Status status;
    noise();
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    note_message(&status, value);
  }
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  note("%d", value);
}

// A megabyte is sent by rendezvous, one byte at once: matching must not depend on it.
PROGRAM(large_and_tiny) {
  enum { megabyte = 1 << 20, messages = 4 };
  static char buffers[3][megabyte];
  MPI_Request requests[3];
  for (int i = 0; rank != 0 && i < messages; ++i) {
    memset(buffers[0], 10 * rank + i, megabyte);
    noise();
    MPI_Send(buffers[0], i % 2 == rank % 2 ? megabyte : 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; rank == 0 && i < messages; ++i) {
    for (int j = 0; j < 3; ++j) {
      MPI_Irecv(buffers[j], megabyte, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[j]);
    }
    for (int j = 0, which, length; j < 3; ++j) {
      MPI_Status status;
      MPI_Waitany(3, requests, &which, &status);
      MPI_Get_count(&status, MPI_CHAR, &length);
      note("[%d] %dx%d", which, buffers[which][length - 1], length);
    }
  }
}

PROGRAM(derived_types) {
  MPI_Datatype pairs;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  for (int i = 0; rank != 0 && i < wildcard_messages; ++i) {
    int values[3] = {rank, -1, i};
    noise();
    MPI_Send(values, 1, pairs, 0, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int values[3] = {0, 7, 0};
    MPI_Recv(values, 1, pairs, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("%d%d%d", values[0], values[1], values[2]);
  }
  MPI_Type_free(&pairs);
}

// Rank 1 sends two numbers where one is expected; the error comes where it came.
PROGRAM(errors_returned) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; rank != 0 && i < wildcard_messages; ++i) {
    int values[2] = {100 * rank + i, 0};
    noise();
    MPI_Send(values, rank == 1 ? 2 : 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    int value, class;
    MPI_Status status;
    const int error = MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Error_class(error, &class);
    note("%s", error == MPI_SUCCESS ? "whole" : class == MPI_ERR_TRUNCATE ? "cut" : "other");
    note("%d", status.MPI_SOURCE);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}
