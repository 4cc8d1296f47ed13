// Requests: which of them are over is a choice wherever a call does not wait for all of its own.
#include <algorithm>
#include <vector>

#include "receives.h"
#include "request_ends.h"
#include "wrapping.h"

namespace lightcone::mpi {
namespace {

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

/// How many such numbers there are.
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
  rank.enter_choice(number_of(*index, count), outcomes(count));
  if (*index != MPI_UNDEFINED) complete(rank, call.handle(*index), own);
  hand_over(own, status);
  return result;
}

/// In a replay: waits for all that were over.
[[nodiscard]] int wait_for_recorded_some(Rank& rank, const char* name, int count,
                                         MPI_Request* requests, int* outcount, int* indices,
                                         MPI_Status* statuses) {
  const auto how_many = static_cast<int>(rank.recorded_choice(outcomes(count) + 1, name));
  *outcount = how_many == count + 1 ? MPI_UNDEFINED : how_many;
  if (*outcount == MPI_UNDEFINED) return MPI_SUCCESS;
  int result = MPI_SUCCESS;
  for (int k = 0; k < how_many; ++k) {
    const std::uint64_t which = rank.recorded_choice(outcomes(count), name);
    indices[k] = static_cast<int>(which);
    MPI_Status own;
    own.MPI_ERROR = wait_for(rank, name, &requests[which], &own);
    if (own.MPI_ERROR != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    if (statuses != MPI_STATUSES_IGNORE) statuses[k] = own;
  }
  return result;
}

/// Several requests are over, or there was none that could be.
void enter_some(Rank& rank, Call& call, int count, int outcount, const int* indices) {
  const int how_many = outcount == MPI_UNDEFINED ? 0 : outcount;
  rank.enter_choice(number_of(outcount, count + 1), outcomes(count) + 1);
  for (int k = 0; k < how_many; ++k) {
    rank.enter_choice(number_of(indices[k], count), outcomes(count));
  }
  call.complete_some(rank, how_many, indices);
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
  enter_some(rank, call, count, *outcount, indices);
  return result;
}

template <class Real>
int test(Rank& rank, const char* name, Real real, MPI_Request* request, int* flag,
         MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) return real(request, flag, status);
  MPI_Status own = empty_status();
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return pass_poll();
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
    if (*flag == 0) return pass_poll();
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
    if (*flag == 0) return pass_poll();
    return wait_for_recorded(rank, name, count, requests, index, status);
  }
  if (rank.explored() != nullptr) {
    return wait_for_explored_one(rank, name, count, requests, index, flag, status);
  }
  const Call call(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own = empty_status();
  const int result = real(count, requests, index, flag, &own);
  if (!rank.enter_poll(*flag != 0)) return result;
  rank.enter_choice(number_of(*index, count), outcomes(count));
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
    return pass_poll();
  }
  if (rank.explored() != nullptr) {
    return wait_for_explored_some(rank, name, count, requests, outcount, indices, true, statuses);
  }
  Call call(count, requests, statuses);
  const int result = real(count, requests, outcount, indices, call.statuses());
  if (!rank.enter_poll(*outcount != 0)) return result;
  enter_some(rank, call, count, *outcount, indices);
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
    if (*flag == 0) return pass_poll();
    const bool is_name = request != nullptr && request->is_name && request->active;
    const MPI_Request real_handle = is_name ? request->stand_in : handle;
    for (*flag = 0; *flag == 0 && result == MPI_SUCCESS;) result = real(real_handle, flag, &own);
  }
  hand_over(own, status);
  return result;
}

}  // namespace
}  // namespace lightcone::mpi

#define COMPLETION(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_COMPLETIONS(COMPLETION)
