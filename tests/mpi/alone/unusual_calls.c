// `addresses N`: N messages of each rank to and from absolute addresses. `communicators`: some of
// unusual origin.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ranks = 4 };

static int rank;

/// Two integers that are apart, as a datatype of absolute addresses.
static MPI_Datatype addresses_of(int* one, int* other) {
  MPI_Aint places[2];
  MPI_Datatype type;
  MPI_Get_address(one, &places[0]);
  MPI_Get_address(other, &places[1]);
  MPI_Type_create_hindexed(2, (int[]){1, 1}, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

static void absolute_addresses(int messages) {
  static int one, gap, other;
  MPI_Datatype type = addresses_of(&other, &one);
  MPI_Status status;
  for (int i = 0; rank != 0 && i < messages; ++i) {
    one = i;
    other = 1000 * rank;
    MPI_Send(MPI_BOTTOM, 1, type, 0, rank, MPI_COMM_WORLD);
  }
  for (int i = 0; rank == 0 && i < messages * (ranks - 1); ++i) {
    MPI_Request request;
    const int from = i % (ranks - 1) + 1;
    if (i % 2 == 0) {
      MPI_Recv(MPI_BOTTOM, 1, type, MPI_ANY_SOURCE, from, MPI_COMM_WORLD, &status);
    } else {
      MPI_Irecv(MPI_BOTTOM, 1, type, MPI_ANY_SOURCE, from, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
    }
    if (i % 30 == 0) printf("%d got %d, %d, %d\n", rank, one, gap, other);
  }
  if (rank < 2) {
    one = rank;
    other = 10 + rank;
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, 1 - rank, 5, 1 - rank, 5, MPI_COMM_WORLD, &status);
    printf("%d swapped %d, %d\n", rank, one, other);
  }
  one = rank;
  other = 2 * rank;
  MPI_Bcast(MPI_BOTTOM, 1, type, 3, MPI_COMM_WORLD);
  printf("%d after Bcast %d, %d\n", rank, one, other);
  int sum[2] = {rank, 1};
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d sums %d, %d\n", rank, sum[0], sum[1]);
  MPI_Type_free(&type);
}

/// A message from each rank to the next of a communicator, or of the other side; and a barrier.
static void use(MPI_Comm comm, const char* name) {
  if (comm == MPI_COMM_NULL) return;
  int me, others, is_inter, value = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &others);
  MPI_Comm_test_inter(comm, &is_inter);
  if (is_inter) MPI_Comm_remote_size(comm, &others);
  const int to = is_inter ? me % others : (me + 1) % others;
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &request);
  MPI_Send(&rank, 1, MPI_INT, to, 0, comm);
  MPI_Wait(&request, &status);
  MPI_Barrier(comm);
  printf("%d %s: %d from %d\n", rank, name, value, status.MPI_SOURCE);
}

static void use_and_free(MPI_Comm comm, const char* name) {
  use(comm, name);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

static void communicators(void) {
  MPI_Comm half, both, part, made;
  const int low = rank < 2;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 2 : 0, 3, &both);
  use(both, "both");
  MPI_Comm_split(both, rank % 2, 0, &part);
  use_and_free(part, "parts of both");
  MPI_Group group;
  MPI_Comm_group(both, &group);
  MPI_Comm_create(both, group, &made);
  use_and_free(made, "created of both");
  MPI_Group_free(&group);
  MPI_Comm_dup(both, &made);
  MPI_Comm_split(made, 0, -rank, &part);
  use_and_free(part, "all of a copy");
  MPI_Comm_free(&made);
  MPI_Intercomm_merge(both, low, &made);
  use_and_free(made, "merged");
#if MPI_VERSION >= 4
  MPI_Request request;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use_and_free(made, "with info");
#endif
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

int main(int arguments, char** argument) {
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (arguments > 2 && strcmp(argument[1], "addresses") == 0) absolute_addresses(atoi(argument[2]));
  if (arguments > 1 && strcmp(argument[1], "communicators") == 0) communicators();
  MPI_Finalize();
  return 0;
}
