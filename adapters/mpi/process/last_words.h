// What a process does before it dies of a signal, or leaves without MPI_Finalize.
#pragma once

#include <string>

namespace lightcone::mpi {

/// Calls this with a fatal signal when it comes, in another thread, since the one that gets the
/// signal may hold any lock; then the signal has its old effect. Not later than after a second.
/// With 0 if the process leaves by `exit` or `_exit`, as an MPI does after an error that is fatal.
void keep_last_words(void (*last_words)(int signal));

/// Prints why the program ends. Then waits a while: a launcher may forget what it has to pass on
/// when it sees a process end.
void say_why_it_ends(const std::string& why);

}  // namespace lightcone::mpi
