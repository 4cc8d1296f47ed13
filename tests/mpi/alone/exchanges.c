// Neighbours exchange values, and ranks read out of windows of each other. The argument says what
// is another value: 0 nothing, 1 to 4 what rank 1 gives to a neighbourhood collective, 5 what it
// puts into a window, 6 what rank 2 has in its own window; 7 what each rank finds in the window of
// the next one, 8 what it gives to it, 9 what rank 2 compares with.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ranks = 4, sides = 4 };
static int rank, other;

static double value(int what) { return rank + (other == what && rank == 1 ? 0.5 : 0); }

/// What lies beyond the edge of a grid is never set, and another in each run.
static void fill(double* values, int count) {
  for (int i = 0; i < count; ++i) values[i] = getpid() + i * 1000.0;
}

static void on_grid(void) {
  MPI_Comm grid;
  MPI_Request request;
  double given[sides], got[sides];
  const int counts[sides] = {1, 1, 1, 1}, places[sides] = {0, 1, 2, 3};
  MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){0, 1}, 0, &grid);
  fill(got, sides);
  given[0] = value(1);
  MPI_Neighbor_allgather(given, 1, MPI_DOUBLE, got, 1, MPI_DOUBLE, grid);
  // Only the two neighbours along the periodic side are there for sure.
  fill(given, 2);
  const int row = rank / 2;
  given[row == 0 ? 1 : 0] = rank;
  given[2] = value(2);
  given[3] = rank;
  MPI_Neighbor_alltoallv(given, counts, places, MPI_DOUBLE, got, counts, places, MPI_DOUBLE, grid);
  given[2] = value(3);
  MPI_Ineighbor_alltoall(given, 1, MPI_DOUBLE, got, 1, MPI_DOUBLE, grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("%d got %g %g\n", rank, got[2], got[3]);
  MPI_Comm_free(&grid);
}

static void on_ring(void) {
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  MPI_Comm ring;
  double given = value(4), got = 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Neighbor_allgather(&given, 1, MPI_DOUBLE, &got, 1, MPI_DOUBLE, ring);
  printf("%d got %g\n", rank, got);
  MPI_Comm_free(&ring);
}

static void by_windows(void) {
  const int next = (rank + 1) % ranks;
  double memory[2] = {0, rank == 2 && other == 6 ? 7.5 : 7}, given = value(5), got[2], ticket = 0;
  MPI_Win window;
  MPI_Request request;
  MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&given, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Get(got, 2, MPI_DOUBLE, next, 0, 2, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
  MPI_Rget(got, 1, MPI_DOUBLE, next, 1, 1, MPI_DOUBLE, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock(next, window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 3) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Fetch_and_op(&given, &ticket, MPI_DOUBLE, 0, 1, MPI_SUM, window);
    MPI_Win_unlock(0, window);
  }
  printf("%d read %g %g\n", rank, got[0], ticket);
  MPI_Win_free(&window);
}

/// Each rank reads and changes a value of the next one, by another call.
static void at_once(void) {
  const int next = (rank + 1) % ranks;
  _Alignas(16) long memory[2] = {other == 7 ? 50 : 40, 0};  // MPICH changes what is aligned so
  long given = other == 8 ? 6 : 5, got = 0;
  const long compared = other == 9 && rank == 2 ? 41 : 40;
  MPI_Win window;
  MPI_Request request;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
  if (rank == 0) MPI_Fetch_and_op(&given, &got, MPI_LONG, next, 0, MPI_SUM, window);
  if (rank == 1) {
    MPI_Get_accumulate(&given, 1, MPI_LONG, &got, 1, MPI_LONG, next, 0, 1, MPI_LONG, MPI_SUM,
                       window);
  }
  if (rank == 2) MPI_Compare_and_swap(&given, &compared, &got, MPI_LONG, next, 0, window);
  if (rank == 3) {
    MPI_Rget_accumulate(&given, 1, MPI_LONG, &got, 1, MPI_LONG, next, 0, 1, MPI_LONG, MPI_SUM,
                        window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock(next, window);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
  // What is given to a call that only fetches does not count.
  const long unused = getpid();
  MPI_Fetch_and_op(&unused, &got, MPI_LONG, next, 0, MPI_NO_OP, window);
  MPI_Win_unlock(next, window);
  printf("%d found %ld\n", rank, got);
  MPI_Win_free(&window);
}

int main(int arguments, char** argument) {
  other = arguments > 1 ? atoi(argument[1]) : 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  on_grid();
  on_ring();
  by_windows();
  at_once();
  return MPI_Finalize();
}
