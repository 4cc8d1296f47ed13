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

/// Says what a receive has got before any other of the same call is completed: the MPI knows its
/// handle no more, so that nobody can look later.
void learn(Rank& rank, MPI_Request handle, const MPI_Status& status) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active || request->what != Request::What::receive) return;
  int was_cancelled = 0;
  if (request->cancelling) LIGHTCONE_REAL(Test_cancelled)(&status, &was_cancelled);
  if (was_cancelled != 0) return complete(rank, handle, status);
  Receive& receive = *request->receive;
  if (!receive.channel) receive.channel = Channel{status.MPI_SOURCE, status.MPI_TAG};
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

/// Where the process is explored, a receive is made when it is known what it takes.
[[nodiscard]] int wait_for_explored(Rank& rank, const char* call, Request& request,
                                    MPI_Request* handle, MPI_Status* status) {
  const MPI_Request name = *handle;
  if (request.what == Request::What::collective) {
    static_cast<void>(rank.explored()->end_meeting(request.collective, false));
    const int result = LIGHTCONE_REAL(Wait)(handle, status);
    complete(rank, name, *status);
    return result;
  }
  if (request.what != Request::What::receive || !request.is_name) {
    const int result = LIGHTCONE_REAL(Wait)(handle, status);
    complete(rank, name, *status);
    return result;
  }
  static_cast<void>(rank.explored()->finish(call, request, false));
  *status = request.status;
  const bool persistent = request.persistent;
  complete(rank, name, *status);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
  return MPI_SUCCESS;
}

/// Whether a request is over, where the process is explored.
[[nodiscard]] bool is_over(Rank& rank, const char* call, MPI_Request handle) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active || request->never) return true;
  if (request->what == Request::What::collective) {
    return rank.explored()->end_meeting(request->collective, true);
  }
  if (request->what != Request::What::receive || !request->is_name) return true;
  return rank.explored()->finish(call, *request, true);
}

