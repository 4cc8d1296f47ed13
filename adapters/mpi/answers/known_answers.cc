// Waits for requests one by one, since it is known that they are over.
#include "answers/known_answers.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "calls/mpi_functions.h"
#include "calls/request_ends.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

/// No call has set this.
constexpr int not_set = INT_MIN;

}  // namespace

int KnownAnswers::receive(const Receiving& receiving, MPI_Status* status,
                          FunctionRef<int(int, int, MPI_Status*)> real) {
  const Aim aim = *take(receiving, false);
  Communicator& communicator = *receiving.communicator;
  if (!communicator.posted.empty()) communicator.posted.post(aim.receive);
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const int result = ask(receiving, aim, &own, real);
  if (result != MPI_SUCCESS && own.MPI_SOURCE < 0) return result;
  rank_.received(receiving.call, communicator, aim.receive, own, receiving.buffer);
  hand_over(own, status);
  return result;
}

int KnownAnswers::look_at(const Receiving& receiving, const Aim& aim, MPI_Status* status) {
  MPI_Status own;
  const int result = look(receiving, aim, &own);
  if (result != MPI_SUCCESS) return result;
  rank_.found(receiving.call, *receiving.communicator, *aim.receive, own);
  hand_over(own, status);
  return result;
}

int KnownAnswers::probe(const Receiving& receiving, MPI_Status* status) {
  return look_at(receiving, *take(receiving, false), status);
}

int KnownAnswers::poll_probe(const Receiving& receiving, int* flag, MPI_Status* status) {
  const auto aim = take(receiving, true);
  *flag = aim ? 1 : 0;
  return aim ? look_at(receiving, *aim, status) : MPI_SUCCESS;
}

/// A message that is taken out of the queue has been matched: there is only no buffer for it yet.
int KnownAnswers::take_out_at(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                              TakenMessage& taken, MPI_Status* status) {
  Communicator& communicator = *receiving.communicator;
  if (!communicator.posted.empty()) communicator.posted.post(aim.receive);
  MPI_Status own;
  const int result = take_out(receiving, aim, message, taken, &own);
  if (result != MPI_SUCCESS) return result;
  rank_.matched(communicator, *aim.receive, own);
  taken.communicator = &communicator;
  taken.receive = aim.receive;
  hand_over(own, status);
  return result;
}

int KnownAnswers::take_probe(const Receiving& receiving, MPI_Message* message, TakenMessage& taken,
                             MPI_Status* status) {
  return take_out_at(receiving, *take(receiving, false), message, taken, status);
}

int KnownAnswers::poll_take_probe(const Receiving& receiving, int* flag, MPI_Message* message,
                                  TakenMessage& taken, MPI_Status* status) {
  const auto aim = take(receiving, true);
  *flag = aim ? 1 : 0;
  return aim ? take_out_at(receiving, *aim, message, taken, status) : MPI_SUCCESS;
}

int KnownAnswers::receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                                MPI_Message*, MPI_Status* status, bool& is_still_there,
                                FunctionRef<int(MPI_Status*)> real) {
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const int result = real(&own);
  is_still_there = result != MPI_SUCCESS && own.MPI_SOURCE < 0;
  if (is_still_there) return result;
  accept_taken(taken);
  rank_.received(call, *taken.communicator, taken.receive, own, buffer);
  hand_over(own, status);
  return result;
}

int KnownAnswers::begin_receive_taken(const char* call, const TakenMessage& taken, const Buffer&,
                                      MPI_Message*, MPI_Request* request, FunctionRef<int()> real) {
  const int result = real();
  if (result != MPI_SUCCESS) return result;
  accept_taken(taken);
  Request made{.what = Request::What::receive, .call = call, .communicator = taken.communicator};
  made.receive = taken.receive;
  rank_.requests().add(*request, std::move(made));
  return result;
}

/// A request that is never started refers to the communicator, which so has its handle on.
void KnownAnswers::will_free(MPI_Comm comm) {
  std::erase_if(given_up_, [&](GivenUp& old) {
    if (rank_.requests().has_one_on(*old.communicator)) return false;
    LIGHTCONE_REAL(Request_free)(&old.reference);
    return true;
  });
  if (comm == MPI_COMM_NULL || rank_.requests().empty()) return;
  const Communicator* const communicator = rank_.communicators().find(comm);
  if (communicator == nullptr || !rank_.requests().has_one_on(*communicator)) return;
  GivenUp& kept = given_up_.emplace_back();
  kept.communicator = communicator;
  LIGHTCONE_REAL(Recv_init)(nullptr, 0, MPI_BYTE, 0, 0, comm, &kept.reference);
}

int KnownAnswers::wait(const char* call, MPI_Request* request, MPI_Status* status) {
  MPI_Status own;
  own.MPI_SOURCE = not_set;
  const int result = finish(call, request, &own);
  if (own.MPI_SOURCE != not_set) hand_over(own, status);
  return result;
}

/// Statuses show errors only if there is one.
template <class IndexOf>
int KnownAnswers::finish_each(const char* call, int count, MPI_Request* requests,
                              MPI_Status* statuses, IndexOf index_of) {
  std::vector<int> errors;
  for (int k = 0; k < count; ++k) {
    MPI_Status own;
    errors.push_back(finish(call, &requests[index_of(k)], &own));
    if (statuses != MPI_STATUSES_IGNORE) hand_over(own, &statuses[k]);
  }
  if (std::ranges::count(errors, MPI_SUCCESS) == count) return MPI_SUCCESS;
  for (int k = 0; statuses != MPI_STATUSES_IGNORE && k < count; ++k) {
    statuses[k].MPI_ERROR = errors[static_cast<std::size_t>(k)];
  }
  return MPI_ERR_IN_STATUS;
}

