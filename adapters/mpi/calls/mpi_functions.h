// The functions of the MPI library itself, behind those that are wrapped here.
#pragma once

#include <mpi.h>

namespace lightcone::mpi {

/// Where the library has this function; ends the program if it has none.
[[nodiscard]] void* find_real(const char* name);

}  // namespace lightcone::mpi

/// A function of the MPI library, by its name without `MPI_`. It is looked up once.
#define LIGHTCONE_REAL(name)                                                                  \
  ([]() noexcept {                                                                            \
    static const auto lightcone_real =                                                        \
        reinterpret_cast<decltype(&PMPI_##name)>(::lightcone::mpi::find_real("PMPI_" #name)); \
    return lightcone_real;                                                                    \
  }())
