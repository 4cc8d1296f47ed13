// Requests: if a call does not wait for all its requests, which of them are complete is a choice.
#include <algorithm>
#include <climits>
#include <vector>

#include "calls/fetches.h"
#include "calls/receives.h"
#include "calls/request_ends.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

[[nodiscard]] int class_of(int error) {
  int error_class = MPI_SUCCESS;
  LIGHTCONE_REAL(Error_class)(error, &error_class);
  return error_class;
}

/// Whether all that a call is to fill in has a place. What has none goes to the MPI as it is.
template <class... Pointers>
[[nodiscard]] bool are_there(Pointers... pointers) {
  return ((pointers != nullptr) && ...);
}
[[nodiscard]] bool is_there(const MPI_Status* status) {
  return status != nullptr || MPI_STATUS_IGNORE == nullptr;
}
[[nodiscard]] bool has_requests(int count, const MPI_Request* requests,
                                const MPI_Status* statuses) {
  return count == 0 || (count > 0 && requests != nullptr && is_there(statuses));
}

/// The MPI has said nothing here.
constexpr int unsaid = INT_MIN;

/// In a replay: whether the MPI refused this call, and will do so again.
[[nodiscard]] bool was_refused(MpiProcess& rank) {
  return rank.replays() && rank.recorded_refusal();
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
  void complete_some(MpiProcess& rank, int how_many, const int* indices) {
    for (int k = 0; k < how_many; ++k) learn(rank, handle(indices[k]), statuses_[k]);
    for (int k = 0; k < how_many; ++k) complete(rank, handle(indices[k]), statuses_[k]);
  }
  /// A call that waits for all of them has this result.
  void complete_all(MpiProcess& rank, int count, int result) {
    for (int i = 0; i < count; ++i) {
      if (is_complete(i, result)) learn(rank, handle(i), statuses_[i]);
    }
    for (int i = 0; i < count; ++i) {
      if (is_complete(i, result)) complete(rank, handle(i), statuses_[i]);
    }
  }

 private:
  [[nodiscard]] bool is_complete(int index, int result) const {
    if (result == MPI_SUCCESS) return true;
    return class_of(result) == MPI_ERR_IN_STATUS &&
           class_of(statuses_[index].MPI_ERROR) != MPI_ERR_PENDING;
  }

  std::vector<MPI_Request> handles_;
  std::vector<MPI_Status> own_;
  MPI_Status* statuses_;
};

template <class Real>
int wait(MpiProcess& rank, const char* name, Real real, MPI_Request* request, MPI_Status* status) {
  if (request == nullptr || !is_there(status)) return real(request, status);
  MPI_Status own;
  own.MPI_SOURCE = unsaid;
  const int result = wait_for(rank, name, request, &own);
  if (own.MPI_SOURCE != unsaid) hand_over(own, status);
  return result;
}

/// Waits for requests one by one. Their statuses show errors only if there is one.
template <class IndexOf>
[[nodiscard]] int wait_for_each(MpiProcess& rank, const char* name, int count,
                                MPI_Request* requests, MPI_Status* statuses, IndexOf index_of) {
  std::vector<int> errors;
  for (int k = 0; k < count; ++k) {
    MPI_Status own;
    errors.push_back(wait_for(rank, name, &requests[index_of(k)], &own));
    if (statuses != MPI_STATUSES_IGNORE) hand_over(own, &statuses[k]);
  }
  if (std::ranges::count(errors, MPI_SUCCESS) == count) return MPI_SUCCESS;
  for (int k = 0; statuses != MPI_STATUSES_IGNORE && k < count; ++k) {
    statuses[k].MPI_ERROR = errors[static_cast<std::size_t>(k)];
  }
  return MPI_ERR_IN_STATUS;
}

template <class Real>
int wait_all(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             MPI_Status* statuses) {
  if (rank.requests().empty() || !has_requests(count, requests, statuses)) {
    return real(count, requests, statuses);
  }
  if (!rank.knows_answers()) {
    Call call(count, requests, statuses);
    const int result = real(count, requests, call.statuses());
    call.complete_all(rank, count, result);
    return result;
  }
  return wait_for_each(rank, name, count, requests, statuses, [](int k) { return k; });
}

