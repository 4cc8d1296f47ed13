// Requests: which of them are over is a choice wherever a call does not wait for all of its own.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "collectives.h"
#include "receives.h"
#include "wrapping.h"

namespace lightcone::mpi {
namespace {

/// Tells what a request that is over was about. Its handle may mean another one by now.
void complete(Rank& rank, MPI_Request handle, const MPI_Status& status) {
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
  }
  rank.requests().over(handle);
}

/// What a request has got that is over, as others are by the same call: until all of them are told,
/// the MPI knows their handles no more, so no one can ask it.
void note(Rank& rank, MPI_Request handle, const MPI_Status& status) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active || request->receive == nullptr) return;
  int was_cancelled = 0;
  if (request->cancelling) LIGHTCONE_REAL(Test_cancelled)(&status, &was_cancelled);
  if (was_cancelled != 0) {
    request->communicator->posted.forget(*request->receive);
  } else if (!request->receive->channel) {
    request->receive->channel = Channel{status.MPI_SOURCE, status.MPI_TAG};
  }
}

[[nodiscard]] MPI_Status empty_status() {
  MPI_Status status;
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  LIGHTCONE_REAL(Status_set_elements)(&status, MPI_BYTE, 0);
  LIGHTCONE_REAL(Status_set_cancelled)(&status, 0);
  return status;
}

/// In a replay: a receive that got no message is over once it is cancelled.
void end_without_message(Rank& rank, Request& request, MPI_Request* handle, MPI_Status* status) {
  if (!request.was_cancelled) {
    rank.stand_still({Standstill::Why::recording_ended,
                      "the recording ends while it waits in " +
                          describe(request.call, *request.communicator, request.receive->source,
                                   request.receive->tag)});
  }
  *status = empty_status();
  LIGHTCONE_REAL(Status_set_cancelled)(status, 1);
  const bool persistent = request.persistent;
  rank.requests().over(*handle);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
}

/// Waits for one request, whatever stands in for it.
[[nodiscard]] int wait_for(Rank& rank, const char* call, MPI_Request* handle, MPI_Status* status) {
  Request* const request = *handle == MPI_REQUEST_NULL ? nullptr : rank.requests().find(*handle);
  if (request == nullptr || !request->active) return LIGHTCONE_REAL(Wait)(handle, status);
  if (request->never) {
    end_without_message(rank, *request, handle, status);
    return MPI_SUCCESS;
  }
  const MPI_Request name = *handle;
  const bool is_receive = request->what == Request::What::receive;
  const int source =
      is_receive ? request->receive->channel.value_or(Channel{any, any}).source : any;
  MPI_Request* const real = request->is_name ? &request->stand_in : handle;
  const int result = rank.waiting(call, *request->communicator, source, any,
                                  [&] { return LIGHTCONE_REAL(Wait)(real, status); });
  complete(rank, name, *status);
  return result;
}

void hand_over(const MPI_Status& from, MPI_Status* to) {
  if (to != MPI_STATUS_IGNORE) *to = from;
}

/// The handles and statuses of a call; the program may want no statuses.
class Call {
 public:
  Call(int count, const MPI_Request* requests, MPI_Status* statuses)
      : handles_(requests, requests + count),
        own_(statuses == MPI_STATUSES_IGNORE ? static_cast<std::size_t>(count) : 0),
        statuses_(statuses == MPI_STATUSES_IGNORE ? own_.data() : statuses) {}
  [[nodiscard]] MPI_Request handle(int index) const {
    return handles_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] MPI_Status* statuses() { return statuses_; }
  /// All of them are over.
  void complete_all(Rank& rank) const {
    for (std::size_t i = 0; i < handles_.size(); ++i) note(rank, handles_[i], statuses_[i]);
    for (std::size_t i = 0; i < handles_.size(); ++i) complete(rank, handles_[i], statuses_[i]);
  }
  /// These are over; their statuses come first.
  void complete_some(Rank& rank, int count, const int* indices) const {
    for (int k = 0; k < count; ++k) note(rank, handle(indices[k]), statuses_[k]);
    for (int k = 0; k < count; ++k) complete(rank, handle(indices[k]), statuses_[k]);
  }

 private:
  std::vector<MPI_Request> handles_;
  std::vector<MPI_Status> own_;
  MPI_Status* statuses_;
};

template <class Real>
int wait(Rank& rank, const char* name, Real, MPI_Request* request, MPI_Status* status) {
  MPI_Status own;
  const int result = wait_for(rank, name, request, &own);
  hand_over(own, status);
  return result;
}

