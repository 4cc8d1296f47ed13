// A stream of small messages: rank 0 sends as many as it is told to rank 1, all with one tag or,
// if told so, each with a tag of its own. Rank 1 prints how long that took.
//
// stream MESSAGES [tags]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char** word) {
  const int messages = count > 1 ? atoi(word[1]) : 1000;
  const int by_tags = count > 2 && strcmp(word[2], "tags") == 0;
  int rank;
  long value = 0, sum = 0;
  MPI_Init(&count, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < messages; ++i) {
    const int tag = by_tags ? i : 7;
    if (rank == 0) value = i;
    if (rank == 0) MPI_Send(&value, 1, MPI_LONG, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_LONG, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) sum += value;
  }
  if (rank == 1) printf("1 sum %ld in %.6f s\n", sum, MPI_Wtime() - start);
  return MPI_Finalize();
}
