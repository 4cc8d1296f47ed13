// Does what its arguments say, one for each rank, and prints what all have received. A letter and a
// rank, or * for any: s, b MPI_Ssend, MPI_Send; y MPI_Issend; r, i MPI_Recv, MPI_Irecv. Alone: v, w
// MPI_Wait for the oldest MPI_Issend, or MPI_Irecv, that was not waited for.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 20, last_tag = 99 };

static int rank, size, sends, receives, waited_sends, waited_receives;
static int sent[most], received[most];
static MPI_Request begun_sends[most], begun_receives[most];
static int begun_send, begun_receive;

static void act(char what, int with) {
  if (strchr("sby", what) != NULL) sent[sends] = 10 * rank + sends;
  switch (what) {
    case 's': MPI_Ssend(&sent[sends++], 1, MPI_INT, with, 0, MPI_COMM_WORLD); break;
    case 'b': MPI_Send(&sent[sends++], 1, MPI_INT, with, 0, MPI_COMM_WORLD); break;
    case 'y':
      MPI_Issend(&sent[sends], 1, MPI_INT, with, 0, MPI_COMM_WORLD, &begun_sends[begun_send++]);
      ++sends;
      break;
    case 'v': MPI_Wait(&begun_sends[waited_sends++], MPI_STATUS_IGNORE); break;
    case 'r':
      MPI_Recv(&received[receives++], 1, MPI_INT, with, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    case 'i':
      MPI_Irecv(&received[receives], 1, MPI_INT, with, 0, MPI_COMM_WORLD,
                &begun_receives[begun_receive++]);
      ++receives;
      break;
    case 'w': MPI_Wait(&begun_receives[waited_receives++], MPI_STATUS_IGNORE); break;
    default: MPI_Abort(MPI_COMM_WORLD, 5);
  }
}

static char outcome[1000] = "outcome";

static void add(int of, const int* values) {
  char* end = outcome + strlen(outcome);
  end += sprintf(end, " %d:", of);
  for (int i = 0; i < most && values[i] >= 0; ++i) end += sprintf(end, "%d,", values[i]);
}

int main(int arguments, char** argument) {
  static char buffer[most * sizeof(int) + MPI_BSEND_OVERHEAD + 100];
  char* back;
  int length;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < most; ++i) received[i] = -1;
  for (const char* p = argument[rank + 1]; *p != 0; ++p) {
    const char what = *p;
    int with = 0;
    if (what != 'v' && what != 'w') with = *++p == '*' ? MPI_ANY_SOURCE : *p - '0';
    act(what, with);
  }
  MPI_Buffer_attach(buffer, sizeof buffer);
  if (rank != 0) MPI_Bsend(received, most, MPI_INT, 0, last_tag, MPI_COMM_WORLD);
  if (rank == 0) {
    add(0, received);
    for (int from = 1; from < size; ++from) {
      MPI_Recv(received, most, MPI_INT, from, last_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      add(from, received);
    }
    puts(outcome);
  }
  MPI_Buffer_detach(&back, &length);
  return MPI_Finalize();
}
