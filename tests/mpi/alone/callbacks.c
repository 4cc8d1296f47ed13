// Functions of the program that the MPI calls: they ask who they are, as those of attributes and
// error handlers do.
#include <mpi.h>
#include <stdio.h>

static int world_rank, value[4];
static MPI_Status status;

static void show(const char* what, MPI_Comm comm) {
  int rank, size, is_inter;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_test_inter(comm, &is_inter);
  printf("%d %s: %d of %d%s\n", world_rank, what, rank, size, is_inter ? ", inter" : "");
}

static int copied(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)key, (void)extra;
  show("copies", comm);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int deleted(MPI_Comm comm, int key, void* in, void* extra) {
  (void)key, (void)extra, (void)in;
  show("deletes", comm);
  return MPI_SUCCESS;
}

static void handle(MPI_Comm* comm, int* error, ...) {
  (void)error;
  show("handles", *comm);
}

int main(int arguments, char** argument) {
  int key, size;
  MPI_Comm copy, half;
  MPI_Errhandler handler;
  MPI_Request request;
  MPI_Message message;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(copied, deleted, &key, NULL);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, value);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, handler);
  const int next = (world_rank + 1) % size;
  for (int i = 0; i < 3; ++i) MPI_Send(value, 4, MPI_INT, next, i, copy);
  MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, 0, copy, &status);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);  // of requests, in some MPIs
  MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, 1, copy, &request);
  MPI_Wait(&request, &status);
  MPI_Mprobe(MPI_ANY_SOURCE, 2, copy, &message, &status);
  MPI_Mrecv(value, 1, MPI_INT, &message, &status);
  MPI_Comm_split(copy, world_rank % 2, 0, &half);
  MPI_Comm_set_errhandler(half, handler);
  MPI_Comm_set_attr(half, key, value);
  MPI_Comm_free(&half);
  MPI_Comm_delete_attr(copy, key);
  MPI_Comm_free(&copy);
  MPI_Errhandler_free(&handler);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, value);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
