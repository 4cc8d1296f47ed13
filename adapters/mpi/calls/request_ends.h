// What requests were about, when they are complete.
#pragma once

#include <mpi.h>

namespace lightcone::mpi {

class MpiProcess;

struct Request;

/// Reports what a complete request was about, and how the call ended. Its handle may mean another
/// request by now.
void complete(MpiProcess& rank, MPI_Request handle, const MPI_Status& status, int error);

/// Reports what a receive has got before any other of the same call is completed. The MPI no longer
/// knows its handle, so this is not possible later.
void learn(MpiProcess& rank, MPI_Request handle, const MPI_Status& status);

/// Keeps the contents that a receive or a collective operation has got, where they are kept, and
/// once.
void keep_contents(MpiProcess& rank, Request& request, const MPI_Status& status, int error);

/// Of a request that was about nothing.
[[nodiscard]] MPI_Status empty_status();

/// Gives a status to a program that wants it. Its MPI_ERROR stays as it is: only calls that
/// complete several requests set it, and only if one of them failed.
void hand_over(const MPI_Status& from, MPI_Status* to);

}  // namespace lightcone::mpi
