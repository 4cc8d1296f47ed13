// Waiting for requests, and what they were about when they are complete.
#pragma once

#include <mpi.h>

#include <optional>

namespace lightcone::mpi {

class MpiProcess;

/// Reports what a complete request was about. Its handle may mean another request by now.
void complete(MpiProcess& rank, MPI_Request handle, const MPI_Status& status);

/// Reports what a receive has got before any other of the same call is completed. The MPI no longer
/// knows its handle, so this is not possible later.
void learn(MpiProcess& rank, MPI_Request handle, const MPI_Status& status);

/// Waits for one request, whatever stands in for it.
[[nodiscard]] int wait_for(MpiProcess& rank, const char* call, MPI_Request* handle,
                           MPI_Status* status);

/// Returns whether a request is over, where the process is explored.
[[nodiscard]] bool is_over(MpiProcess& rank, const char* call, MPI_Request handle);

/// Which of several is over, where the process is explored; `count` if none ever is. A poll may
/// find none.
[[nodiscard]] std::optional<int> choose_explored(MpiProcess& rank, const char* call, int count,
                                                 const MPI_Request* handles, bool polls);

/// Of a request that was about nothing.
[[nodiscard]] MPI_Status empty_status();

/// Gives a status to a program that wants it. Its MPI_ERROR stays as it is: only calls that
/// complete several requests set it, and only if one of them failed.
void hand_over(const MPI_Status& from, MPI_Status* to);

}  // namespace lightcone::mpi
