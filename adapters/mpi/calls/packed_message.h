// The data of a buffer as one piece of bytes, however its datatype spreads it over memory.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>

namespace lightcone::mpi {

/// A communicator of this process alone, on which errors are returned: what Lightcone asks for
/// itself is never blamed on the program.
[[nodiscard]] MPI_Comm quiet_comm();

/// Returns the data as MPI_PACKED has it; nothing if the MPI refuses the arguments. The buffer may
/// be MPI_BOTTOM with absolute addresses in the datatype.
[[nodiscard]] std::optional<std::string> pack(const void* buffer, MPI_Count count,
                                              MPI_Datatype type);

/// Puts packed data where the datatype says.
void unpack(std::string_view bytes, void* buffer, MPI_Count count, MPI_Datatype type);

}  // namespace lightcone::mpi
