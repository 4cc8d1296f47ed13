// In a replay: a call that completes several requests fails as it failed when it was recorded.
#include <thread>

#include "answers/journal_answers.h"
#include "calls/mpi_functions.h"
#include "calls/request_ends.h"
#include "process/errors_return.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

/// The requests that the MPI knows, of those that a call completes.
struct Known {
  std::vector<MPI_Request> handles = {};
  std::vector<std::size_t> places = {};
};

/// A call that fails may leave requests that are not over. Here none of them is any more.
int wait_until_over(const std::vector<MPI_Request>& handles) {
  const ErrorsReturn quiet;
  for (const MPI_Request handle : handles) {
    int is_over = handle == MPI_REQUEST_NULL ? 1 : 0;
    while (is_over == 0) {
      const int result = LIGHTCONE_REAL(Request_get_status)(handle, &is_over, MPI_STATUS_IGNORE);
      if (result != MPI_SUCCESS) break;  // it is over, with an error
      if (is_over == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  return MPI_SUCCESS;
}

}  // namespace

/// One call of the MPI completes them, so that the error is the same, and the error handler of the
/// program is called as often. A message that came early is no request: its error is the call's,
/// which MPICH says on the world.
void JournalAnswers::finish_failed(const char* call, const std::vector<MPI_Request*>& requests,
                                   const std::string& ends, std::vector<MPI_Status>& statuses) {
  Known known;
  bool is_said = true;
  const Communicator* communicator = nullptr;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (ends[k] == 0) continue;
    Request* const request = rank_.requests().find(*requests[k]);
    const bool is_ours = request != nullptr && request->active;
    if (is_ours) communicator = request->communicator;
    if (is_ours && (request->never || request->early != nullptr)) {
      if (request->early != nullptr) request->early->is_quiet = true;
      statuses[k].MPI_ERROR = finish(call, requests[k], &statuses[k]);
      is_said = is_said && statuses[k].MPI_ERROR == MPI_SUCCESS;
      continue;
    }
    known.places.push_back(k);
    known.handles.push_back(is_ours && request->is_name ? request->stand_in : *requests[k]);
  }
  if (communicator != nullptr) {
    static_cast<void>(rank_.waiting(call, *communicator, any, any,
                                    [&] { return wait_until_over(known.handles); }));
  }
  std::vector<MPI_Status> own(known.handles.size());
  const int result = LIGHTCONE_REAL(Waitall)(static_cast<int>(known.handles.size()),
                                             known.handles.data(), own.data());
  for (std::size_t i = 0; i < own.size(); ++i) {
    MPI_Request* const handle = requests[known.places[i]];
    if (result == MPI_SUCCESS) own[i].MPI_ERROR = MPI_SUCCESS;
    // MPICH leaves what comes after an error, in some calls only.
    if (own[i].MPI_ERROR == MPI_ERR_PENDING) {
      const ErrorsReturn quiet;
      own[i].MPI_ERROR = LIGHTCONE_REAL(Wait)(&known.handles[i], &own[i]);
    }
    statuses[known.places[i]] = own[i];
    learn(rank_, *handle, own[i]);
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    MPI_Request* const handle = requests[known.places[i]];
    const MPI_Request name = *handle;
    const Request* const request = rank_.requests().find(name);
    if (request == nullptr || !request->active || !request->is_name) *handle = known.handles[i];
    complete(rank_, name, own[i], own[i].MPI_ERROR);
  }
  if (result == MPI_SUCCESS && !is_said) {
    LIGHTCONE_REAL(Comm_call_errhandler)(MPI_COMM_WORLD, MPI_ERR_IN_STATUS);
  }
}

}  // namespace lightcone::mpi
