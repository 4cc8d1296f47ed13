// Requests that stand for what the MPI does not know of.
#pragma once

#include <mpi.h>

#include "calls/requests.h"

namespace lightcone::mpi {

/// Makes a handle that stands for a request which the MPI does not know of.
void name_only(Request& request, MPI_Request* handle);

/// Makes a request that is complete.
void make_over(MPI_Comm comm, MPI_Request* request);

/// Lets the MPI move what is under way.
int make_progress();

}  // namespace lightcone::mpi
