// What Lightcone asks the MPI for itself does not call error handlers of the program.
#pragma once

#include <mpi.h>

#include <array>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {

/// While one lives, errors of calls on communicators that the MPI does not know are returned, and
/// in some MPIs those of requests.
class ErrorsReturn {
 public:
  ErrorsReturn() {
    for (std::size_t i = 0; i < comms_.size(); ++i) {
      LIGHTCONE_REAL(Comm_get_errhandler)(comms_[i], &before_[i]);
      LIGHTCONE_REAL(Comm_set_errhandler)(comms_[i], MPI_ERRORS_RETURN);
    }
  }
  ~ErrorsReturn() {
    for (std::size_t i = 0; i < comms_.size(); ++i) {
      LIGHTCONE_REAL(Comm_set_errhandler)(comms_[i], before_[i]);
      LIGHTCONE_REAL(Errhandler_free)(&before_[i]);
    }
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  const std::array<MPI_Comm, 2> comms_ = {MPI_COMM_WORLD, MPI_COMM_SELF};
  std::array<MPI_Errhandler, 2> before_ = {};
};

}  // namespace lightcone::mpi
