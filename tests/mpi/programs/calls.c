// Runs the test programs that it is told to, or all: each exercises some calls of MPI.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "program.h"

int rank;

static struct {
  const char* name;
  Program program;
} programs[100];
static int count;
static const char* running = "";
static char line[200];

void add_program(const char* name, Program program) {
  int place = count++;
  for (; place > 0 && strcmp(programs[place - 1].name, name) > 0; --place) {
    programs[place] = programs[place - 1];
  }
  programs[place].name = name;
  programs[place].program = program;
}

void end_line(void) {
  if (line[0] != '\0') printf("%d %s:%s\n", rank, running, line);
  line[0] = '\0';
}

void note(const char* format, ...) {
  char word[60];
  va_list values;
  va_start(values, format);
  vsnprintf(word, sizeof word, format, values);
  va_end(values);
  strcat(line, " ");
  strcat(line, word);
  if (strlen(line) > 70) end_line();
}

void note_message(const MPI_Status* status, int value) {
  note("%d/%d=%d", status->MPI_SOURCE, status->MPI_TAG, value);
}

void others_send(MPI_Comm comm, int messages) {
  int me;
  MPI_Comm_rank(comm, &me);
  for (int i = 0; me != 0 && i < messages; ++i) {
    int value = 100 * me + i;
    noise();
    MPI_Send(&value, 1, MPI_INT, 0, i % 3, comm);
  }
}

int messages_of_others(MPI_Comm comm, int messages) {
  int size;
  MPI_Comm_size(comm, &size);
  return (size - 1) * messages;
}

void race_on(MPI_Comm comm, const char* name) {
  if (comm == MPI_COMM_NULL) return;
  int me;
  MPI_Comm_rank(comm, &me);
  others_send(comm, 3);
  for (int i = 0; me == 0 && i < messages_of_others(comm, 3); ++i) {
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    if (i == 0) note("%s", name);
    note_message(&status, value);
  }
}

static int is_wanted(const char* name, int arguments, char** argument) {
  for (int i = 1; i < arguments; ++i) {
    if (strcmp(name, argument[i]) == 0) return 1;
  }
  return arguments == 1;
}

static void list(void) {
  for (int i = 0; i < count; ++i) puts(programs[i].name);
}

int main(int arguments, char** argument) {
  if (arguments == 2 && strcmp(argument[1], "--list") == 0) return list(), 0;
  int size;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != ranks) {
    if (rank == 0) fprintf(stderr, "calls: start %d ranks\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int i = 0; i < count; ++i) {
    if (!is_wanted(programs[i].name, arguments, argument)) continue;
    running = programs[i].name;
    MPI_Barrier(MPI_COMM_WORLD);
    programs[i].program();
    end_line();
  }
  MPI_Finalize();
  return 0;
}
