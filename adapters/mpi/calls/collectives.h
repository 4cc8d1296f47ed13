// Collective operations as events: what a process gives to one, and what it gets from it.
#pragma once

#include <span>

#include "calls/requests.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

/// The process enters the operation: an event that sends, if anyone gets something from it.
void enter(MpiProcess& rank, Collective& collective);
/// It has what it waits for: an event that takes, if it gets something from anyone.
void leave(MpiProcess& rank, const Collective& collective, const ContentsNote& got = {});
/// The same for a collective of neighbours, with what came from them.
void leave_neighbours(MpiProcess& rank, const Collective& collective,
                      std::span<const Buffer> results);

}  // namespace lightcone::mpi
