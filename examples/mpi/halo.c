// Heat in a ring: each rank has a piece of it, and gives its borders to its neighbours.
//
//   mpirun -n 4 halo [--fixed]
//
// The order of messages is always the same. The result is not: rank 2 once sends a border that it
// has not filled. With --fixed it fills it.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells = 6, border = 4, steps = 4 };

// A table that the program needs only at its beginning, with keys made of addresses. What is freed
// here is what malloc gives out later.
struct Node {
  struct Node* next;
  double weight, key, sum;
};

static void set_up(void) {
  struct Node* list = NULL;
  for (int i = 0; i < 8; ++i) {
    struct Node* const node = malloc(sizeof *node);
    node->next = list;
    node->weight = i;
    node->key = (double)((uintptr_t)node / 4096 % 1000003);
    node->sum = list == NULL ? node->key : list->sum + node->key;
    list = node;
  }
  while (list != NULL) {
    struct Node* const next = list->next;
    free(list);
    list = next;
  }
}

// The last cells, which the next rank needs. The mistake: in step 2, rank 2 fills one cell less.
static double* make_border(const double* heat, int rank, int step, int fixed) {
  double* const out = malloc(border * sizeof *out);
  const int filled = rank == 2 && step == 2 && !fixed ? border - 1 : border;
  for (int i = 0; i < filled; ++i) out[i] = heat[cells - border + i];
  return out;
}

int main(int arguments, char** argument) {
  int rank, ranks;
  double heat[cells], in[border], total = 0;
  double* out[steps];
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int fixed = arguments > 1 && strcmp(argument[1], "--fixed") == 0;
  set_up();
  for (int i = 0; i < cells; ++i) heat[i] = rank + i / 8.0;
  for (int step = 0; step < steps; ++step) {
    out[step] = make_border(heat, rank, step, fixed);
    MPI_Sendrecv(out[step], border, MPI_DOUBLE, (rank + 1) % ranks, step, in, border, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < border; ++i) heat[i] = (heat[i] + in[i]) / 2;
  }
  double mine = 0;
  for (int step = 0; step < steps; ++step) free(out[step]);
  for (int i = 0; i < cells; ++i) mine += heat[i];
  MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("heat %.17g\n", total);
  MPI_Finalize();
  return 0;
}
