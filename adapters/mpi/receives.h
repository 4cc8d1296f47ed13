// What receives and their completion have in common.
#pragma once

#include <mpi.h>

#include "requests.h"

namespace lightcone::mpi {

/// In a replay: makes a handle that stands for a request which the MPI does not know of.
void name_only(Request& request, MPI_Request* handle);

/// In a replay: a poll that finds nothing lets the MPI move what is under way.
int make_progress();

}  // namespace lightcone::mpi
