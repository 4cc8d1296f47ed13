// A program that begins with a session, where the MPI has them.
#include <mpi.h>
#include <stdio.h>

int main(int arguments, char** argument) {
#if MPI_VERSION >= 4
  MPI_Session session;
  (void)arguments, (void)argument;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  puts("0 has a session");
  return MPI_Session_finalize(&session);
#else
  MPI_Init(&arguments, &argument);
  puts("0 has no session");
  return MPI_Finalize();
#endif
}
