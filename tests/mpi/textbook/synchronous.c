// Sends that wait for their receive: which of two ranks, or three, wait for each other, and when.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noise.h"

static int rank, other, in, out = 7;

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Begin)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static void receive(void) {
  MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Both send, then receive.
static void head_to_head(Send send) {
  send(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  receive();
}

// Both begin to send; they wait for that before they receive, or after.
static void begun(Begin begin, int waits_first) {
  MPI_Request request;
  begin(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
  if (waits_first) MPI_Wait(&request, MPI_STATUS_IGNORE);
  receive();
  if (!waits_first) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void persistent(int waits_first) {
  MPI_Request request;
  MPI_Ssend_init(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  if (waits_first) MPI_Wait(&request, MPI_STATUS_IGNORE);
  receive();
  if (!waits_first) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

// The receives are posted before: no one waits forever.
static void posted(int source) {
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, source, 0, MPI_COMM_WORLD, &request);
  MPI_Ssend(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Rank 0 is in a barrier when its receive gets what rank 1 sends before the barrier.
static void in_barrier(Send send) {
  MPI_Request request;
  if (rank == 0) MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
  if (send == MPI_Rsend) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void buffered(void) {
  static char buffer[1000];
  char* back;
  int size;
  MPI_Buffer_attach(buffer, sizeof buffer);
  head_to_head(MPI_Bsend);
  MPI_Buffer_detach(&back, &size);
}

static void exchange(void) {
  MPI_Sendrecv(&out, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void any_of_both(void) {
  MPI_Request requests[2];
  int index;
  MPI_Issend(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

// A message that is probed for, even taken, is not received yet.
static void matched(int receives_first) {
  MPI_Message message;
  if (rank == 1) {
    MPI_Ssend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    if (receives_first) MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!receives_first) MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
}

// If rank 0 hears of rank 1 first, it answers to rank 2, which still waits for its own receive.
static void order_decides(void) {
  MPI_Status status;
  if (rank != 0) {
    MPI_Ssend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
  MPI_Ssend(&out, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int arguments, char** argument) {
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  noise();
  other = 1 - rank;
  const char* name = arguments > 1 ? argument[1] : "";
  if (strcmp(name, "ssend") == 0) head_to_head(MPI_Ssend);
  if (strcmp(name, "send") == 0) head_to_head(MPI_Send);
  if (strcmp(name, "bsend") == 0) buffered();
  if (strcmp(name, "issend") == 0) begun(MPI_Issend, 0);
  if (strcmp(name, "issend_first") == 0) begun(MPI_Issend, 1);
  if (strcmp(name, "isend_first") == 0) begun(MPI_Isend, 1);
  if (strcmp(name, "ssend_init") == 0) persistent(0);
  if (strcmp(name, "ssend_init_first") == 0) persistent(1);
  if (strcmp(name, "posted") == 0) posted(other);
  if (strcmp(name, "posted_any") == 0) posted(MPI_ANY_SOURCE);
  if (strcmp(name, "barrier") == 0) in_barrier(MPI_Ssend);
  if (strcmp(name, "rsend") == 0) in_barrier(MPI_Rsend);
  if (strcmp(name, "sendrecv") == 0) exchange();
  if (strcmp(name, "waitany") == 0) any_of_both();
  if (strcmp(name, "mrecv") == 0) matched(1);
  if (strcmp(name, "mrecv_late") == 0) matched(0);
  if (strcmp(name, "order") == 0) order_decides();
  return MPI_Finalize();
}
