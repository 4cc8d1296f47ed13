// One-sided communication: fences, post and start, locks, and a rank that looks again and again.
// `windows tests` waits by calls that only test.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "noise.h"

static int rank, size, only_tests, *memory;
static MPI_Win window;

static void expect(int is_right) {
  if (!is_right) MPI_Abort(MPI_COMM_WORLD, 5);
}

static void fences(void) {
  MPI_Win_fence(0, window);
  if (rank != 0) MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  for (int i = 1; rank == 0 && i < size; ++i) expect(memory[i] == i);
}

static void epochs(void) {
  const int origin = 1, target = 0;
  MPI_Group all, one;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  if (rank == target) {
    MPI_Group_incl(all, 1, &origin, &one);
    MPI_Win_post(one, 0, window);
    if (only_tests) {
      for (int is_over = 0; !is_over;) MPI_Win_test(window, &is_over);
    } else {
      MPI_Win_wait(window);
    }
    expect(memory[7] == 1);
    MPI_Group_free(&one);
  } else if (rank == origin) {
    MPI_Group_incl(all, 1, &target, &one);
    MPI_Win_start(one, 0, window);
    MPI_Put(&rank, 1, MPI_INT, target, 7, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Group_free(&one);
  }
  MPI_Group_free(&all);
}

static void get_and_look(int* value) {
  MPI_Request request;
  MPI_Rget(value, 1, MPI_INT, 0, 8, 1, MPI_INT, window, &request);
  for (int is_over = 0; !is_over;) {
    MPI_Request_get_status(request, &is_over, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void locks(void) {
  const int one = 1;
  int before = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 8, MPI_SUM, window);
  MPI_Win_unlock(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  if (only_tests) {
    get_and_look(&before);
  } else {
    MPI_Get(&before, 1, MPI_INT, 0, 8, 1, MPI_INT, window);
  }
  MPI_Win_unlock(0, window);
  expect(before == size);
}

// Each rank waits until the one before it has come.
static void looks(void) {
  const int next = rank + 1;
  int now = 0;
  MPI_Win_lock_all(0, window);
  while (now != rank) {
    MPI_Fetch_and_op(NULL, &now, MPI_INT, 0, 9, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
  }
  MPI_Fetch_and_op(&next, &now, MPI_INT, 0, 9, MPI_REPLACE, window);
  MPI_Win_unlock_all(window);
}

int main(int arguments, char** argument) {
  int value = 0;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  only_tests = arguments > 1 && strcmp(argument[1], "tests") == 0;
  noise();
  MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  memset(memory, 0, 16 * sizeof(int));
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  fences();
  epochs();
  locks();
  looks();
  MPI_Win_free(&window);
  return MPI_Finalize();
}
