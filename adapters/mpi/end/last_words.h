// What a process does before it dies of a signal, or leaves without MPI_Finalize.
#pragma once

#include <chrono>
#include <string>

namespace lightcone::mpi {

/// Why a process ends, if it is not a signal.
inline constexpr int by_exit = 0;   ///< it leaves by `exit` or `_exit`
inline constexpr int in_call = -1;  ///< inside of an MPI call, as an MPI does after a fatal error

/// Calls this with a fatal signal when it comes, or with one of these reasons, in another thread,
/// since the one that ends may hold any lock. Then the process ends as it would have. Not later
/// than after `longest`.
void keep_last_words(void (*last_words)(int why), std::chrono::seconds longest);

/// Prints why the program ends. Then waits a while: a launcher may forget what it has to pass on
/// when it sees a process end.
void say_why_it_ends(const std::string& why);

}  // namespace lightcone::mpi
