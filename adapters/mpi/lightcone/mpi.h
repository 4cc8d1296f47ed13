// Labels and values that an MPI program gives to its own events. Without Lightcone they do nothing,
// so a program that uses them needs this file only, and nothing to link.
#ifndef LIGHTCONE_MPI_H
#define LIGHTCONE_MPI_H

#ifdef __cplusplus
extern "C" {
#endif

// Defined in a program that runs under `lightcone record`, `replay` or `explore`.
extern void lightcone_mpi_add_event(const char* label) __attribute__((weak));
extern void lightcone_mpi_add_value(const char* variable, long long value) __attribute__((weak));

/// An event of this process, which carries the label.
static inline void lightcone_mpi_event(const char* label) {
  if (lightcone_mpi_add_event) lightcone_mpi_add_event(label);
}

/// An event that gives a variable of this process another value.
static inline void lightcone_mpi_set(const char* variable, long long value) {
  if (lightcone_mpi_add_value) lightcone_mpi_add_value(variable, value);
}

#ifdef __cplusplus
}
#endif

#endif
