// Where in its code the program makes the call at hand.
#pragma once

#include <string>

namespace lightcone::mpi {

/// The call at hand returns to this address. There is one call at a time.
inline const void* call_returns_to = nullptr;

/// The address that the call at hand returns to in the program, past the libraries of the MPI: a
/// Fortran program calls them, and they call MPI functions.
[[nodiscard]] const void* call_site();

/// `/path/program+0x1a2b`: the file that has this code, and where the call before the address is in
/// it, from where the file is loaded. Empty if that is not known.
[[nodiscard]] std::string site_text(const void* address);

/// Returns whether code of an MPI, or of what it is made of, is at this address: calls that are not
/// wrapped read clocks, too, as often as they like. So do interpreters and the like, for their own
/// ends.
[[nodiscard]] bool is_of_others(const void* address);

}  // namespace lightcone::mpi
