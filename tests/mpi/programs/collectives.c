// Non-blocking collectives that complete beside wildcard receives, and blocking ones between them.
#include "program.h"

enum { kinds = 10 };

static void start_all(int mine[ranks], int got[kinds][ranks], MPI_Request* requests) {
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(got[1], ranks, MPI_INT, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallreduce(mine, got[2], ranks, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
  MPI_Igather(mine, 1, MPI_INT, got[3], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Iscatter(got[1], 1, MPI_INT, got[4], 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[4]);
  MPI_Iallgather(mine, 1, MPI_INT, got[5], 1, MPI_INT, MPI_COMM_WORLD, &requests[5]);
  MPI_Ialltoall(mine, 1, MPI_INT, got[6], 1, MPI_INT, MPI_COMM_WORLD, &requests[6]);
  MPI_Ireduce(mine, got[7], ranks, MPI_INT, MPI_MAX, 2, MPI_COMM_WORLD, &requests[7]);
  MPI_Iscan(mine, got[8], ranks, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[8]);
  MPI_Ireduce_scatter_block(mine, got[9], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[9]);
}

// The last request is a wildcard receive; rank 0 posts it again and again.
PROGRAM(icollectives_waitany) {
  int mine[ranks] = {rank, rank + 10, rank + 20, rank + 30}, got[kinds][ranks] = {{0}};
  int value, received = 0, total = rank == 0 ? wildcard_messages * (ranks - 1) : 0;
  MPI_Request requests[kinds + 1];
  requests[kinds] = MPI_REQUEST_NULL;
  noise();
  start_all(mine, got, requests);
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int done = 0, which; done < kinds || received < total;) {
    MPI_Status status;
    if (received < total && requests[kinds] == MPI_REQUEST_NULL) {
      MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[kinds]);
    }
    MPI_Waitany(kinds + 1, requests, &which, &status);
    if (which == kinds) note_message(&status, value);
    if (which < kinds) note("[%d]", which);
    *(which == kinds ? &received : &done) += 1;
  }
  for (int i = 2; i < kinds; ++i) note("%d", got[i][0] + got[i][ranks - 1]);
}

PROGRAM(icollectives_test) {
  for (int round = 0; round < 5; ++round) {
    int done = 0, failures = -1, mine = rank + round, sum = 0, all[ranks] = {0}, before = 0;
    MPI_Request requests[3];
    noise();
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Iexscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    for (int i = 0; i < 3; ++i) {
      for (done = 0, failures = -1; !done; ++failures)
        MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
      note("%d", failures);
    }
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    note("=%d,%d,%d", sum, rank > 0 ? before : 0, all[3]);
  }
}

// Results depend on what the wildcards took: each collective spreads it.
PROGRAM(collectives) {
  int value = rank, all[ranks], sum = 0, part[1];
  for (int round = 0; round < 3; ++round) {
    race_on(MPI_COMM_WORLD, "race");
    if (rank == 0) value = rand() % 100;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, round, MPI_COMM_WORLD);
    MPI_Scatter(all, 1, MPI_INT, part, 1, MPI_INT, round, MPI_COMM_WORLD);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, round, MPI_COMM_WORLD);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(all, 1, MPI_INT, (int[ranks]){0}, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(all, part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    noise();
    MPI_Barrier(MPI_COMM_WORLD);
    note("%d", part[0]);
  }
}
