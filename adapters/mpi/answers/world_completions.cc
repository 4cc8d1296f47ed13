// Which requests are complete, as the world says, and how a call that fails leaves them.
#include <algorithm>
#include <climits>
#include <utility>

#include "answers/world_answers.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "calls/request_ends.h"
#include "end/if_it_ends.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

/// The MPI has said nothing here.
constexpr int unsaid = INT_MIN;

[[nodiscard]] int class_of(int error) {
  int error_class = MPI_SUCCESS;
  LIGHTCONE_REAL(Error_class)(error, &error_class);
  return error_class;
}

/// A number that says which of `count` requests is over; `count` if there is none.
[[nodiscard]] std::uint64_t number_of(int index, int count) {
  return static_cast<std::uint64_t>(index == MPI_UNDEFINED ? count : index);
}

/// Enters which message a request has got, if the process ends inside of the call.
void enter_match(MpiProcess& rank, MPI_Request handle, const MPI_Status& status) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr || !request->active) return;
  rank.enter_match(request->receive.get(), status);
}

/// The handles and statuses of a call; the program may want no statuses.
class AskedRequests {
 public:
  AskedRequests(int count, const MPI_Request* requests, MPI_Status* statuses)
      : handles_(requests, requests + count),
        own_(statuses == MPI_STATUSES_IGNORE ? static_cast<std::size_t>(count) : 0),
        statuses_(statuses == MPI_STATUSES_IGNORE ? own_.data() : statuses) {}
  /// Before a call that waits for all: so it is seen which of them it has said something about.
  void mark_unsaid() {
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      sources_.push_back(std::exchange(statuses_[i].MPI_SOURCE, unsaid));
    }
  }
  /// After it: the program finds the others as they were.
  void unmark() {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (statuses_[i].MPI_SOURCE == unsaid) statuses_[i].MPI_SOURCE = sources_[i];
    }
  }
  /// Which of them a call has completed, a byte for each.
  [[nodiscard]] std::string ends(int result) const {
    std::string all;
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      all += is_complete(static_cast<int>(i), result) ? '\1' : '\0';
    }
    return all;
  }
  void enter_matches(MpiProcess& rank) const {
    for (std::size_t i = 0; i < handles_.size(); ++i) enter_match(rank, handles_[i], statuses_[i]);
  }
  void enter_some_matches(MpiProcess& rank, int how_many, const int* indices) const {
    for (int k = 0; k < how_many; ++k) enter_match(rank, handle(indices[k]), statuses_[k]);
  }
  [[nodiscard]] MPI_Request handle(int index) const {
    return handles_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] MPI_Status* statuses() { return statuses_; }
  /// These are over, with a status each; the call had this result.
  void complete_some(MpiProcess& rank, int outcount, const int* indices, int result) {
    const int how_many = outcount == MPI_UNDEFINED ? 0 : outcount;
    for (int k = 0; k < how_many; ++k) learn(rank, handle(indices[k]), statuses_[k]);
    for (int k = 0; k < how_many; ++k) {
      complete(rank, handle(indices[k]), statuses_[k], error_of(k, result));
    }
  }
  /// A call that waits for all of them has this result.
  void complete_all(MpiProcess& rank, int count, int result) {
    for (int i = 0; i < count; ++i) {
      if (is_complete(i, result)) learn(rank, handle(i), statuses_[i]);
    }
    for (int i = 0; i < count; ++i) {
      if (is_complete(i, result)) complete(rank, handle(i), statuses_[i], error_of(i, result));
    }
  }

 private:
  [[nodiscard]] int error_of(int index, int result) const {
    return result == MPI_SUCCESS ? MPI_SUCCESS : statuses_[index].MPI_ERROR;
  }
  [[nodiscard]] bool is_complete(int index, int result) const {
    if (result == MPI_SUCCESS) return true;
    return class_of(result) == MPI_ERR_IN_STATUS &&
           class_of(statuses_[index].MPI_ERROR) != MPI_ERR_PENDING;
  }

  std::vector<MPI_Request> handles_;
  std::vector<MPI_Status> own_;
  MPI_Status* statuses_;
  std::vector<int> sources_;  // as they were, while unsaid
};

}  // namespace

