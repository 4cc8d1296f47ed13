// Requests and messages that stand for what the MPI does not know of.
#pragma once

#include <mpi.h>

#include "calls/requests.h"

namespace lightcone::mpi {

/// Makes a handle that stands for a request which the MPI does not know of.
void name_only(Request& request, MPI_Request* handle);

/// The same for a message that a probe took; and its end, when it is received.
[[nodiscard]] int name_only(MPI_Message* message);
void end_name(MPI_Message* message);

/// Makes a request that is complete.
void make_over(MPI_Comm comm, MPI_Request* request);

/// Lets the MPI move what is under way.
int make_progress();

}  // namespace lightcone::mpi