/// A number that says which of `count` requests is over; `count` if there is none.
[[nodiscard]] std::uint64_t number_of(int index, int count) {
  return static_cast<std::uint64_t>(index == MPI_UNDEFINED ? count : index);
}

/// Waits for the one that is known to be over.
[[nodiscard]] int wait_for_chosen(MpiProcess& rank, const char* name, int count,
                                  MPI_Request* requests, int which, int* index,
                                  MPI_Status* status) {
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  *index = which == count ? MPI_UNDEFINED : which;
  if (which != count) result = wait_for(rank, name, &requests[which], &own);
  hand_over(own, status);
  return result;
}

/// Returns how many such numbers there are.
[[nodiscard]] std::uint64_t outcomes(int count) { return static_cast<std::uint64_t>(count) + 1; }

/// In a replay: waits for the one that was over.
[[nodiscard]] int wait_for_recorded(MpiProcess& rank, const char* name, int count,
                                    MPI_Request* requests, int* index, MPI_Status* status) {
  const auto which = static_cast<int>(rank.recorded_choice(outcomes(count), name));
  return wait_for_chosen(rank, name, count, requests, which, index, status);
}

/// Where the process is explored: one that is over, or none if `polls`.
[[nodiscard]] int wait_for_explored_one(MpiProcess& rank, const char* name, int count,
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
[[nodiscard]] int wait_for_explored_some(MpiProcess& rank, const char* name, int count,
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
  indices[0] = *which;
  return wait_for_each(rank, name, 1, requests, statuses, [&](int) { return *which; });
}

template <class Real>
int wait_any(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             int* index, MPI_Status* status) {
  if (!has_requests(count, requests, status) || !are_there(index) || was_refused(rank)) {
    return real(count, requests, index, status);
  }
  if (rank.replays()) return wait_for_recorded(rank, name, count, requests, index, status);
  if (rank.explored() != nullptr) {
    return wait_for_explored_one(rank, name, count, requests, index, nullptr, status);
  }
  const Call call(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own;
  int said = unsaid;
  const int result = real(count, requests, &said, &own);
  if (said == unsaid) return rank.enter_refusal(), result;
  *index = said;
  rank.enter_choice(number_of(*index, count), outcomes(count));
  if (*index != MPI_UNDEFINED) complete(rank, call.handle(*index), own);
  hand_over(own, status);
  return result;
}

/// In a replay: waits for all that were over.
[[nodiscard]] int wait_for_recorded_some(MpiProcess& rank, const char* name, int count,
                                         MPI_Request* requests, int* outcount, int* indices,
                                         MPI_Status* statuses) {
  const auto how_many = static_cast<int>(rank.recorded_choice(outcomes(count) + 1, name));
  *outcount = how_many == count + 1 ? MPI_UNDEFINED : how_many;
  if (*outcount == MPI_UNDEFINED) return MPI_SUCCESS;
  for (int k = 0; k < how_many; ++k) {
    indices[k] = static_cast<int>(rank.recorded_choice(outcomes(count), name));
  }
  return wait_for_each(rank, name, how_many, requests, statuses, [&](int k) { return indices[k]; });
}

/// Several requests are over, or there was none that could be.
void enter_some(MpiProcess& rank, Call& call, int count, int outcount, const int* indices) {
  const int how_many = outcount == MPI_UNDEFINED ? 0 : outcount;
  rank.enter_choice(number_of(outcount, count + 1), outcomes(count) + 1);
  for (int k = 0; k < how_many; ++k) {
    rank.enter_choice(number_of(indices[k], count), outcomes(count));
  }
  call.complete_some(rank, how_many, indices);
}

template <class Real>
int wait_some(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
              int* outcount, int* indices, MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses) || !are_there(outcount, indices) ||
      was_refused(rank)) {
    return real(count, requests, outcount, indices, statuses);
  }
  if (rank.replays()) {
    return wait_for_recorded_some(rank, name, count, requests, outcount, indices, statuses);
  }
  if (rank.explored() != nullptr) {
    return wait_for_explored_some(rank, name, count, requests, outcount, indices, false, statuses);
  }
  Call call(count, requests, statuses);
  int said = unsaid;
  const int result = real(count, requests, &said, indices, call.statuses());
  if (said == unsaid) return rank.enter_refusal(), result;
  *outcount = said;
  enter_some(rank, call, count, *outcount, indices);
  return result;
}

