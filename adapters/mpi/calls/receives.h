// What receives and their completion have in common.
#pragma once

#include <mpi.h>

#include "calls/requests.h"

namespace lightcone::mpi {

/// In a replay: makes a handle that stands for a request which the MPI does not know of.
void name_only(Request& request, MPI_Request* handle);

/// Lets the MPI move what is under way.
int make_progress();

/// In a replay: a poll that finds nothing. There are as many as were recorded, and none of them
/// needs the MPI, so that few let it move, and now and then others get the core.
int pass_poll();

}  // namespace lightcone::mpi