/// Which of several is over, where the process is explored; `count` if none ever is. A poll may
/// find none.
[[nodiscard]] std::optional<int> choose_explored(Rank& rank, const char* call, int count,
                                                 const MPI_Request* handles, bool polls) {
  static Request over{.what = Request::What::send};  // that Lightcone knows nothing of
  std::vector<Request*> requests;
  for (int i = 0; i < count; ++i) {
    Request* const request = rank.requests().find(handles[i]);
    const bool is_null = handles[i] == MPI_REQUEST_NULL || (request && !request->active);
    const bool known = request != nullptr && request->is_name && !request->never;
    requests.push_back(is_null ? nullptr : known ? request : &over);
  }
  if (std::ranges::count(requests, nullptr) == count) return count;
  const auto which = rank.explored()->finish_one(call, requests, polls);
  if (!which) return std::nullopt;
  return static_cast<int>(*which);
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
  /// These are over, with a status each.
  void complete_some(Rank& rank, int how_many, const int* indices) {
    for (int k = 0; k < how_many; ++k) learn(rank, handle(indices[k]), statuses_[k]);
    for (int k = 0; k < how_many; ++k) complete(rank, handle(indices[k]), statuses_[k]);
  }
  void complete_all(Rank& rank, int count) {
    for (int i = 0; i < count; ++i) learn(rank, handle(i), statuses_[i]);
    for (int i = 0; i < count; ++i) complete(rank, handle(i), statuses_[i]);
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
  if (!rank.knows_answers()) {
    const int result = real(count, requests, call.statuses());
    call.complete_all(rank, count);
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

/// Waits for the one that is known to be over.
[[nodiscard]] int wait_for_chosen(Rank& rank, const char* name, int count, MPI_Request* requests,
                                  int which, int* index, MPI_Status* status) {
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  *index = which == count ? MPI_UNDEFINED : which;
  if (which != count) result = wait_for(rank, name, &requests[which], &own);
  hand_over(own, status);
  return result;
}

/// A number that says which of `count` requests is over: also none of them.
[[nodiscard]] std::uint64_t outcomes(int count) { return static_cast<std::uint64_t>(count) + 1; }

/// In a replay: waits for the one that was over.
[[nodiscard]] int wait_for_recorded(Rank& rank, const char* name, int count, MPI_Request* requests,
                                    int* index, MPI_Status* status) {
  const auto which = static_cast<int>(rank.recorded_choice(outcomes(count), name));
  return wait_for_chosen(rank, name, count, requests, which, index, status);
}

/// Where the process is explored: one that is over, or none if `polls`.
[[nodiscard]] int wait_for_explored_one(Rank& rank, const char* name, int count,
                                        MPI_Request* requests, int* index, int* flag,
                                        MPI_Status* status) {
  const auto which = choose_explored(rank, name, count, requests, flag != nullptr);
  if (flag != nullptr) {
    *flag = rank.enter_poll(which.has_value()) ? 1 : 0;
    *index = MPI_UNDEFINED;
    if (!which) return MPI_SUCCESS;
  }
  rank.enter_choice(static_cast<std::uint64_t>(*which), outcomes(count));
  return wait_for_chosen(rank, name, count, requests, *which, index, status);
}

/// The same for calls that may find several: one at a time is one of the ways they may go.
[[nodiscard]] int wait_for_explored_some(Rank& rank, const char* name, int count,
                                         MPI_Request* requests, int* outcount, int* indices,
                                         bool polls, MPI_Status* statuses) {
  const auto which = choose_explored(rank, name, count, requests, polls);
  *outcount = 0;
  if (polls && !rank.enter_poll(which.has_value())) return MPI_SUCCESS;
  const bool none = *which == count;
  *outcount = none ? MPI_UNDEFINED : 1;
  rank.enter_choice(none ? outcomes(count) : 1, outcomes(count) + 1);
  if (none) return MPI_SUCCESS;
  rank.enter_choice(static_cast<std::uint64_t>(*which), outcomes(count));
  return wait_for_chosen(rank, name, count, requests, *which, indices, statuses);
}

template <class Real>
int wait_any(Rank& rank, const char* name, Real real, int count, MPI_Request* requests, int* index,
             MPI_Status* status) {
  if (rank.replays()) return wait_for_recorded(rank, name, count, requests, index, status);
  if (rank.explored() != nullptr) {
    return wait_for_explored_one(rank, name, count, requests, index, nullptr, status);
  }
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
  if (rank.explored() != nullptr) {
    return wait_for_explored_some(rank, name, count, requests, outcount, indices, false, statuses);
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
  if (rank.explored() != nullptr) {
    *flag = rank.enter_poll(is_over(rank, name, *request)) ? 1 : 0;
    const int result = *flag != 0 ? wait_for(rank, name, request, &own) : MPI_SUCCESS;
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
  if (rank.explored() != nullptr) {
    const bool all = std::all_of(requests, requests + count,
                                 [&](MPI_Request handle) { return is_over(rank, name, handle); });
    *flag = rank.enter_poll(all) ? 1 : 0;
    if (!all) return MPI_SUCCESS;
    return wait_all(rank, name, LIGHTCONE_REAL(Waitall), count, requests, statuses);
  }
  Call call(count, requests, statuses);
  const int result = real(count, requests, flag, call.statuses());
  if (!rank.enter_poll(*flag != 0)) return result;
  call.complete_all(rank, count);
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
  if (rank.explored() != nullptr) {
    return wait_for_explored_one(rank, name, count, requests, index, flag, status);
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
  if (rank.explored() != nullptr) {
    return wait_for_explored_some(rank, name, count, requests, outcount, indices, true, statuses);
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
  if (rank.explored() != nullptr) {
    *flag = rank.enter_poll(is_over(rank, name, handle)) ? 1 : 0;
    const bool received = *flag != 0 && request != nullptr && request->done;
    if (received) {
      own = request->status;
      rank.matched(*request->communicator, *request->receive, own);
    }
  } else if (!rank.replays()) {
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
  if (Explored* const explored = rank.explored()) {
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
int start(Rank& rank, const char* name, Real real, MPI_Request* handle) {
  Request* const request = rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  if (request->what == Request::What::receive) return start_receive(rank, *request, handle);
  rank.sent(name, *request->communicator, request->rank, request->tag);
  if (Explored* const explored = rank.explored()) {
    return explored->send(request->buffer, request->count, request->type, request->rank,
                          request->tag, request->comm);
  }
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
  if (Explored* const explored = rank.explored()) {
    if (request->done || !request->is_name) return MPI_SUCCESS;
    explored->forget(*request);
    request->never = request->was_cancelled = true;
    rank.cancelled(*request->communicator, *request->receive);
    return MPI_SUCCESS;
  }
  if (rank.replays() && request->receive->is_wildcard()) return MPI_SUCCESS;
  return real(handle);
}

/// What a receive takes that the program gives up is found out at the end.
template <class Real>
int free_request(Rank& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  if (rank.explored() != nullptr) rank.explored()->forget(*request);
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

#define COMPLETION(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_COMPLETIONS(COMPLETION)
