// One-sided calls: Fetch_and_op, Compare_and_swap, Get_accumulate, Get, Rget and Rget_accumulate,
// whose answers race; requests of them with Waitany; and Win_test.
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

// What others count up meanwhile, by all calls that read it, also into memory that is apart.
PROGRAM(one_sided_get) {
  int memory[4] = {0}, one = 1, got[4] = {0}, fetched, flag;
  MPI_Win window;
  MPI_Datatype apart;
  MPI_Request request;
  MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < wildcard_messages; ++i) {
    noise();
    MPI_Accumulate(&one, 1, MPI_INT, 0, i % 2, 1, MPI_INT, MPI_SUM, window);
    MPI_Get(got, 1, apart, 0, 0, 2, MPI_INT, window);
    MPI_Get(&got[1], 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
    MPI_Win_flush((rank + 1) % ranks, window);
    MPI_Win_flush(0, window);
    note("%d,%d,%d", got[0], got[1], got[2]);
    MPI_Rget(got, 1, apart, 0, 0, 2, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    note("%d,%d", got[0], got[2]);
    MPI_Rget_accumulate(&one, 1, MPI_INT, &fetched, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, window,
                        &request);
    for (flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    note("%d", fetched);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Type_free(&apart);
}

PROGRAM(win_test) {
  int memory[ranks] = {0}, flag = 0, failures = -1;
  MPI_Win window;
  MPI_Group all, others, first;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, (int[]){0}, &first);
  MPI_Group_excl(all, 1, (int[]){0}, &others);
  if (rank == 0) {
    MPI_Win_post(others, 0, window);
    for (; !flag; ++failures) {
      noise();
      MPI_Win_test(window, &flag);
    }
    note("after %d", failures);
  } else {
    MPI_Win_start(first, 0, window);
    noise();
    MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
    MPI_Win_complete(window);
  }
  if (rank == 0) note("%d %d %d", memory[1], memory[2], memory[3]);
  MPI_Group_free(&first);
  MPI_Group_free(&others);
  MPI_Group_free(&all);
  MPI_Win_free(&window);
}
