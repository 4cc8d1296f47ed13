// Calls that are legal and seldom made; the argument says which: `inter`, `cancel`, `dups`, `probes`,
// `self`, `inactive`, `freed_sends`, `types`, `errors`, or `all`.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "noise.h"

enum { rounds = 3 };

static int rank, size, value[64];
static MPI_Status status;

static void show(const char* what, int got) {
  printf("%d %s: %d from %d tag %d\n", rank, what, got, status.MPI_SOURCE, status.MPI_TAG);
}

/// Two groups of which each takes what comes from the other in any order.
static void inter(void) {
  MPI_Comm half, both, merged;
  MPI_Request request;
  const int side = rank % 2, others = side == 0 ? size / 2 : (size + 1) / 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side == 0 ? 1 : 0, 4, &both);
  MPI_Comm_free(&half);
  for (int i = 0; i < rounds; ++i) {
    noise();
    for (int to = 0; to < others; ++to) {
      value[0] = 100 * i + rank;
      MPI_Isend(value, 1, MPI_INT, to, i, both, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int from = 0; from < others; ++from) {
      MPI_Probe(MPI_ANY_SOURCE, i, both, &status);
      MPI_Recv(value, 1, MPI_INT, status.MPI_SOURCE, i, both, &status);
      show("inter", value[0]);
    }
  }
  MPI_Intercomm_merge(both, side, &merged);
  MPI_Comm_free(&both);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
  printf("%d sum %d\n", rank, sum);
  MPI_Comm_free(&merged);
}

