// A complete request is an event of what it was about.
#include "calls/request_ends.h"

#include "answers/contents_keeper.h"
#include "calls/collectives.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "contents/contents_digest.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

void keep_contents(MpiProcess& rank, Request& request, const MPI_Status& status, int error) {
  ContentsKeeper* const contents = rank.contents();
  if (contents == nullptr || request.places == nullptr) return;
  if (std::exchange(request.has_contents, true)) return;
  if (request.what == Request::What::receive) {
    contents->received(request.places->buffers.front(), status, error);
  } else {
    contents->collective(request.places->buffers, error);
  }
}

namespace {

/// Where the message of a receive is.
[[nodiscard]] Buffer place_of(const Request& request) {
  if (request.places != nullptr) return request.places->buffers.front();
  return {request.buffer, request.count, request.type};
}

}  // namespace

void complete(MpiProcess& rank, MPI_Request handle, const MPI_Status& status, int error) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active) return;
  Communicator& communicator = *request->communicator;
  if (request->what == Request::What::receive) {
    int was_cancelled = 0;
    if (request->cancelling) LIGHTCONE_REAL(Test_cancelled)(&status, &was_cancelled);
    if (was_cancelled != 0) {
      rank.cancelled(communicator, *request->receive);
    } else {
      rank.received(request->call, communicator, request->receive, status, place_of(*request));
      keep_contents(rank, *request, status, error);
    }
  } else if (request->what == Request::What::collective) {
    leave(rank, request->collective,
          rank.keeps_digests() && request->places ? note_of(request->places->buffers)
                                                  : ContentsNote());
    keep_contents(rank, *request, status, error);
  } else if (request->what == Request::What::neighbours) {
    if (rank.keeps_digests() && request->places) {
      leave_neighbours(rank, request->collective, request->places->buffers);
    }
    keep_contents(rank, *request, status, error);
  } else if (request->what == Request::What::communicator) {
    rank.communicators().add(*request->made, request->name, communicator.facts());
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
  if (was_cancelled != 0) return complete(rank, handle, status, MPI_SUCCESS);
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

void hand_over(const MPI_Status& from, MPI_Status* to) {
  if (to == MPI_STATUS_IGNORE) return;
  const int error = to->MPI_ERROR;
  *to = from;
  to->MPI_ERROR = error;
}

}  // namespace lightcone::mpi
