// Delays of random length, drawn anew in every run.
#include "noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned seed(void) {
  unsigned drawn = (unsigned)getpid();
  FILE* source = fopen("/dev/urandom", "rb");
  if (source == NULL) return drawn;
  if (fread(&drawn, sizeof drawn, 1, source) != 1) drawn = (unsigned)getpid();
  fclose(source);
  return drawn;
}

void noise(void) {
  static unsigned state;
  if (getenv("NOISE") == NULL) return;
  if (state == 0) state = seed() | 1U;
  state = state * 1664525U + 1013904223U;
  if (state >> 31 == 0) usleep((state >> 8) % 600);
}