template <class Real>
int wait_all(Rank& rank, const char* name, Real real, int count, MPI_Request* requests,
             MPI_Status* statuses) {
  if (rank.requests().empty()) return real(count, requests, statuses);
  Call call(count, requests, statuses);
  if (!rank.replays()) {
    const int result = real(count, requests, call.statuses());
    call.complete_all(rank);
    return result;
  }
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    MPI_Status& status = call.statuses()[i];
    status.MPI_ERROR = wait_for(rank, name, &requests[i], &status);
    if (status.MPI_ERROR != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  }
  return result;
}

/// A number that says which of `count` requests is over; `count` if there is none.
[[nodiscard]] std::uint64_t number_of(int index, int count) {
  return static_cast<std::uint64_t>(index == MPI_UNDEFINED ? count : index);
}

/// In a replay: waits for the one that was over.
[[nodiscard]] int wait_for_recorded(Rank& rank, const char* name, int count, MPI_Request* requests,
                                    int* index, MPI_Status* status) {
  const std::uint64_t of = static_cast<std::uint64_t>(count) + 1;
  const auto which = static_cast<int>(rank.recorded_choice(of, name));
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  *index = which == count ? MPI_UNDEFINED : which;
  if (which != count) result = wait_for(rank, name, &requests[which], &own);
  hand_over(own, status);
  return result;
}

template <class Real>
int wait_any(Rank& rank, const char* name, Real real, int count, MPI_Request* requests, int* index,
             MPI_Status* status) {
  if (rank.replays()) return wait_for_recorded(rank, name, count, requests, index, status);
  const Call call(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own;
  const int result = real(count, requests, index, &own);
  rank.enter_choice(number_of(*index, count), static_cast<std::uint64_t>(count) + 1);
  if (*index != MPI_UNDEFINED) complete(rank, call.handle(*index), own);
  hand_over(own, status);
  return result;
}

/// In a replay: waits for all that were over.
[[nodiscard]] int wait_for_recorded_some(Rank& rank, const char* name, int count,
                                         MPI_Request* requests, int* outcount, int* indices,
                                         MPI_Status* statuses) {
  const std::uint64_t of = static_cast<std::uint64_t>(count) + 2;
  const auto how_many = static_cast<int>(rank.recorded_choice(of, name));
  *outcount = how_many == count + 1 ? MPI_UNDEFINED : how_many;
  if (*outcount == MPI_UNDEFINED) return MPI_SUCCESS;
  int result = MPI_SUCCESS;
  for (int k = 0; k < how_many; ++k) {
    const std::uint64_t which = rank.recorded_choice(static_cast<std::uint64_t>(count) + 1, name);
    indices[k] = static_cast<int>(which);
    MPI_Status own;
    own.MPI_ERROR = wait_for(rank, name, &requests[which], &own);
    if (own.MPI_ERROR != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    if (statuses != MPI_STATUSES_IGNORE) statuses[k] = own;
  }
  return result;
}

template <class Real>
int wait_some(Rank& rank, const char* name, Real real, int count, MPI_Request* requests,
              int* outcount, int* indices, MPI_Status* statuses) {
  if (rank.replays()) {
    return wait_for_recorded_some(rank, name, count, requests, outcount, indices, statuses);
  }
  Call call(count, requests, statuses);
  const int result = real(count, requests, outcount, indices, call.statuses());
  const int how_many = *outcount == MPI_UNDEFINED ? 0 : *outcount;
  rank.enter_choice(number_of(*outcount, count + 1), static_cast<std::uint64_t>(count) + 2);
  for (int k = 0; k < how_many; ++k) {
    rank.enter_choice(number_of(indices[k], count), static_cast<std::uint64_t>(count) + 1);
  }
  call.complete_some(rank, how_many, indices);
  return result;
}

template <class Real>
int test(Rank& rank, const char* name, Real real, MPI_Request* request, int* flag,
         MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) return real(request, flag, status);
  MPI_Status own = empty_status();
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return make_progress();
    const int result = wait_for(rank, name, request, &own);
    hand_over(own, status);
    return result;
  }
  const MPI_Request handle = *request;
  const int result = real(request, flag, &own);
  if (!rank.enter_poll(*flag != 0)) return result;
  complete(rank, handle, own);
  hand_over(own, status);
  return result;
}

template <class Real>
int test_all(Rank& rank, const char* name, Real real, int count, MPI_Request* requests, int* flag,
             MPI_Status* statuses) {
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return make_progress();
    return wait_all(rank, name, LIGHTCONE_REAL(Waitall), count, requests, statuses);
  }
  Call call(count, requests, statuses);
  const int result = real(count, requests, flag, call.statuses());
  if (!rank.enter_poll(*flag != 0)) return result;
  call.complete_all(rank);
  return result;
}

