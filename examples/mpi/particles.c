// Particles on a ring that is divided among the ranks: each counts who visits its cells.
//
//   mpirun -n 8 particles [STEPS]
//
// It has a mistake: a particle that comes to the very end of the ring has no cell.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells_of_rank = 4 };

typedef struct {
  double place;
  int number;
} Particle;

typedef struct {
  int visits;
} Cell;

static int rank, ranks;
static Cell memory[cells_of_rank];
static Cell* cells[cells_of_rank + 1];  // the last one is null

static int owner_of(double place) { return (int)place < ranks ? (int)place : ranks - 1; }

static void visit(const Particle* particle) {
  const int cell = (int)((particle->place - rank) * cells_of_rank);
  cells[cell]->visits += 1;
}

// Sends the particles of this rank to their owners, and receives those that come to it.
static int move(Particle* particles, int count) {
  Particle sent[64];
  MPI_Request requests[64];
  int to[64] = {0}, comes = 0;
  for (int i = 0; i < count; ++i) {
    sent[i] = particles[i];
    sent[i].place += 0.25;
    if (sent[i].place > ranks) sent[i].place -= ranks;  // the mistake: it should be >=
    to[owner_of(sent[i].place)] += 1;
  }
  MPI_Reduce_scatter_block(to, &comes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) {
    MPI_Isend(&sent[i], sizeof *sent, MPI_BYTE, owner_of(sent[i].place), 0, MPI_COMM_WORLD,
              &requests[i]);
  }
  for (int i = 0; i < comes; ++i) {
    MPI_Recv(&particles[i], sizeof *particles, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    visit(&particles[i]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  return comes;
}

int main(int arguments, char** argument) {
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < cells_of_rank; ++i) cells[i] = &memory[i];
  Particle particles[64] = {{rank == 3 ? rank : rank + 0.1, rank}};
  const int steps = arguments > 1 ? atoi(argument[1]) : 100;
  for (int step = 0, count = 1; step < steps; ++step) count = move(particles, count);
  int visits = 0;
  for (int i = 0; i < cells_of_rank; ++i) visits += memory[i].visits;
  printf("rank %d: %d visits\n", rank, visits);
  MPI_Finalize();
  return 0;
}
