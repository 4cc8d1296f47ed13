// Rank 0 plays ROUNDS rounds with each of the others, and ends as it is told.
//
// ping_pong ROUNDS [any] [talk N] [die RANK ROUND HOW] [deadlock] [wait SECONDS]
// any: with wildcards. talk: N events after the last message. HOW: KILL, SEGV, exit, _exit, abort
// or error, which is a send that the MPI does not return from.
// deadlock: in the end all wait for a message. wait: each round takes so long.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, from_any, talk, die_rank = -1, die_round, deadlock;
static double wait_seconds;
static const char* how = "";

static void read_words(int count, char** word) {
  for (int i = 2; i < count; ++i) {
    if (strcmp(word[i], "any") == 0) from_any = 1;
    if (strcmp(word[i], "deadlock") == 0) deadlock = 1;
    if (strcmp(word[i], "talk") == 0) talk = atoi(word[++i]);
    if (strcmp(word[i], "wait") == 0) wait_seconds = atof(word[++i]);
    if (strcmp(word[i], "die") == 0) {
      die_rank = atoi(word[i + 1]);
      die_round = atoi(word[i + 2]);
      how = word[i + 3];
      i += 3;
    }
  }
}

static void maybe_die(int round) {
  if (rank != die_rank || round != die_round) return;
  if (strcmp(how, "KILL") == 0) raise(SIGKILL);
  if (strcmp(how, "SEGV") == 0) raise(SIGSEGV);
  if (strcmp(how, "exit") == 0) exit(8);
  if (strcmp(how, "_exit") == 0) _exit(8);
  if (strcmp(how, "error") == 0) MPI_Send(&round, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
  if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
}

static void take(int from) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, from_any ? MPI_ANY_SOURCE : from, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

static void play(int round) {
  maybe_die(round);
  if (wait_seconds > 0) usleep((useconds_t)(wait_seconds * 1e6));
  for (int other = 1; other < size; ++other) {
    if (rank == 0) MPI_Send(&round, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    if (rank == 0) take(other);
  }
  if (rank != 0) take(0);
  if (rank != 0) MPI_Send(&round, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int main(int count, char** word) {
  const int rounds = count > 1 ? atoi(word[1]) : 10;
  read_words(count, word);
  MPI_Init(&count, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < rounds; ++i) play(i);
  for (int i = 0; i < talk; ++i) MPI_Pcontrol(1);
  if (deadlock) take((rank + 1) % size);
  printf("%d played %d\n", rank, rounds);
  return MPI_Finalize();
}
