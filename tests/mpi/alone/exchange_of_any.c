// Rank 0 exchanges messages with the others by one call that does not wait, and takes theirs as they
// come, where the MPI has such a call.
#include <mpi.h>
#include <stdio.h>

int main(int arguments, char** argument) {
  MPI_Init(&arguments, &argument);
#if MPI_VERSION >= 4
  int rank, size, in = 0;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int to = 1; to < size; ++to) {
      MPI_Isendrecv(&rank, 1, MPI_INT, to, 5, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                    MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      printf("0 got %d\n", in);
    }
  } else {
    MPI_Isend(&rank, 1, MPI_INT, 0, 40 + rank, MPI_COMM_WORLD, &request);
    MPI_Recv(&in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
#else
  puts("0 has no such call");
#endif
  return MPI_Finalize();
}
