// One-sided calls: Fetch_and_op, Compare_and_swap and Get_accumulate, whose answers race, and
// requests of Rput, Rget and Raccumulate with Waitany.
#include "program.h"

// Who draws which ticket, and who takes the lock, is for the network to decide.
PROGRAM(fetch_and_op) {
  int memory[3] = {0, -1, 0}, one = 1, ticket, winner, free_lock = -1, before;
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < wildcard_messages; ++i) {
    noise();
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    MPI_Compare_and_swap(&rank, &free_lock, &winner, MPI_INT, 0, 1, window);
    MPI_Win_flush(0, window);
    note("%d,%d", ticket, winner);
    MPI_Get_accumulate(&ticket, 1, MPI_INT, &before, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_REPLACE,
                       window);
    MPI_Win_flush(0, window);
    note("%d", before);
    if (winner != -1) continue;
    MPI_Fetch_and_op(&free_lock, &winner, MPI_INT, 0, 1, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

PROGRAM(one_sided_requests) {
  int memory[2 * ranks] = {0}, put = rank + 1, got[ranks] = {0}, fetched = 0;
  const int next = (rank + 1) % ranks;
  MPI_Win window;
  MPI_Request requests[4];
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  noise();
  MPI_Rput(&put, 1, MPI_INT, next, rank, 1, MPI_INT, window, &requests[0]);
  MPI_Rget(got, ranks, MPI_INT, next, ranks, ranks, MPI_INT, window, &requests[1]);
  MPI_Raccumulate(&put, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window, &requests[2]);
  MPI_Rget_accumulate(&put, 1, MPI_INT, &fetched, 1, MPI_INT, 0, ranks - 1, 1, MPI_INT, MPI_SUM,
                      window, &requests[3]);
  for (int i = 0, which; i < 4; ++i) {
    MPI_Waitany(4, requests, &which, MPI_STATUS_IGNORE);
    note("[%d]", which);
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  note("%d %d", memory[(rank + ranks - 1) % ranks] > 0, got[0]);
  MPI_Win_free(&window);
}

// Fences and passive locks, with what was put seen by wildcard receives.
PROGRAM(one_sided_epochs) {
  int memory = 0;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  note("%d", memory);
  race_on(MPI_COMM_WORLD, "race");
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_unlock(0, window);
  MPI_Win_fence(0, window);
  if (rank == 0) note("%d", memory);
  MPI_Win_free(&window);
}
