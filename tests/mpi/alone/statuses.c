// What calls leave in MPI_ERROR of the statuses that they are given: prints it after each.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { pattern = 4711, ranks = 4 };

static int rank;

static MPI_Status fresh(void) {
  MPI_Status status;
  memset(&status, 0x5a, sizeof status);
  status.MPI_ERROR = pattern;
  return status;
}

static void show(const char* call, const MPI_Status* status) {
  int count;
  MPI_Get_count(status, MPI_INT, &count);
  printf("%d %s: error %d source %d tag %d count %d\n", rank, call, status->MPI_ERROR,
         status->MPI_SOURCE, status->MPI_TAG, count);
}

/// The same for several: only of an error it is said what MPI_ERROR is.
static void show_all(const char* call, int result, const MPI_Status* statuses, int count) {
  int error_class;
  MPI_Error_class(result, &error_class);
  printf("%d %s: %s", rank, call, error_class == MPI_ERR_IN_STATUS ? "in status" : "success");
  for (int i = 0; i < count; ++i) {
    const int error = statuses[i].MPI_ERROR;
    const int is_fine = error == MPI_SUCCESS || (error == pattern && result == MPI_SUCCESS);
    error_class = MPI_SUCCESS;
    if (!is_fine && error != pattern) MPI_Error_class(error, &error_class);
    printf(" %s", is_fine ? "fine" : error_class == MPI_ERR_TRUNCATE ? "truncated" : "wrong");
  }
  printf("\n");
}

static void receive_at_once(void) {
  int value;
  MPI_Message message;
  MPI_Status status = fresh();
  MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
  show("Recv", &status);
  status = fresh();
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  show("Recv of any", &status);
  status = fresh();
  MPI_Sendrecv(&value, 1, MPI_INT, 0, 9, &value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD,
               &status);
  show("Sendrecv", &status);
  status = fresh();
  MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 9, 0, 9, MPI_COMM_WORLD, &status);
  show("Sendrecv_replace", &status);
  status = fresh();
  MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
  show("Probe", &status);
  int flag = 0;
  for (status = fresh(); !flag;) {
    MPI_Iprobe(1, 2, MPI_COMM_WORLD, &flag, &status);
    if (!flag && status.MPI_ERROR != pattern) printf("%d Iprobe that finds nothing\n", rank);
  }
  show("Iprobe", &status);
  status = fresh();
  MPI_Mprobe(1, 2, MPI_COMM_WORLD, &message, &status);
  show("Mprobe", &status);
  status = fresh();
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  show("Mrecv", &status);
}

static void complete_one(void) {
  int values[2], flag = 0, which, done[2];
  MPI_Request requests[2];
  MPI_Status status = fresh();
  MPI_Irecv(values, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, &status);
  show("Wait", &status);
  MPI_Irecv(values, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests);
  for (status = fresh(); !flag;) {
    MPI_Test(requests, &flag, &status);
    if (!flag && status.MPI_ERROR != pattern) printf("%d Test that finds nothing\n", rank);
  }
  show("Test", &status);
  MPI_Irecv(values, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, requests);
  for (status = fresh(), flag = 0; !flag;) MPI_Request_get_status(requests[0], &flag, &status);
  show("Request_get_status", &status);
  requests[1] = MPI_REQUEST_NULL;
  status = fresh();
  MPI_Waitany(2, requests, &which, &status);
  show("Waitany", &status);
  MPI_Irecv(values, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, requests);
  for (status = fresh(), flag = 0; !flag;) MPI_Testany(2, requests, &which, &flag, &status);
  show("Testany", &status);
  status = fresh();
  MPI_Waitany(2, requests, &which, &status);
  show("Waitany of none", &status);
  MPI_Irecv(values, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, requests);
  MPI_Cancel(requests);
  status = fresh();
  MPI_Wait(requests, &status);
  MPI_Test_cancelled(&status, done);
  printf("%d cancelled %d: error %d\n", rank, done[0], status.MPI_ERROR);
}

/// With `room` for each message: 0 for an error.
static void complete_several(int room) {
  int values[4], flag = 0, count, indices[2], result;
  MPI_Request requests[2];
  MPI_Status statuses[2] = {fresh(), fresh()};
  for (int i = 0; i < 2; ++i) {
    MPI_Irecv(&values[i], i == 1 ? room : 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[i]);
  }
  result = MPI_Waitall(2, requests, statuses);
  show_all("Waitall", result, statuses, 2);
  statuses[0] = statuses[1] = fresh();
  for (int i = 0; i < 2; ++i) {
    MPI_Irecv(&values[i], i == 1 ? room : 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[i]);
  }
  while (!flag) result = MPI_Testall(2, requests, &flag, statuses);
  show_all("Testall", result, statuses, 2);
  statuses[0] = fresh();
  MPI_Irecv(values, room, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
  result = MPI_Waitsome(1, requests, &count, indices, statuses);
  show_all("Waitsome", result, statuses, 1);
  statuses[0] = fresh();
  MPI_Irecv(values, room, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
  do {
    result = MPI_Testsome(1, requests, &count, indices, statuses);
  } while (count == 0);
  show_all("Testsome", result, statuses, 1);
}

int main(int arguments, char** argument) {
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int tags[] = {0, 1, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
  for (int i = 0; rank == 1 && i < (int)(sizeof tags / sizeof *tags); ++i) {
    MPI_Send(&i, 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD);
  }
  if (rank == 0) {
    receive_at_once();
    complete_one();
    complete_several(1);
    complete_several(0);
  }
  MPI_Finalize();
  return 0;
}
