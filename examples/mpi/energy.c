// The energy of a crystal: each rank has one part of it, and rank 0 adds them up as they come.
//
//   mpirun -n 4 energy [--ordered] [ENERGY]
//
// With --ordered it adds them up in the order of the ranks. With ENERGY, the status is 1 if the
// result is another one.
#include <lightcone/mpi.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Attraction and repulsion nearly cancel each other out; dispersion is small beside them.
static double part(int rank) {
  const double strength[] = {-1e9, 1e9, -1e-3};
  double sum = 0;
  for (double distance = 1e6; distance >= 1; --distance) sum += 1 / (distance * distance);
  return strength[(rank - 1) % 3] * sum;
}

static double total(int ranks, int ordered) {
  double energy = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    double one;
    MPI_Recv(&one, 1, MPI_DOUBLE, ordered ? rank : MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    energy += one;
    lightcone_mpi_event(fabs(one) > 1 ? "large" : "small");
  }
  return energy;
}

int main(int arguments, char** argument) {
  int rank, ranks, differs = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int ordered = arguments > 1 && strcmp(argument[1], "--ordered") == 0;
  if (rank == 0) {
    char energy[40];
    snprintf(energy, sizeof energy, "%.9f", total(ranks, ordered));
    printf("energy %s\n", energy);
    differs = arguments > 1 + ordered && strcmp(energy, argument[1 + ordered]) != 0;
  } else {
    const double mine = part(rank);
    MPI_Send(&mine, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return differs;
}
