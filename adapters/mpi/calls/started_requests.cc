// Persistent requests, which are started several times, and requests that are given up.
#include <utility>

#include "calls/packed_message.h"
#include "calls/receives.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

/// Starts a receive again. The MPI knows its wildcards; a replay begins another one instead, with
/// the source and tag that were recorded.
int start_receive(MpiProcess& rank, Request& request, MPI_Request* handle) {
  MpiProcess::Aim aim = rank.aim(request.rank, request.tag);
  const bool named = !aim.receive->is_wildcard();
  if (named && rank.begin_named(*aim.receive)) aim.what = MpiScript::Match::What::cancelled;
  request.receive = aim.receive;
  request.active = true;
  request.never = aim.what != MpiScript::Match::What::message;
  request.was_cancelled = aim.what == MpiScript::Match::What::cancelled;
  request.is_name = rank.replays() && aim.receive->is_wildcard();
  if (request.never) return MPI_SUCCESS;
  MpiProcess::post(*request.communicator, aim.receive);
  if (ExploredProcess* const explored = rank.explored()) {
    request.is_name = true;
    explored->post(request);
    return MPI_SUCCESS;
  }
  if (!request.is_name) return LIGHTCONE_REAL(Start)(handle);
#if MPI_VERSION >= 4
  return LIGHTCONE_REAL(Irecv_c)(request.buffer, request.count, request.type, aim.source, aim.tag,
                                 request.comm, &request.stand_in);
#else
  return LIGHTCONE_REAL(Irecv)(request.buffer, static_cast<int>(request.count), request.type,
                               aim.source, aim.tag, request.comm, &request.stand_in);
#endif
}

template <class Real>
int start(MpiProcess& rank, const char* name, Real real, MPI_Request* handle) {
  Request* const request = handle == nullptr ? nullptr : rank.requests().find(*handle);
  if (request == nullptr || !request->persistent) return real(handle);
  const bool is_known = request->is_name || rank.explored() != nullptr;
  if (request->active) return is_known ? MPI_ERR_REQUEST : real(handle);
  if (request->what == Request::What::receive) return start_receive(rank, *request, handle);
  if (ExploredProcess* const explored = rank.explored()) {
    auto copy = pack(request->buffer, request->count, request->type);
    if (!copy) return real(handle);
    request->active = true;
    rank.sent(name, *request->communicator, request->rank, request->tag);
    const int result = explored->send(std::move(*copy), *request->communicator, request->rank,
                                      request->tag, request->comm);
    request->sent =
        explored->sent(request->call, *request->communicator, request->rank, request->tag);
    request->is_name = request->sent.communicator != nullptr;
    return result;
  }
  rank.sent(name, *request->communicator, request->rank, request->tag);
  return real(handle);
}

template <class Real>
int start_all(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* handles) {
  if (count < 0 || handles == nullptr) return real(count, handles);
  for (int i = 0; i < count; ++i) {
    const int result = start(rank, name, LIGHTCONE_REAL(Start), &handles[i]);
    if (result != MPI_SUCCESS) return result;
  }
  return MPI_SUCCESS;
}

/// A replay cancels nothing: what was cancelled has not been posted, what got a message gets it.
template <class Real>
int cancel(MpiProcess& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = handle == nullptr ? nullptr : rank.requests().find(*handle);
  if (request != nullptr && request->sent.communicator != nullptr) {
    rank.explored()->leave_out("cancelled sends");
    return MPI_SUCCESS;  // it came too late
  }
  if (request == nullptr || request->what != Request::What::receive) return real(handle);
  request->cancelling = true;
  if (ExploredProcess* const explored = rank.explored()) {
    if (request->done || !request->is_name) return MPI_SUCCESS;
    if (request->acknowledged) {
      explored->leave_out("cancelled receives that a sender may already know about");
    }
    explored->forget(*request);
    request->never = request->was_cancelled = true;
    rank.cancelled(*request->communicator, *request->receive);
    return MPI_SUCCESS;
  }
  if (rank.replays()) return MPI_SUCCESS;
  return real(handle);
}

/// What a receive takes that the program gives up is found out at the end.
template <class Real>
int free_request(MpiProcess& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = handle == nullptr ? nullptr : rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  if (ExploredProcess* const explored = rank.explored()) {
    const bool receives = request->what == Request::What::receive && request->active;
    if (receives && request->is_name && !request->done && !request->never) {
      explored->leave_out("receives that are freed before they are complete");
    }
    explored->forget(*request);
  }
  Request freed = std::move(*request);
  rank.requests().forget(*handle);
  const bool unknown = freed.what == Request::What::receive && freed.active &&
                       freed.receive->is_wildcard() && !freed.receive->channel;
  if (!unknown || rank.knows_answers() || freed.persistent) return real(handle);
  rank.requests().freed.emplace_back(*handle, std::move(freed));
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace lightcone::mpi

#define STARTED(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_STARTED(STARTED)