/// A call that completes several requests is over. If it failed, a replay must know which it left
/// as they were, and that it failed as a whole.
void WorldAnswers::enter_completion(int result, FunctionRef<std::string()> ends) {
  ++completions_;
  if (result == MPI_SUCCESS || class_of(result) != MPI_ERR_IN_STATUS) return;
  const std::string all = ends();
  rank_.enter(KeptContents{KeptContents::What::failed, completions_, all});
}

int WorldAnswers::wait(const char*, MPI_Request* request, MPI_Status* status) {
  if (rank_.requests().empty() && rank_.contents() == nullptr) {
    return LIGHTCONE_REAL(Wait)(request, status);
  }
  const MPI_Request handle = *request;
  MPI_Status own;
  own.MPI_SOURCE = unsaid;
  const auto enter = [&] { enter_match(rank_, handle, own); };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Wait)(request, &own);
  // Of a one-sided request the status is undefined: it may hold any number, also this one.
  if (result != MPI_SUCCESS && own.MPI_SOURCE == unsaid) return result;
  complete(rank_, handle, own, result);
  note_windows();
  hand_over(own, status);
  return result;
}

int WorldAnswers::wait_all(const char*, int count, MPI_Request* requests, MPI_Status* statuses) {
  if (rank_.requests().empty()) {
    ++completions_;
    return LIGHTCONE_REAL(Waitall)(count, requests, statuses);
  }
  AskedRequests asked(count, requests, statuses);
  asked.mark_unsaid();
  const auto enter = [&] { asked.enter_matches(rank_); };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Waitall)(count, requests, asked.statuses());
  asked.unmark();
  enter_completion(result, [&] { return asked.ends(result); });
  asked.complete_all(rank_, count, result);
  note_windows();
  return result;
}

int WorldAnswers::wait_any(const char*, int count, MPI_Request* requests, int* index,
                           MPI_Status* status) {
  const AskedRequests asked(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own;
  own.MPI_SOURCE = unsaid;
  int said = unsaid;
  const auto of = static_cast<std::uint64_t>(count);
  const auto enter = [&] {
    if (said < 0 || said >= count) return;
    rank_.enter(RequestChoice{number_of(said, count), of});
    enter_match(rank_, asked.handle(said), own);
  };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Waitany)(count, requests, &said, &own);
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *index = said;
  rank_.enter(RequestChoice{number_of(*index, count), of});
  if (*index != MPI_UNDEFINED) complete(rank_, asked.handle(*index), own, result);
  hand_over(own, status);
  return result;
}

namespace {

[[nodiscard]] std::string all_complete(int count) {
  return std::string(static_cast<std::size_t>(count), '\1');
}

/// Several requests are over, or there was none that could be.
void enter_some(MpiProcess& rank, int count, int outcount, const int* indices) {
  const int how_many = outcount == MPI_UNDEFINED ? 0 : outcount;
  const auto of = static_cast<std::uint64_t>(count);
  rank.enter(RequestCount{number_of(outcount, count + 1), of});
  for (int k = 0; k < how_many; ++k) rank.enter(RequestChoice{number_of(indices[k], count), of});
}

/// The same if the process ends inside of the call, of which `outcount` is known.
void end_with_some(MpiProcess& rank, const AskedRequests& asked, int count, int outcount,
                   const int* indices) {
  if (outcount < 1 || outcount > count) return;
  enter_some(rank, count, outcount, indices);
  asked.enter_some_matches(rank, outcount, indices);
}

}  // namespace

int WorldAnswers::wait_some(const char*, int count, MPI_Request* requests, int* outcount,
                            int* indices, MPI_Status* statuses) {
  AskedRequests asked(count, requests, statuses);
  int said = unsaid;
  const auto enter = [&] { end_with_some(rank_, asked, count, said, indices); };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Waitsome)(count, requests, &said, indices, asked.statuses());
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *outcount = said;
  enter_some(rank_, count, *outcount, indices);
  if (*outcount > 0) enter_completion(result, [&] { return all_complete(*outcount); });
  asked.complete_some(rank_, *outcount, indices, result);
  return result;
}

