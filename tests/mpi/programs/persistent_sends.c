// Persistent sends of each kind (Send_init, Ssend_init, Bsend_init, Rsend_init), which complete in
// some order, to wildcard receives that are posted before.
#include "program.h"

enum { rounds = 4, kinds = 4 };

static void receive_all(void) {
  int values[kinds * (ranks - 1)];
  MPI_Request requests[kinds * (ranks - 1)];
  for (int i = 0; i < kinds * (ranks - 1); ++i) {
    MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kinds * (ranks - 1); ++i) {
    int which;
    MPI_Status status;
    MPI_Waitany(kinds * (ranks - 1), requests, &which, &status);
    note_message(&status, values[which]);
  }
}

static void send_all(MPI_Request* requests) {
  MPI_Barrier(MPI_COMM_WORLD);
  noise();
  MPI_Startall(2, requests);
  noise();
  MPI_Start(&requests[2]);
  MPI_Start(&requests[3]);
  for (int i = 0, which; i < kinds; ++i) {
    noise();
    MPI_Waitany(kinds, requests, &which, MPI_STATUS_IGNORE);
    note("[%d]", which);
  }
}

PROGRAM(persistent_sends) {
  static char buffer[rounds * (sizeof(int) + MPI_BSEND_OVERHEAD)];
  int value = 100 * rank;
  MPI_Request requests[kinds];
  void* old;
  int size;
  if (rank != 0) {
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Send_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Bsend_init(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Rsend_init(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[3]);
  }
  for (int round = 0; round < rounds; ++round) {
    value = 100 * rank + round;
    if (rank == 0) receive_all();
    if (rank != 0) send_all(requests);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) return;
  for (int i = 0; i < kinds; ++i) MPI_Request_free(&requests[i]);
  MPI_Buffer_detach(&old, &size);
}