void KnownAnswers::finish_failed(const char* call, const std::vector<MPI_Request*>& requests,
                                 const std::string& ends, std::vector<MPI_Status>& statuses) {
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (ends[k] == 0) continue;
    statuses[k].MPI_ERROR = finish(call, requests[k], &statuses[k]);
  }
}

/// A call that fails. The requests that it left as they were are pending.
template <class IndexOf>
int KnownAnswers::fail_each(const char* call, MPI_Request* requests, MPI_Status* statuses,
                            IndexOf index_of, const std::string& ends) {
  std::vector<MPI_Request*> handles;
  std::vector<MPI_Status> own(ends.size());
  for (std::size_t k = 0; k < ends.size(); ++k) {
    handles.push_back(&requests[index_of(static_cast<int>(k))]);
    own[k].MPI_ERROR = MPI_ERR_PENDING;
  }
  finish_failed(call, handles, ends, own);
  for (std::size_t k = 0; statuses != MPI_STATUSES_IGNORE && k < ends.size(); ++k) {
    if (ends[k] != 0) hand_over(own[k], &statuses[k]);
    statuses[k].MPI_ERROR = own[k].MPI_ERROR;
  }
  return MPI_ERR_IN_STATUS;
}

int KnownAnswers::wait_all(const char* call, int count, MPI_Request* requests,
                           MPI_Status* statuses) {
  const auto ends = how_it_fails();
  return complete_all(call, count, requests, statuses, ends);
}

int KnownAnswers::complete_all(const char* call, int count, MPI_Request* requests,
                               MPI_Status* statuses, const std::optional<std::string>& ends) {
  if (ends && ends->size() == static_cast<std::size_t>(count)) {
    return fail_each(
        call, requests, statuses, [](int k) { return k; }, *ends);
  }
  if (rank_.requests().empty()) return LIGHTCONE_REAL(Waitall)(count, requests, statuses);
  return finish_each(call, count, requests, statuses, [](int k) { return k; });
}

/// Waits for the one that is known to be over.
int KnownAnswers::finish_chosen(const char* call, int count, MPI_Request* requests, int which,
                                int* index, MPI_Status* status) {
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  *index = which == count ? MPI_UNDEFINED : which;
  if (which != count) result = finish(call, &requests[which], &own);
  hand_over(own, status);
  return result;
}

int KnownAnswers::wait_any(const char* call, int count, MPI_Request* requests, int* index,
                           MPI_Status* status) {
  if (was_refused()) return LIGHTCONE_REAL(Waitany)(count, requests, index, status);
  return finish_chosen(call, count, requests, *choose(call, count, requests, false), index, status);
}

int KnownAnswers::finish_some(const char* call, const Chosen& chosen, MPI_Request* requests,
                              int* outcount, int* indices, MPI_Status* statuses) {
  *outcount = chosen ? static_cast<int>(chosen->size()) : MPI_UNDEFINED;
  if (!chosen || chosen->empty()) return MPI_SUCCESS;
  std::ranges::copy(*chosen, indices);
  const auto ends = how_it_fails();
  if (ends && ends->size() == chosen->size()) {
    return fail_each(
        call, requests, statuses, [&](int k) { return indices[k]; }, *ends);
  }
  return finish_each(call, *outcount, requests, statuses, [&](int k) { return indices[k]; });
}

int KnownAnswers::wait_some(const char* call, int count, MPI_Request* requests, int* outcount,
                            int* indices, MPI_Status* statuses) {
  if (was_refused()) {
    return LIGHTCONE_REAL(Waitsome)(count, requests, outcount, indices, statuses);
  }
  return finish_some(call, choose_some(call, count, requests, false), requests, outcount, indices,
                     statuses);
}

int KnownAnswers::test(const char* call, MPI_Request* request, int* flag, MPI_Status* status) {
  if (was_refused()) return LIGHTCONE_REAL(Test)(request, flag, status);
  *flag = poll(call, 1, request) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  MPI_Status own = empty_status();
  const int result = finish(call, request, &own);
  hand_over(own, status);
  return result;
}

int KnownAnswers::test_all(const char* call, int count, MPI_Request* requests, int* flag,
                           MPI_Status* statuses) {
  if (was_refused()) return LIGHTCONE_REAL(Testall)(count, requests, flag, statuses);
  *flag = poll(call, count, requests) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  const auto ends = how_it_fails();
  if (ends && ends->find('\0') != std::string::npos) *flag = 0;  // as MPICH says it
  return complete_all(call, count, requests, statuses, ends);
}

int KnownAnswers::test_any(const char* call, int count, MPI_Request* requests, int* index,
                           int* flag, MPI_Status* status) {
  if (was_refused()) return LIGHTCONE_REAL(Testany)(count, requests, index, flag, status);
  const auto which = choose(call, count, requests, true);
  *flag = which ? 1 : 0;
  *index = MPI_UNDEFINED;
  if (!which) return MPI_SUCCESS;
  return finish_chosen(call, count, requests, *which, index, status);
}

int KnownAnswers::test_some(const char* call, int count, MPI_Request* requests, int* outcount,
                            int* indices, MPI_Status* statuses) {
  if (was_refused()) {
    return LIGHTCONE_REAL(Testsome)(count, requests, outcount, indices, statuses);
  }
  return finish_some(call, choose_some(call, count, requests, true), requests, outcount, indices,
                     statuses);
}

}  // namespace lightcone::mpi
