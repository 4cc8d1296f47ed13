// The kinds of sends: Send, Ssend, Bsend, Rsend; Isend, Issend, Ibsend, Irsend with Testany.
#include "program.h"

enum { kinds = 4, rounds = 3 };

static void receive_all(void) {
  int values[kinds * (ranks - 1)];
  MPI_Request requests[kinds * (ranks - 1)];
  for (int i = 0; i < kinds * (ranks - 1); ++i) {
    MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kinds * (ranks - 1); ++i) {
    MPI_Status status;
    noise();
    MPI_Wait(&requests[i], &status);
    note_message(&status, values[i]);
  }
}

static void send_all(int value) {
  MPI_Barrier(MPI_COMM_WORLD);
  noise();
  MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Ssend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Bsend(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  MPI_Rsend(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
}

static void isend_all(int value) {
  MPI_Request requests[kinds];
  int failures = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  noise();
  MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Ibsend(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Irsend(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[3]);
  for (int done = 0, flag, which; done < kinds;) {
    MPI_Testany(kinds, requests, &which, &flag, MPI_STATUS_IGNORE);
    if (!flag) ++failures;
    if (flag) note("[%d]", which);
    done += flag;
  }
  note("%d failures", failures);
}

static void send_rounds(void (*send)(int)) {
  static char buffer[rounds * (sizeof(int) + MPI_BSEND_OVERHEAD)];
  int size;
  void* old;
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (int round = 0; round < rounds; ++round) {
    if (rank == 0) receive_all();
    if (rank != 0) send(100 * rank + round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Buffer_detach(&old, &size);
}

PROGRAM(blocking_sends) { send_rounds(send_all); }

PROGRAM(nonblocking_sends) { send_rounds(isend_all); }
