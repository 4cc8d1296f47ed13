// What an MPI call has said, if an error that is fatal ends the process inside of it.
#pragma once

#include "process/mpi_process.h"

namespace lightcone::mpi {

/// While one lives, `enter` is called if the process ends inside of the call at hand. A replay then
/// gets the same message, and the same error. The process has stopped by then.
class IfItEnds {
 public:
  template <class Enter>
  IfItEnds(MpiProcess& rank, const Enter& enter) : rank_(rank), enter_(enter) {
    rank_.enter_if_it_ends(&enter_);
  }
  ~IfItEnds() { rank_.enter_if_it_ends(nullptr); }
  IfItEnds(const IfItEnds&) = delete;
  IfItEnds& operator=(const IfItEnds&) = delete;

 private:
  MpiProcess& rank_;
  const FunctionRef<void()> enter_;
};

/// What a call will say of a message of this channel.
[[nodiscard]] inline MPI_Status status_of(const Channel& channel) {
  MPI_Status status{};
  status.MPI_SOURCE = channel.source;
  status.MPI_TAG = channel.tag;
  return status;
}

}  // namespace lightcone::mpi