template <class Real>
int test(MpiProcess& rank, const char* name, Real real, MPI_Request* request, int* flag,
         MPI_Status* status) {
  if (!are_there(request, flag) || !is_there(status) || *request == MPI_REQUEST_NULL ||
      was_refused(rank)) {
    return real(request, flag, status);
  }
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
    if (*flag == 0) return MPI_SUCCESS;
    const int result = wait_for(rank, name, request, &own);
    hand_over(own, status);
    return result;
  }
  const MPI_Request handle = *request;
  int said = unsaid;
  const int result = real(request, &said, &own);
  if (said == unsaid) return rank.enter_refusal(), result;
  *flag = said;
  if (!rank.enter_poll(*flag != 0)) return result;
  complete(rank, handle, own);
  hand_over(own, status);
  return result;
}

template <class Real>
int test_all(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             int* flag, MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses) || !are_there(flag) || was_refused(rank)) {
    return real(count, requests, flag, statuses);
  }
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
  int said = unsaid;
  const int result = real(count, requests, &said, call.statuses());
  if (said == unsaid) return rank.enter_refusal(), result;
  *flag = said;
  if (!rank.enter_poll(*flag != 0)) return result;
  call.complete_all(rank, count, result);
  return result;
}

template <class Real>
int test_any(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             int* index, int* flag, MPI_Status* status) {
  if (!has_requests(count, requests, status) || !are_there(index, flag) || was_refused(rank)) {
    return real(count, requests, index, flag, status);
  }
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
  int said = unsaid;
  const int result = real(count, requests, index, &said, &own);
  if (said == unsaid) return rank.enter_refusal(), result;
  *flag = said;
  if (!rank.enter_poll(*flag != 0)) return result;
  rank.enter_choice(number_of(*index, count), outcomes(count));
  if (*index != MPI_UNDEFINED) complete(rank, call.handle(*index), own);
  hand_over(own, status);
  return result;
}

template <class Real>
int test_some(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
              int* outcount, int* indices, MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses) || !are_there(outcount, indices) ||
      was_refused(rank)) {
    return real(count, requests, outcount, indices, statuses);
  }
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
  int said = unsaid;
  const int result = real(count, requests, &said, indices, call.statuses());
  if (said == unsaid) return rank.enter_refusal(), result;
  *outcount = said;
  if (!rank.enter_poll(*outcount != 0)) return result;
  enter_some(rank, call, count, *outcount, indices);
  return result;
}

/// The request stays as it is, but what it has got is known.
template <class Real>
int get_status(MpiProcess& rank, const char* name, Real real, MPI_Request handle, int* flag,
               MPI_Status* status) {
  if (handle == MPI_REQUEST_NULL || !are_there(flag) || !is_there(status) || was_refused(rank)) {
    return real(handle, flag, status);
  }
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
    const bool fetched = *flag != 0 && request != nullptr && request->fetch != nullptr;
    for (*flag = fetched ? 0 : *flag; fetched && *flag == 0 && result == MPI_SUCCESS;) {
      result = real(handle, flag, &own);
    }
  } else if (!rank.replays()) {
    int said = unsaid;
    result = real(handle, &said, &own);
    if (said == unsaid) return rank.enter_refusal(), result;
    *flag = said;
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
  if (*flag != 0 && request != nullptr) complete_fetch(rank, *request);
  hand_over(own, status);
  return result;
}

}  // namespace
}  // namespace lightcone::mpi

#define COMPLETION(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_COMPLETIONS(COMPLETION)
