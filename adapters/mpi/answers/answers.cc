// Sends as the program makes them, whoever answers the rest.
#include "answers/answers.h"

#include "calls/mpi_functions.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

int Answers::start_send(const char* call, Request& request, MPI_Request* handle) {
  rank_.sent(call, *request.communicator, request.rank, request.tag,
             {request.buffer, request.count, request.type});
  return LIGHTCONE_REAL(Start)(handle);
}

std::optional<int> Answers::send_beside(const Sending& sending) {
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  return sending.to;
}

}  // namespace lightcone::mpi
