// Each other rank sends as many messages as it is told. Rank 0 keeps several receives posted for
// each and takes what MPI_Waitsome says. It prints a hash of the order.
//
// some_of_many MESSAGES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_ranks = 64, window = 8, most = most_ranks * window };

static int value[most];
static MPI_Request requests[most];

/// The receives of one sender stand side by side.
static void post(int slot) {
  MPI_Irecv(&value[slot], 1, MPI_INT, 1 + slot / window, 0, MPI_COMM_WORLD, &requests[slot]);
}

static unsigned long take_all(int senders, long messages) {
  static int indices[most];
  long left[most_ranks];
  unsigned long order = 0;
  for (int i = 0; i < senders; ++i) left[i] = messages;
  for (int i = 0; i < senders * window; ++i) requests[i] = MPI_REQUEST_NULL;
  for (int i = 0; i < senders * window; ++i) {
    if (left[i / window]-- > 0) post(i);
  }
  for (long taken = 0; taken < messages * senders;) {
    int some = 0;
    MPI_Waitsome(senders * window, requests, &some, indices, MPI_STATUSES_IGNORE);
    for (int k = 0; k < some; ++k) {
      const int slot = indices[k];
      order = order * 1000003UL + (unsigned long)slot + (unsigned long)value[slot];
      if (left[slot / window]-- > 0) post(slot);
    }
    taken += some;
  }
  return order;
}

int main(int count, char** word) {
  const long messages = count > 1 ? atol(word[1]) : 1000;
  int rank, size;
  MPI_Init(&count, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > most_ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  const double start = MPI_Wtime();
  for (int i = 0; rank != 0 && i < messages; ++i) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    const unsigned long order = take_all(size - 1, messages);
    printf("0 order %016lx in %.6f s\n", order, MPI_Wtime() - start);
  }
  return MPI_Finalize();
}