template <class Real>
int test_any(Rank& rank, const char* name, Real real, int count, MPI_Request* requests, int* index,
             int* flag, MPI_Status* status) {
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    *index = MPI_UNDEFINED;
    if (*flag == 0) return make_progress();
    return wait_for_recorded(rank, name, count, requests, index, status);
  }
  const Call call(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own = empty_status();
  const int result = real(count, requests, index, flag, &own);
  if (!rank.enter_poll(*flag != 0)) return result;
  rank.enter_choice(number_of(*index, count), static_cast<std::uint64_t>(count) + 1);
  if (*index != MPI_UNDEFINED) complete(rank, call.handle(*index), own);
  hand_over(own, status);
  return result;
}

template <class Real>
int test_some(Rank& rank, const char* name, Real real, int count, MPI_Request* requests,
              int* outcount, int* indices, MPI_Status* statuses) {
  if (rank.replays()) {
    if (rank.recorded_poll(name)) {
      return wait_for_recorded_some(rank, name, count, requests, outcount, indices, statuses);
    }
    *outcount = 0;
    return make_progress();
  }
  Call call(count, requests, statuses);
  const int result = real(count, requests, outcount, indices, call.statuses());
  if (!rank.enter_poll(*outcount != 0)) return result;
  const int how_many = *outcount == MPI_UNDEFINED ? 0 : *outcount;
  rank.enter_choice(number_of(*outcount, count + 1), static_cast<std::uint64_t>(count) + 2);
  for (int k = 0; k < how_many; ++k) {
    rank.enter_choice(number_of(indices[k], count), static_cast<std::uint64_t>(count) + 1);
  }
  call.complete_some(rank, how_many, indices);
  return result;
}

/// The request stays as it is, but what it has got is known.
template <class Real>
int get_status(Rank& rank, const char* name, Real real, MPI_Request handle, int* flag,
               MPI_Status* status) {
  if (handle == MPI_REQUEST_NULL) return real(handle, flag, status);
  Request* const request = rank.requests().find(handle);
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  if (!rank.replays()) {
    result = real(handle, flag, &own);
    if (!rank.enter_poll(*flag != 0)) return result;
    if (request != nullptr && request->receive != nullptr && request->active) {
      rank.matched(*request->communicator, *request->receive, own);
    }
  } else {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return make_progress();
    const bool is_name = request != nullptr && request->is_name && request->active;
    const MPI_Request real_handle = is_name ? request->stand_in : handle;
    for (*flag = 0; *flag == 0 && result == MPI_SUCCESS;) result = real(real_handle, flag, &own);
  }
  hand_over(own, status);
  return result;
}

/// Starts a receive again. The MPI knows its wildcards; a replay begins another one instead, with
/// the source and tag that were recorded.
int start_receive(Rank& rank, Request& request, MPI_Request* handle) {
  const Rank::Aim aim = rank.aim(*request.communicator, request.rank, request.tag);
  request.receive = aim.receive;
  request.active = true;
  request.never = aim.what != RankScript::Match::What::message;
  request.was_cancelled = aim.what == RankScript::Match::What::cancelled;
  request.is_name = rank.replays() && aim.receive->is_wildcard();
  if (request.never) return MPI_SUCCESS;
  Rank::post(*request.communicator, aim.receive);
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
int start(Rank& rank, const char* name, Real real, MPI_Request* handle) {
  Request* const request = rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  if (request->what == Request::What::receive) return start_receive(rank, *request, handle);
  rank.sent(name, *request->communicator, request->rank, request->tag);
  return real(handle);
}

template <class Real>
int start_all(Rank& rank, const char* name, Real, int count, MPI_Request* handles) {
  for (int i = 0; i < count; ++i) {
    const int result = start(rank, name, LIGHTCONE_REAL(Start), &handles[i]);
    if (result != MPI_SUCCESS) return result;
  }
  return MPI_SUCCESS;
}

/// A replay cancels nothing: what was cancelled has not been posted, what got a message gets it.
template <class Real>
int cancel(Rank& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = rank.requests().find(*handle);
  if (request == nullptr || request->what != Request::What::receive) return real(handle);
  request->cancelling = true;
  if (rank.replays() && request->receive->is_wildcard()) return MPI_SUCCESS;
  return real(handle);
}

/// What a receive takes that the program gives up is found out at the end.
template <class Real>
int free_request(Rank& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  Request freed = std::move(*request);
  rank.requests().forget(*handle);
  const bool unknown = freed.what == Request::What::receive && freed.active &&
                       freed.receive->is_wildcard() && !freed.receive->channel;
  if (!unknown || rank.replays() || freed.persistent) return real(handle);
  rank.requests().freed.emplace_back(*handle, std::move(freed));
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace lightcone::mpi

#define COMPLETION(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_COMPLETIONS(COMPLETION)
