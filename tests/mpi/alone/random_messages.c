// Messages at random: all ranks draw the same plan and send as it says; they take what comes in
// many ways, and label events of their own in between. With a third argument, they take messages
// with wildcards by MPI_Recv alone, and name the source or the tag of some.
#include <lightcone/mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "noise.h"

enum { most = 4096, rounds_of_stretch = 10, messages_of_round = 6, large = 40000, small = 4 };
/// What the receives of a stretch leave open; 0: nothing.
enum { names_nothing = 1, names_tag, names_source };

static int rank, size;
static MPI_Comm comms[3];
static MPI_Request sends[most];
static int send_count;
static int payloads[rounds_of_stretch * messages_of_round][large];
static unsigned long order;
static unsigned long plan, own;  // what is drawn by all alike, and by each for itself
static int blocking;

static int draw(unsigned long* from, int count) {
  *from = *from * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((*from >> 33) % (unsigned long)count);
}

static void say_something(void) {
  static const char* const labels[] = {"a", "b", "c"};
  if (draw(&own, 4) == 0) lightcone_mpi_event(labels[draw(&own, 3)]);
  if (draw(&own, 8) == 0) lightcone_mpi_set("x", draw(&own, 5));
}

static void took(const MPI_Status* status) {
  order = order * 1000003UL + (unsigned long)(status->MPI_SOURCE * 10 + status->MPI_TAG);
  say_something();
}

typedef struct {
  int source, tag;
} Channel;

static int buffers[messages_of_round][large];
static MPI_Request requests[messages_of_round];

static void begin_all(MPI_Comm comm, int count, const Channel* channels) {
  for (int i = 0; i < count; ++i) {
    const int source = channels ? channels[i].source : MPI_ANY_SOURCE;
    const int tag = channels ? channels[i].tag : MPI_ANY_TAG;
    MPI_Irecv(buffers[i], large, MPI_INT, source, tag, comm, &requests[i]);
  }
}

static void finish_any(int count) {
  for (int i = 0; i < count; ++i) {
    int index;
    MPI_Status status;
    MPI_Waitany(count, requests, &index, &status);
    took(&status);
  }
}

static void finish_backwards(int count) {
  for (int i = count - 1; i >= 0; --i) {
    MPI_Status status;
    MPI_Wait(&requests[i], &status);
    took(&status);
  }
}

static void finish_some(int count) {
  for (int left = count; left > 0;) {
    int done, indices[messages_of_round];
    MPI_Status statuses[messages_of_round];
    MPI_Testsome(count, requests, &done, indices, statuses);
    for (int i = 0; i < done; ++i) took(&statuses[i]);
    left -= done;
  }
}

static void finish(int count) {
  const int how = draw(&own, 3);
  if (how == 0) finish_any(count);
  if (how == 1) finish_backwards(count);
  if (how == 2) finish_some(count);
}

static void take_one(MPI_Comm comm) {
  MPI_Status status;
  MPI_Message message;
  const int how = draw(&own, 3);
  if (how == 0) {
    MPI_Recv(buffers[0], large, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  } else if (how == 1) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Recv(buffers[0], large, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
  } else {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &status);
    say_something();
    MPI_Mrecv(buffers[0], large, MPI_INT, &message, &status);
  }
  took(&status);
}

/// All receives of a stretch name the source, the tag or nothing, so that each gets a message.
static void receive(MPI_Comm comm, const Channel* planned, int wildcards) {
  MPI_Status status;
  const int source = wildcards == names_source ? planned->source : MPI_ANY_SOURCE;
  const int tag = wildcards == names_tag ? planned->tag : MPI_ANY_TAG;
  MPI_Recv(buffers[0], large, MPI_INT, source, tag, comm, &status);
  took(&status);
}

/// In a stretch with wildcards a rank may take messages of later rounds: it only counts them.
static void round_of(MPI_Comm comm, int me, int members, int wildcards) {
  Channel mine[messages_of_round];
  int count = 0;
  for (int i = 0; i < messages_of_round; ++i) {
    const int from = draw(&plan, members), to = draw(&plan, members), tag = draw(&plan, 3);
    const int length = draw(&plan, 8) == 0 ? large : small;
    if (from == me) {
      say_something();
      MPI_Isend(payloads[send_count], length, MPI_INT, to, tag, comm, &sends[send_count]);
      ++send_count;
    }
    if (to == me) mine[count++] = (Channel){from, tag};
  }
  noise();
  if (blocking && wildcards) {
    for (int i = 0; i < count; ++i) receive(comm, &mine[i], wildcards);
  } else if (!wildcards || draw(&own, 2) == 0) {
    begin_all(comm, count, wildcards ? NULL : mine);
    finish(count);
  } else {
    for (int i = 0; i < count; ++i) take_one(comm);
  }
}

static void together(MPI_Comm comm, int members) {
  int value = rank, all[16], flag = 0;
  const int root = draw(&plan, members), how = draw(&plan, 6);
  MPI_Request request;
  if (how == 0) MPI_Bcast(&value, 1, MPI_INT, root, comm);
  if (how == 1) MPI_Reduce(&value, all, 1, MPI_INT, MPI_SUM, root, comm);
  if (how == 2) MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, comm);
  if (how == 3) MPI_Scan(&value, all, 1, MPI_INT, MPI_SUM, comm);
  if (how == 4) {
    MPI_Ibcast(&value, 1, MPI_INT, root, comm, &request);
    say_something();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (how == 5) {
    MPI_Iallreduce(&value, all, 1, MPI_INT, MPI_SUM, comm, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  say_something();
}

/// On one communicator; two halves have plans of their own, drawn alike by their members.
static void stretch(void) {
  const MPI_Comm comm = comms[draw(&plan, 3)];
  const int wildcards = draw(&plan, blocking ? 4 : 2);
  const unsigned long before = plan;
  int me, members;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  send_count = 0;
  for (int i = 0; i < rounds_of_stretch; ++i) round_of(comm, me, members, wildcards);
  MPI_Waitall(send_count, sends, MPI_STATUSES_IGNORE);
  together(comm, members);
  MPI_Barrier(comm);
  plan = before * 31 + 7;
}

int main(int arguments, char** argument) {
  const int stretches = arguments > 1 ? atoi(argument[1]) : 10;
  plan = arguments > 2 ? (unsigned long)atol(argument[2]) : 1;
  blocking = arguments > 3;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  own = plan * 1000 + (unsigned long)rank;
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
  for (int i = 0; i < stretches; ++i) stretch();
  printf("%d order %016lx\n", rank, order);
  return MPI_Finalize();
}
