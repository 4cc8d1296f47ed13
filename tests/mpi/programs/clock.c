// Wtime and Wtick, and how much of the processor was used: times come back as they were.
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

#include "program.h"

PROGRAM(wtime) {
  note("%g", MPI_Wtick());
  double last = MPI_Wtime();
  for (int i = 0; i < 5; ++i) {
    noise();
    const double now = MPI_Wtime();
    note("%.9f %s", now - (long)(now / 100) * 100.0, now >= last ? "later" : "earlier");
    last = now;
  }
}

// What a program does may depend on the time.
PROGRAM(wtime_decides) {
  others_send(MPI_COMM_WORLD, wildcard_messages);
  for (int i = 0; rank == 0 && i < wildcard_messages * (ranks - 1); ++i) {
    const int source = (long)(MPI_Wtime() * 1e6) % 2 == 0 ? MPI_ANY_SOURCE : i % 3 + 1;
    int value, found;
    MPI_Status status;
    MPI_Iprobe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    note("%s", found ? "found" : "not");
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    note_message(&status, value);
  }
}

PROGRAM(processor_time) {
  for (int i = 0; i < 3; ++i) {
    struct tms used;
    struct rusage usage;
    noise();
    note("%ld %ld", (long)clock(), (long)times(&used));
    note("%ld", (long)used.tms_utime);
    getrusage(RUSAGE_SELF, &usage);
    note("%ld.%06ld %ld", (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec,
         usage.ru_minflt);
    note("%ld", usage.ru_nvcsw);
  }
}
