// One-sided communication in an exploration: which process waits for which at a window.
#pragma once

#include <mpi.h>

#include <optional>
#include <string_view>

#include "process/mpi_process.h"

namespace lightcone::mpi {

/// Before a call that completes operations on a window: a fence is a meeting of all processes of
/// the window, others are let through. Nothing where the process does not wait for all others.
[[nodiscard]] std::optional<Meeting> begin_synchronisation(ExploredProcess& explored,
                                                           std::string_view call, MPI_Win window);
/// After it: an access epoch may be over.
void end_synchronisation(ExploredProcess& explored, std::string_view call, MPI_Win window);

/// Makes a call that completes operations on a window.
template <class Call>
int synchronise(MpiProcess& rank, const char* name, MPI_Win window, Call call) {
  ExploredProcess* const explored = rank.explored();
  if (explored == nullptr) return call();
  const auto meeting = begin_synchronisation(*explored, name, window);
  const int result = meeting ? explored->meet(*meeting, call) : call();
  end_synchronisation(*explored, name, window);
  return result;
}

}  // namespace lightcone::mpi
