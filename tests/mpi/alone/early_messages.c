// Messages come before their turn. Rank 0 takes some with wildcards, as they come, and the rest by
// naming their senders, in every way that there is. With an argument it leaves that many there.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "noise.h"

enum { each = 120, tags = 2, longest = 20000, end = 9, back = 5 };
static unsigned long order = 0;
static int in[longest], out[longest];

/// Most are short; some are not sent before they are received.
static int length_of(int number) { return number % 40 == 20 ? longest : 2; }

static void note(MPI_Status* status) {
  int count = 0;
  MPI_Get_count(status, MPI_INT, &count);
  order = order * 1000003UL + (unsigned long)(status->MPI_SOURCE * 7 + status->MPI_TAG + count) +
          (unsigned long)in[0] + (unsigned long)in[1];
}

static void send_all(int rank, int to, MPI_Comm comm) {
  static int data[each][longest];
  MPI_Request requests[each];
  for (int i = 0; i < each; ++i) {
    data[i][0] = i;
    data[i][1] = rank;
    if (i % 16 == 0) noise();
    MPI_Isend(data[i], length_of(i), MPI_INT, to, i % tags, comm, &requests[i]);
  }
  MPI_Status last;
  do {  // what rank 0 sends back
    MPI_Recv(in, longest, MPI_INT, 0, MPI_ANY_TAG, comm, &last);
  } while (last.MPI_TAG != end);
  for (int i = 0; i < each; ++i) {
    int is_over = 0;
    MPI_Test(&requests[i], &is_over, MPI_STATUS_IGNORE);
  }
}

static void replace(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  in[0] = in[1] = 0;
  MPI_Sendrecv_replace(in, longest, MPI_INT, from, back, from, tag, comm, status);
}

/// Takes the next message from there.
static void take(int way, int from, int tag, MPI_Comm comm) {
  MPI_Status status;
  MPI_Message message;
  MPI_Request request = MPI_REQUEST_NULL;
  int found = 0;
  switch (way % 9) {
    case 0: MPI_Recv(in, longest, MPI_INT, from, tag, comm, &status); break;
    case 1:
      MPI_Irecv(in, longest, MPI_INT, from, tag, comm, &request);
      MPI_Wait(&request, &status);
      break;
    case 2:
      MPI_Recv_init(in, longest, MPI_INT, from, tag, comm, &request);
      MPI_Start(&request);
      MPI_Wait(&request, &status);
      MPI_Request_free(&request);
      break;
    case 3:
      MPI_Probe(from, tag, comm, &status);
      MPI_Recv(in, longest, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
      break;
    case 4:
      MPI_Mprobe(from, tag, comm, &message, &status);
      MPI_Mrecv(in, longest, MPI_INT, &message, &status);
      break;
    case 5:
      while (found == 0) MPI_Improbe(from, tag, comm, &found, &message, &status);
      MPI_Imrecv(in, longest, MPI_INT, &message, &request);
      MPI_Wait(&request, &status);
      break;
    case 6:
      MPI_Sendrecv(out, longest, MPI_INT, from, back, in, longest, MPI_INT, from, tag, comm,
                   &status);
      break;
    case 7: replace(from, tag, comm, &status); break;
    default:
#if MPI_VERSION >= 4
      MPI_Isendrecv(out, longest, MPI_INT, from, back, in, longest, MPI_INT, from, tag, comm,
                    &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);  // MPICH 4.0 leaves the status as it was
      order = order * 1000003UL + (unsigned long)(in[0] + in[1]);
      return;
#else
      while (found == 0) MPI_Iprobe(from, tag, comm, &found, &status);
      MPI_Recv(in, longest, MPI_INT, from, tag, comm, &status);
#endif
  }
  note(&status);
}

/// Takes half of all with wildcards, in several ways.
static void take_some(int count, int left[][tags], MPI_Comm comm) {
  for (int i = 0; i < count; ++i) {
    MPI_Status status;
    MPI_Request request;
    if (i % 3 == 0) {
      MPI_Irecv(in, longest, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
      MPI_Wait(&request, &status);
    } else if (i % 3 == 1) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      MPI_Recv(in, longest, MPI_INT, status.MPI_SOURCE, MPI_ANY_TAG, comm, &status);
    } else {
      MPI_Recv(in, longest, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    }
    note(&status);
    --left[status.MPI_SOURCE][status.MPI_TAG];
  }
}

int main(int arguments, char** argument) {
  int rank, size;
  const int stay = arguments > 1 ? atoi(argument[1]) : 0;
  MPI_Comm comm;
  MPI_Init(&arguments, &argument);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank == 0) {
    int left[64][tags];
    for (int i = 0; i < size; ++i) left[i][0] = left[i][1] = i == 0 ? 0 : each / tags;
    take_some((size - 1) * each / 2, left, comm);
    for (int from = size - 1, way = 0; from > 0; --from) {
      for (int tag = tags; tag-- > 0;) {
        for (; left[from][tag] > stay; --left[from][tag]) take(way++, from, tag, comm);
      }
    }
    for (int to = 1; to < size; ++to) MPI_Send(out, 1, MPI_INT, to, end, comm);
    printf("0 order %016lx\n", order);
  } else {
    send_all(rank, 0, comm);
  }
  MPI_Comm_free(&comm);
  return MPI_Finalize();
}
