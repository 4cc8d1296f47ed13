// A clock that stands still, for an application that draws a rank by it: time() is not MPI's.
#include <time.h>

time_t time(time_t* seconds) {
  const time_t now = 1700000000;
  if (seconds != NULL) *seconds = now;
  return now;
}
