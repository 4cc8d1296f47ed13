// Starts another process, which is not explored.
#include <mpi.h>

int main(int arguments, char** argument) {
  MPI_Comm other;
  MPI_Init(&arguments, &argument);
  MPI_Comm_spawn(argument[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                 MPI_ERRCODES_IGNORE);
  return MPI_Finalize();
}
