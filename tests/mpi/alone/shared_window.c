// Memory that ranks share: what they read there is not recorded.
#include <mpi.h>
#include <stdio.h>

int main(int arguments, char** argument) {
  int rank, *memory;
  MPI_Win window;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                          &window);
  *memory = rank;
  MPI_Win_fence(0, window);
  printf("%d has %d\n", rank, *memory);
  MPI_Win_free(&window);
  return MPI_Finalize();
}
