// What the test programs share: how they are listed, and what they print.
#pragma once

#include <mpi.h>
#include <stdlib.h>

#include "noise.h"

enum { ranks = 4, wildcard_messages = 9 };

/// This process, in MPI_COMM_WORLD.
extern int rank;

/// Adds to the line that this process prints about the program that runs.
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Ends the line.
void end_line(void);

/// Prints the order of a receive: who sent it, with which tag, and what.
void note_message(const MPI_Status* status, int value);

/// Sends so many messages with tags 0 to 2 to rank 0, with noise before each; not from rank 0.
void others_send(MPI_Comm comm, int messages);

/// How many messages rank 0 of the communicator gets from `others_send`.
int messages_of_others(MPI_Comm comm, int messages);

/// All of the above, received by wildcard: what a communicator must show.
void race_on(MPI_Comm comm, const char* name);

typedef void (*Program)(void);
void add_program(const char* name, Program program);

/// Defines a program; `calls NAME` runs it, and `calls` runs all.
#define PROGRAM(name)                                                                     \
  static void name(void);                                                                 \
  __attribute__((constructor)) static void add_##name(void) { add_program(#name, name); } \
  static void name(void)