/// A receive that is cancelled, between two that are not; and one that is cancelled too late.
static void cancel(void) {
  MPI_Request requests[4];
  for (int i = 0; i < rounds; ++i) {
    if (rank != 0) {
      noise();
      value[0] = 10 * i + rank;
      MPI_Send(value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    } else {
      MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(value + 1, 1, MPI_INT, MPI_ANY_SOURCE, 1000, MPI_COMM_WORLD, &requests[1]);
      MPI_Irecv(value + 2, 1, MPI_INT, 1, 2000, MPI_COMM_WORLD, &requests[2]);
      MPI_Cancel(&requests[1]);
      MPI_Cancel(&requests[2]);
      MPI_Wait(&requests[0], &status);
      show("first", value[0]);
      for (int k = 1; k < 3; ++k) {
        int was;
        MPI_Wait(&requests[k], &status);
        MPI_Test_cancelled(&status, &was);
        printf("%d cancelled %d\n", rank, was);
      }
      for (int k = 2; k < size; ++k) {
        MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &status);
        show("other", value[0]);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Many communicators, one after the other, with messages that cross.
static void dups(void) {
  MPI_Comm comms[2];
  for (int i = 0; i < 20; ++i) {
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_idup(comms[0], &comms[1], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank != 0) {
      for (int k = 1; k >= 0; --k) MPI_Send(&i, 1, MPI_INT, 0, k, comms[k]);
    }
    for (int k = 0; rank == 0 && k < 2 * (size - 1); ++k) {
      MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[k % 2], &status);
      if (i % 10 == 0) show("dup", value[0]);
    }
    MPI_Comm_free(&comms[i % 2]);
    MPI_Comm_free(&comms[1 - i % 2]);
  }
}

/// Probes of all kinds, beside receives that are posted.
static void probes(void) {
  for (int i = 0; i < rounds; ++i) {
    if (rank != 0) {
      noise();
      for (int k = 0; k < 4; ++k) MPI_Send(value, i + k, MPI_INT, 0, k, MPI_COMM_WORLD);
    } else {
      MPI_Request posted;
      MPI_Irecv(value, 64, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &posted);
      for (int k = 1; k < 4 * (size - 1); ++k) {
        int found = 0, count;
        MPI_Message message;
        if (k % 3 == 0) {
          while (!found) {
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
          }
        } else if (k % 3 == 1) {
          MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        } else {
          while (!found) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
          MPI_Mprobe(status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &message, &status);
        }
        MPI_Mrecv(value, 64, MPI_INT, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        show("probe", count);
      }
      MPI_Wait(&posted, &status);
      show("posted", status.MPI_TAG);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Messages to oneself, some of size 0, among those of others.
static void self(void) {
  MPI_Request requests[3];
  const int next = (rank + 1) % size;
  for (int i = 0; i < rounds; ++i) {
    value[0] = i;
    MPI_Isend(value, 0, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(value, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Issend(NULL, 0, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &requests[2]);
    noise();
    for (int k = 0; k < 3; ++k) {
      int count;
      MPI_Recv(value + 1, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      show("self", count);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(value, 1, MPI_INT, 0, 2, value + 1, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &status);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Persistent requests that are not active, among those that are.
static void inactive(void) {
  MPI_Request requests[4];
  if (rank != 0) {
    MPI_Send_init(value, 1, MPI_INT, 0, rank, MPI_COMM_WORLD, &requests[0]);
    for (int i = 0; i < rounds; ++i) {
      noise();
      value[0] = i;
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    return;
  }
  for (int k = 0; k < 4; ++k) {
    MPI_Recv_init(value + k, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &requests[k]);
  }
  int left = rounds * (size - 1);
  while (left > 0) {
    const int started = left < 3 ? left : 3;
    MPI_Startall(started, requests);
    for (int k = 0; k < started;) {
      int index, some, indices[4], flag;
      MPI_Status all[4];
      if (k == 0) {
        MPI_Waitany(4, requests, &index, &status);
        show("any", value[index]);
        ++k;
      } else {
        MPI_Request_get_status(requests[k], &flag, MPI_STATUS_IGNORE);
        MPI_Testsome(4, requests, &some, indices, all);
        for (int j = 0; j < some; ++j) {
          status = all[j];
          show("some", value[indices[j]]);
        }
        k += some == MPI_UNDEFINED ? 0 : some;
      }
    }
    left -= started;
  }
  int index;
  MPI_Waitany(4, requests, &index, &status);
  printf("%d none: %d\n", rank, index == MPI_UNDEFINED);
  for (int k = 0; k < 4; ++k) MPI_Request_free(&requests[k]);
}

/// Requests of sends are given up at once; buffered sends.
static void freed_sends(void) {
  static int kept[rounds];
  const int bytes = 64 * (rounds + (int)MPI_BSEND_OVERHEAD);
  void* const room = malloc((size_t)bytes);
  MPI_Buffer_attach(room, bytes);
  for (int i = 0; rank != 0 && i < rounds; ++i) {
    MPI_Request request;
    kept[i] = 10 * i + rank;
    noise();
    MPI_Isend(&kept[i], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Ibsend(&kept[i], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  for (int i = 0; rank == 0 && i < 2 * rounds * (size - 1); ++i) {
    MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    show("freed", value[0]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  void* back;
  int length;
  MPI_Buffer_detach(&back, &length);
  free(room);
}

/// Types with gaps, that are given up while they are in use; MPI_Sendrecv_replace with wildcards.
static void types(void) {
  MPI_Datatype column, wide;
  MPI_Request request;
  const int next = (rank + 1) % size;
  for (int i = 0; i < rounds; ++i) {
    MPI_Type_vector(4, 1, 3, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &wide);
    MPI_Type_commit(&wide);
    MPI_Type_free(&column);
    for (int k = 0; k < 12; ++k) value[k] = 1000 * rank + 100 * i + k;
    MPI_Irecv(value + 20, 3, wide, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
    MPI_Send(value, 3, wide, next, 5, MPI_COMM_WORLD);
    MPI_Type_free(&wide);
    noise();
    MPI_Wait(&request, &status);
    show("typed", value[20] + value[31]);
    MPI_Sendrecv_replace(value, 4, MPI_INT, next, 6, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
    show("replaced", value[3]);
  }
}

/// Where errors are returned: a message that is too long, a rank that there is not.
static void errors(void) {
  int error_class;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < rounds; ++i) {
    if (rank != 0) {
      noise();
      MPI_Send(value, 4, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    for (int k = 1; rank == 0 && k < size; ++k) {
      MPI_Error_class(
          MPI_Recv(value, k % 2 == 0 ? 4 : 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &status),
          &error_class);
      show(error_class == MPI_ERR_TRUNCATE ? "too long" : "fits", 0);
      MPI_Error_class(MPI_Send(value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), &error_class);
      printf("%d rank %d\n", rank, error_class == MPI_ERR_RANK);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int arguments, char** argument) {
  const char* const what = arguments > 1 ? argument[1] : "inter";
  const struct {
    const char* name;
    void (*function)(void);
  } all[] = {{"inter", inter},   {"cancel", cancel},     {"dups", dups},
             {"probes", probes}, {"self", self},         {"inactive", inactive},
             {"types", types},   {"freed_sends", freed_sends}, {"errors", errors}};
  int provided;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init_thread(&arguments, &argument, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(what, "all") == 0) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    printf("%d began at %ld.%09ld\n", rank, (long)now.tv_sec, now.tv_nsec);
  }
  for (unsigned i = 0; i < sizeof all / sizeof all[0]; ++i) {
    if (strcmp(what, "all") == 0 || strcmp(what, all[i].name) == 0) all[i].function();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
