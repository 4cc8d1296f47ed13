// The functions of the MPI library itself, behind those that are wrapped here.
#pragma once

#include <mpi.h>

namespace lightcone::mpi {

/// Where the library has this function or variable; ends the program if it has none.
[[nodiscard]] void* find_real(const char* name);

/// What stands for no weights. MPICH has it in a variable. If it were named here, every program
/// that this is preloaded into would load all of MPICH, also the launchers.
[[nodiscard]] inline int* unweighted() {
#ifdef MPICH_VERSION
  return *static_cast<int* const*>(find_real("MPI_UNWEIGHTED"));
#else
  return MPI_UNWEIGHTED;
#endif
}

}  // namespace lightcone::mpi

/// A function of the MPI library, by its name without `MPI_`. It is looked up once.
#define LIGHTCONE_REAL(name)                                                                  \
  ([]() noexcept {                                                                            \
    static const auto lightcone_real =                                                        \
        reinterpret_cast<decltype(&PMPI_##name)>(::lightcone::mpi::find_real("PMPI_" #name)); \
    return lightcone_real;                                                                    \
  }())
