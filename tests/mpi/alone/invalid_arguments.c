// Calls with invalid arguments, where errors are returned: prints the class of each error and
// whether its text names a call that the program did not make. What is valid goes on between them.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, value, values[4];
static MPI_Request request;
static MPI_Status status;

/// The result of a call that is named `MPI_` and `name`.
static void show(const char* name, int result) {
  int error_class, length;
  char text[MPI_MAX_ERROR_STRING] = "";
  MPI_Error_class(result, &error_class);
  MPI_Error_string(result, text, &length);
  const char* const place = strstr(text, "MPI_");
  const int is_other = place != NULL && strncmp(place, "MPI_ERR", 7) != 0 &&
                       strstr(text, name) == NULL && strncmp(place, "MPI_SUCCESS", 11) != 0;
  printf("%d %s: class %d%s\n", rank, name, error_class, is_other ? text : "");
}

/// What the error handler of the program is told.
static int handled;
static void handle(MPI_Comm* comm, int* error, ...) { (void)comm, (void)error, ++handled; }

static void messages(MPI_Comm comm, const char* which) {
  printf("%d on %s\n", rank, which);
  show("MPI_Send", MPI_Send(&value, 1, MPI_INT, 0, 0, comm));
  show("MPI_Isend", MPI_Isend(&value, 1, MPI_INT, 0, 0, comm, &request));
  show("MPI_Recv", MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &status));
  show("MPI_Irecv", MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &request));
  show("MPI_Recv_init", MPI_Recv_init(&value, 1, MPI_INT, 0, 0, comm, &request));
#ifdef MPICH  // others end the program
  show("MPI_Probe", MPI_Probe(MPI_ANY_SOURCE, 0, comm, &status));
  show("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &values[0], &status));
#endif
  show("MPI_Sendrecv",
       MPI_Sendrecv(&value, 1, MPI_INT, 0, 0, values, 1, MPI_INT, 0, 0, comm, &status));
  show("MPI_Barrier", MPI_Barrier(comm));
  show("MPI_Bcast", MPI_Bcast(&value, 1, MPI_INT, 0, comm));
  show("MPI_Ibarrier", MPI_Ibarrier(comm, &request));
  MPI_Comm made;
  show("MPI_Comm_dup", MPI_Comm_dup(comm, &made));
  show("MPI_Comm_split", MPI_Comm_split(comm, 0, 0, &made));
}

static void ranks_and_tags(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  for (int peer = -77; peer <= 99; peer += 176) {
    show("MPI_Send", MPI_Send(&value, 1, MPI_INT, peer, 0, world));
    show("MPI_Issend", MPI_Issend(&value, 1, MPI_INT, peer, 0, world, &request));
    show("MPI_Recv", MPI_Recv(&value, 1, MPI_INT, peer, 0, world, &status));
    show("MPI_Irecv", MPI_Irecv(&value, 1, MPI_INT, peer, 0, world, &request));
    show("MPI_Probe", MPI_Probe(peer, 0, world, &status));
    show("MPI_Sendrecv_replace",
         MPI_Sendrecv_replace(&value, 1, MPI_INT, peer, 0, MPI_ANY_SOURCE, 0, world, &status));
    show("MPI_Bcast", MPI_Bcast(&value, 1, MPI_INT, peer, world));
    show("MPI_Reduce", MPI_Reduce(&value, values, 1, MPI_INT, MPI_SUM, peer, world));
    show("MPI_Igather", MPI_Igather(&value, 1, MPI_INT, values, 1, MPI_INT, peer, world, &request));
  }
  show("MPI_Send", MPI_Send(&value, 1, MPI_INT, 0, -5, world));
  show("MPI_Recv", MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, -55, world, &status));
  show("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, -55, world, &values[0], &status));
}

static void counts_and_types(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Datatype raw;
  MPI_Type_contiguous(2, MPI_INT, &raw);
  show("MPI_Send", MPI_Send(&value, -1, MPI_INT, 0, 0, world));
  show("MPI_Recv", MPI_Recv(&value, -1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status));
  show("MPI_Irecv", MPI_Irecv(&value, -1, MPI_INT, MPI_ANY_SOURCE, 0, world, &request));
  show("MPI_Send", MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, world));
  show("MPI_Isend", MPI_Isend(&value, 1, raw, 0, 0, world, &request));
  show("MPI_Recv", MPI_Recv(&value, 1, raw, MPI_ANY_SOURCE, 0, world, &status));
  show("MPI_Allreduce", MPI_Allreduce(&value, values, 1, MPI_INT, MPI_OP_NULL, world));
  MPI_Type_free(&raw);
}

static void requests(void) {
  int flag = 7, index = 7;
  show("MPI_Waitall", MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE));
  show("MPI_Waitany", MPI_Waitany(-1, &request, &index, &status));
  show("MPI_Waitsome", MPI_Waitsome(-1, &request, &flag, &index, &status));
  show("MPI_Testall", MPI_Testall(-1, &request, &flag, MPI_STATUSES_IGNORE));
  show("MPI_Testany", MPI_Testany(1, NULL, &index, &flag, &status));
  show("MPI_Testsome", MPI_Testsome(-1, &request, &flag, &index, &status));
  show("MPI_Waitall", MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
  show("MPI_Wait", MPI_Wait(NULL, &status));
  show("MPI_Test", MPI_Test(NULL, &flag, &status));
  show("MPI_Start", MPI_Start(NULL));
  show("MPI_Startall", MPI_Startall(-1, &request));
  printf("%d flag %d index %d\n", rank, flag, index);
}

/// With the argument `once` one rank makes a mistake in a collective operation, and makes it again
/// as it should be.
static void mistakes_of_one(void) {
  for (int round = 0; round < 3; ++round) {
    value = rank + round;
    if (rank == 1) {
      show("MPI_Allreduce", MPI_Allreduce(&value, values, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
    }
    MPI_Allreduce(&value, values, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d sum %d\n", rank, values[0]);
  }
  for (int i = 0; i < 2; ++i) {
    const int next = (rank + 1) % 4;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, next, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    printf("%d got %d from %d\n", rank, value, status.MPI_SOURCE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int arguments, char** argument) {
  MPI_Comm gone, copy;
  MPI_Errhandler handler;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  messages(MPI_COMM_NULL, "null");
  MPI_Comm_dup(MPI_COMM_WORLD, &gone);
  copy = gone;
  MPI_Comm_free(&gone);
#ifdef MPICH  // others read memory that was freed
  messages(copy, "freed");
#endif
  (void)copy;
  ranks_and_tags();
  counts_and_types();
  requests();
  if (arguments == 2 && strcmp(argument[1], "once") == 0) mistakes_of_one();
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  ranks_and_tags();
  counts_and_types();
  printf("%d handled %d\n", rank, handled);
  MPI_Errhandler_free(&handler);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
