/* Two polls for different messages, one after the other: each may find its message or not. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int first = 0, second = 0, number = 0;
    MPI_Iprobe(1, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Iprobe(1, 1, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("found %d and %d\n", first, second);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