int WorldAnswers::test(const char*, MPI_Request* request, int* flag, MPI_Status* status) {
  const MPI_Request handle = *request;
  MPI_Status own = empty_status();
  int said = unsaid;
  const auto enter = [&] {
    if (said == 1 && rank_.enter_poll(true)) enter_match(rank_, handle, own);
  };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Test)(request, &said, &own);
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *flag = said;
  if (!rank_.enter_poll(*flag != 0)) return result;
  complete(rank_, handle, own, result);
  hand_over(own, status);
  return result;
}

int WorldAnswers::test_all(const char*, int count, MPI_Request* requests, int* flag,
                           MPI_Status* statuses) {
  AskedRequests asked(count, requests, statuses);
  int said = unsaid;
  asked.mark_unsaid();
  const auto enter = [&] {
    if (said == 1 && rank_.enter_poll(true)) asked.enter_matches(rank_);
  };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Testall)(count, requests, &said, asked.statuses());
  asked.unmark();
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *flag = said;
  const bool fails = class_of(result) == MPI_ERR_IN_STATUS;  // which may leave some of them
  if (!rank_.enter_poll(*flag != 0 || fails)) return result;
  enter_completion(result, [&] { return asked.ends(result); });
  asked.complete_all(rank_, count, result);
  return result;
}

int WorldAnswers::test_any(const char*, int count, MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status) {
  const AskedRequests asked(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own = empty_status();
  int said = unsaid;
  const auto of = static_cast<std::uint64_t>(count);
  const auto enter = [&] {
    if (said != 1 || *index < 0 || *index >= count) return;
    static_cast<void>(rank_.enter_poll(true));
    rank_.enter(RequestChoice{number_of(*index, count), of});
    enter_match(rank_, asked.handle(*index), own);
  };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Testany)(count, requests, index, &said, &own);
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *flag = said;
  if (!rank_.enter_poll(*flag != 0)) return result;
  rank_.enter(RequestChoice{number_of(*index, count), of});
  if (*index != MPI_UNDEFINED) complete(rank_, asked.handle(*index), own, result);
  hand_over(own, status);
  return result;
}

int WorldAnswers::test_some(const char*, int count, MPI_Request* requests, int* outcount,
                            int* indices, MPI_Status* statuses) {
  AskedRequests asked(count, requests, statuses);
  int said = unsaid;
  const auto enter = [&] {
    if (said > 0 && rank_.enter_poll(true)) end_with_some(rank_, asked, count, said, indices);
  };
  const IfItEnds if_it_ends(rank_, enter);
  const int result = LIGHTCONE_REAL(Testsome)(count, requests, &said, indices, asked.statuses());
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *outcount = said;
  if (!rank_.enter_poll(*outcount != 0)) return result;
  enter_some(rank_, count, *outcount, indices);
  if (*outcount > 0) enter_completion(result, [&] { return all_complete(*outcount); });
  asked.complete_some(rank_, *outcount, indices, result);
  return result;
}

/// The request stays as it is, but what it has got is known.
int WorldAnswers::get_status(const char*, MPI_Request handle, int* flag, MPI_Status* status) {
  Request* const request = rank_.requests().find(handle);
  MPI_Status own = empty_status();
  int said = unsaid;
  const int result = LIGHTCONE_REAL(Request_get_status)(handle, &said, &own);
  if (said == unsaid) return rank_.enter(CallRefused{}), result;
  *flag = said;
  if (!rank_.enter_poll(*flag != 0)) return result;
  if (request != nullptr && request->receive != nullptr && request->active) {
    rank_.matched(*request->communicator, *request->receive, own);
    keep_contents(rank_, *request, own, result);
  }
  if (request != nullptr) complete_fetch(rank_, *request);
  hand_over(own, status);
  return result;
}

}  // namespace lightcone::mpi
