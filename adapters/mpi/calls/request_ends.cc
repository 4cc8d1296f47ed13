// How a request ends depends on who knows about it: the MPI, a recording, or a controller.
#include "calls/request_ends.h"

#include <algorithm>
#include <vector>

#include "calls/collectives.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

/// In a replay: a receive that got no message is over once it is cancelled.
void end_without_message(MpiProcess& rank, Request& request, MPI_Request* handle,
                         MPI_Status* status) {
  if (!request.was_cancelled) {
    rank.stand_without_message(MpiScript::Match::What::never,
                               describe(request.call, *request.communicator,
                                        request.receive->source, request.receive->tag));
  }
  *status = empty_status();
  LIGHTCONE_REAL(Status_set_cancelled)(status, 1);
  const bool persistent = request.persistent;
  rank.requests().over(*handle);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
}

/// Where the process is explored, a receive is made when it is known what it takes.
[[nodiscard]] int wait_for_explored(MpiProcess& rank, const char* call, Request& request,
                                    MPI_Request* handle, MPI_Status* status) {
  const MPI_Request name = *handle;
  static_cast<void>(rank.explored()->finish(call, request, false));
  if (!request.is_name) {
    const int result = LIGHTCONE_REAL(Wait)(handle, status);
    complete(rank, name, *status);
    return result;
  }
  *status = request.what == Request::What::receive ? request.status : empty_status();
  const bool persistent = request.persistent;
  complete(rank, name, *status);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
  return status->MPI_ERROR;
}

}  // namespace

void complete(MpiProcess& rank, MPI_Request handle, const MPI_Status& status) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active) return;
  Communicator& communicator = *request->communicator;
  if (request->what == Request::What::receive) {
    int was_cancelled = 0;
    if (request->cancelling) LIGHTCONE_REAL(Test_cancelled)(&status, &was_cancelled);
    if (was_cancelled != 0) {
      rank.cancelled(communicator, *request->receive);
    } else {
      rank.received(request->call, communicator, request->receive, status);
    }
  } else if (request->what == Request::What::collective) {
    leave(rank, request->collective);
  } else if (request->what == Request::What::communicator) {
    rank.communicators().add(*request->made, request->name);
  } else if (request->what == Request::What::fetch) {
    complete_fetch(rank, *request);
  }
  rank.requests().over(handle);
}

void learn(MpiProcess& rank, MPI_Request handle, const MPI_Status& status) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active || request->what != Request::What::receive) return;
  int was_cancelled = 0;
  if (request->cancelling) LIGHTCONE_REAL(Test_cancelled)(&status, &was_cancelled);
  if (was_cancelled != 0) return complete(rank, handle, status);
  Receive& receive = *request->receive;
  if (!receive.channel) receive.channel = Channel{status.MPI_SOURCE, status.MPI_TAG};
}

MPI_Status empty_status() {
  MPI_Status status;
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  LIGHTCONE_REAL(Status_set_elements)(&status, MPI_BYTE, 0);
  LIGHTCONE_REAL(Status_set_cancelled)(&status, 0);
  return status;
}

bool is_over(MpiProcess& rank, const char* call, MPI_Request handle) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active || request->never) return true;
  return rank.explored()->finish(call, *request, true);
}

std::optional<int> choose_explored(MpiProcess& rank, const char* call, int count,
                                   const MPI_Request* handles, bool polls) {
  static Request over{.what = Request::What::send};  // that Lightcone knows nothing of
  std::vector<Request*> requests;
  for (int i = 0; i < count; ++i) {
    Request* const request = rank.requests().find(handles[i]);
    const bool is_null = handles[i] == MPI_REQUEST_NULL || (request && !request->active);
    requests.push_back(is_null ? nullptr : request != nullptr ? request : &over);
  }
  if (std::ranges::count(requests, nullptr) == count) return count;
  const auto which = rank.explored()->finish_one(call, requests, polls);
  if (!which) return std::nullopt;
  return static_cast<int>(*which);
}

int wait_for(MpiProcess& rank, const char* call, MPI_Request* handle, MPI_Status* status) {
  Request* const request = *handle == MPI_REQUEST_NULL ? nullptr : rank.requests().find(*handle);
  if (request == nullptr || !request->active) return LIGHTCONE_REAL(Wait)(handle, status);
  if (request->never) {
    end_without_message(rank, *request, handle, status);
    return MPI_SUCCESS;
  }
  const MPI_Request name = *handle;
  if (request->what == Request::What::fetch) {
    const int result = LIGHTCONE_REAL(Wait)(handle, status);
    complete(rank, name, *status);
    return result;
  }
  const bool is_receive = request->what == Request::What::receive;
  if (rank.explored() != nullptr) return wait_for_explored(rank, call, *request, handle, status);
  const int source =
      is_receive ? request->receive->channel.value_or(Channel{any, any}).source : any;
  MPI_Request* const real = request->is_name ? &request->stand_in : handle;
  const int result = rank.waiting(call, *request->communicator, source, any,
                                  [&] { return LIGHTCONE_REAL(Wait)(real, status); });
  complete(rank, name, *status);
  return result;
}

void hand_over(const MPI_Status& from, MPI_Status* to) {
  if (to == MPI_STATUS_IGNORE) return;
  const int error = to->MPI_ERROR;
  *to = from;
  to->MPI_ERROR = error;
}

}  // namespace lightcone::mpi
