// Messages that come before their turn, where that must not be noticed: too long for their buffer,
// with gaps, beside messages of the MPI itself. `deadlock`: a synchronous send that nobody takes.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "noise.h"

enum { length = 10, room = 4, first = 1, last = 2, back = 3, slow = 4, made = 5 };
enum { persistent = 2, ways = 6 };
static int in[2 * length], out[length];

static void note(const char* how, int result, MPI_Status* status) {
  int error_class, count, sum = 0;
  MPI_Error_class(result, &error_class);
  MPI_Get_count(status, MPI_INT, &count);
  for (int i = 0; i < 2 * length; ++i) sum = 3 * sum + in[i];
  printf("0 %s: %s source %d tag %d count %d sum %d\n", how,
         error_class == MPI_ERR_TRUNCATE ? "truncated" : "fine", status->MPI_SOURCE,
         status->MPI_TAG, count, sum);
  memset(in, 0, sizeof in);
}

/// Takes a message that came early, into too little room and into enough.
static void take(int way, int count, MPI_Datatype type, MPI_Comm comm) {
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  int result;
  switch (way) {
    case 0: result = MPI_Recv(in, count, type, 1, first, comm, &status); break;
    case 1:
      MPI_Irecv(in, count, type, 1, first, comm, &request);
      result = MPI_Wait(&request, &status);
      break;
    case persistent:
      MPI_Recv_init(in, count, type, 1, first, comm, &request);
      MPI_Start(&request);
      result = MPI_Wait(&request, &status);
      MPI_Request_free(&request);
      break;
    case 3:
      MPI_Mprobe(1, first, comm, &message, &status);
      result = MPI_Mrecv(in, count, type, &message, &status);
      break;
    case 4:
      MPI_Mprobe(MPI_ANY_SOURCE, first, comm, &message, &status);
      MPI_Imrecv(in, count, type, &message, &request);
      result = MPI_Wait(&request, &status);
      break;
    default:
      result =
          MPI_Sendrecv(out, length, MPI_INT, 1, back, in, count, type, 1, first, comm, &status);
  }
  note("early", result, &status);
}

static void take_all(MPI_Comm comm) {
  MPI_Status status;
  MPI_Datatype gaps;
  MPI_Type_vector(length, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Recv(in, length, MPI_INT, MPI_ANY_SOURCE, last, comm, &status);
  for (int way = 0; way < ways; ++way) take(way, length, MPI_INT, comm);
  for (int way = 0; way < ways; ++way) {
    if (way != persistent) take(way, room, MPI_INT, comm);  // what becomes of its request differs
  }
  for (int way = 0; way < ways; ++way) take(way, 1, gaps, comm);
  MPI_Type_free(&gaps);
}

static void send_all(MPI_Comm comm) {
  for (int i = 0; i < 3 * ways - 1; ++i) {
    for (int k = 0; k < length; ++k) out[k] = i + k;
    MPI_Send(out, length, MPI_INT, 0, first, comm);
  }
  MPI_Send(out, length, MPI_INT, 0, last, comm);
  for (int i = 0; i < 3; ++i) {
    MPI_Recv(in, length, MPI_INT, 0, back, comm, MPI_STATUS_IGNORE);
  }
}

/// Rank 1 is there long before rank 0, which waits for rank 2.
static void make_together(int rank, MPI_Comm comm) {
  MPI_Comm inter, half;
  MPI_Comm_split(comm, rank % 2, rank, &half);
  if (rank == 0) {
    MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, slow, comm, MPI_STATUS_IGNORE);
  } else if (rank == 2) {
    noise();
    MPI_Send(out, 1, MPI_INT, 0, slow, comm);
  }
  MPI_Intercomm_create(half, 0, comm, rank % 2 == 0 ? 1 : 0, made, &inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

int main(int arguments, char** argument) {
  int rank;
  MPI_Comm comm;
  const int deadlock = arguments > 1 && strcmp(argument[1], "deadlock") == 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  if (deadlock) {
    if (rank == 0) MPI_Recv(in, 1, MPI_INT, 1, last, comm, MPI_STATUS_IGNORE);
    if (rank == 1) {
      MPI_Ssend(out, 1, MPI_INT, 0, first, comm);
      MPI_Send(out, 1, MPI_INT, 0, last, comm);
    }
  } else {
    if (rank == 0) take_all(comm);
    if (rank == 1) send_all(comm);
    make_together(rank, comm);
  }
  MPI_Comm_free(&comm);
  return MPI_Finalize();
}
