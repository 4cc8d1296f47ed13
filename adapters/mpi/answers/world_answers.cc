// Makes each call, and enters its answer where there could have been another.
#include "answers/world_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <utility>

#include "answers/clock_units.h"
#include "answers/contents_keeper.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "calls/request_ends.h"
#include "end/if_it_ends.h"
#include "end/last_words.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
int WorldAnswers::send(const Sending& sending, MPI_Request*, FunctionRef<int()> real,
                       FunctionRef<int()>) {
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  return real();
}

int WorldAnswers::start_send(const char* call, Request& request, MPI_Request* handle) {
  rank_.sent(call, *request.communicator, request.rank, request.tag,
             {request.buffer, request.count, request.type});
  return LIGHTCONE_REAL(Start)(handle);
}

std::optional<int> WorldAnswers::send_beside(const Sending& sending) {
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  return sending.to;
}

const std::shared_ptr<Receive>& WorldAnswers::begin(int source, int tag) {
  const std::shared_ptr<Receive>& receive = rank_.new_receive(source, tag);
  if (receive->is_wildcard()) receive->choice = rank_.recorder()->open();
  return receive;
}

/// Those without wildcards are known by their numbers, if they are cancelled.
void WorldAnswers::name(Receive& receive) {
  if (!receive.is_wildcard()) receive.named = rank_.next_named();
}

void WorldAnswers::keep_places(Request& request, std::vector<Buffer> places) {
  if (rank_.contents() == nullptr && !rank_.keeps_digests()) return;
  request.places = std::make_shared<KeptPlaces>(std::move(places));
}

void WorldAnswers::note_windows() {
  if (ContentsKeeper* const contents = rank_.contents()) contents->note_windows();
}

int WorldAnswers::receive(const Receiving& receiving, MPI_Status* status,
                          FunctionRef<int(int, int, MPI_Status*)> real) {
  if (rank_.receives_next(*receiving.communicator)) return receive_next(receiving, status, real);
  const auto& receive = begin(receiving.source, receiving.tag);
  Communicator& communicator = *receiving.communicator;
  if (!communicator.posted.empty()) communicator.posted.post(receive);
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const auto enter = [&] { rank_.enter_match(receive.get(), own); };
  const int result = [&] {
    const IfItEnds if_it_ends(rank_, enter);
    return real(receiving.source, receiving.tag, &own);
  }();
  if (result != MPI_SUCCESS && own.MPI_SOURCE < 0) return result;
  rank_.received(receiving.call, communicator, receive, own, receiving.buffer);
  if (ContentsKeeper* const contents = rank_.contents()) {
    contents->received(receiving.buffer, own, result);
    contents->note_windows();
  }
  hand_over(own, status);
  return result;
}

/// A receive that nothing else can come before. What it takes is known as soon as it is over.
int WorldAnswers::receive_next(const Receiving& receiving, MPI_Status* status,
                               FunctionRef<int(int, int, MPI_Status*)> real) {
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const auto enter = [&] { rank_.enter_match(begin(receiving.source, receiving.tag).get(), own); };
  const int result = [&] {
    const IfItEnds if_it_ends(rank_, enter);
    return real(receiving.source, receiving.tag, &own);
  }();
  if (result != MPI_SUCCESS && own.MPI_SOURCE < 0) {
    static_cast<void>(begin(receiving.source, receiving.tag));  // it never gets a message
    return result;
  }
  rank_.received_next(receiving.call, *receiving.communicator, receiving.source, receiving.tag, own,
                      receiving.buffer);
  if (ContentsKeeper* const contents = rank_.contents()) {
    contents->received(receiving.buffer, own, result);
    contents->note_windows();
  }
  hand_over(own, status);
  return result;
}

/// MPICH 4.0 says of every message of such a call that it came from rank 0, with tag 0 and no data.
void WorldAnswers::refuse_wrong_status(const Receiving& receiving) const {
#if MPI_VERSION >= 4
  const bool matters = receiving.source == MPI_ANY_SOURCE || receiving.tag == MPI_ANY_TAG ||
                       rank_.contents() != nullptr;
  if (!receiving.sends || !matters) return;
  static const bool is_wrong = [] {
    constexpr int tag = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status = empty_status();
    LIGHTCONE_REAL(Isendrecv)
    (nullptr, 0, MPI_BYTE, 0, tag, nullptr, 0, MPI_BYTE, 0, tag, quiet_comm(), &request);
    LIGHTCONE_REAL(Wait)(&request, &status);
    return status.MPI_SOURCE != 0 || status.MPI_TAG != tag;
  }();
  if (!is_wrong) return;
  say_why_it_ends(fmt::format(
      "this program uses {} {}, and this MPI does not say which message that call has got: use two "
      "calls, MPI_Isend and MPI_Irecv",
      receiving.call, rank_.contents() != nullptr ? "with contents" : "with a wildcard"));
  MpiProcess::end(false);
  LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
#else
  static_cast<void>(receiving);
#endif
}

int WorldAnswers::begin_receive(const Receiving& receiving, MPI_Request* request,
                                FunctionRef<int(int, int, MPI_Request*)> real) {
  refuse_wrong_status(receiving);
  const auto& receive = begin(receiving.source, receiving.tag);
  name(*receive);
  receiving.communicator->posted.post(receive);
  const int result = real(receiving.source, receiving.tag, request);
  if (result != MPI_SUCCESS) return result;
  Request made{.what = Request::What::receive,
               .call = receiving.call,
               .communicator = receiving.communicator};
  made.receive = receive;
  keep_places(made, {receiving.buffer});
  rank_.requests().add(*request, std::move(made));
  return result;
}

int WorldAnswers::start_receive(Request& request, MPI_Request* handle) {
  request.receive = begin(request.rank, request.tag);
  name(*request.receive);
  request.active = true;
  request.communicator->posted.post(request.receive);
  return LIGHTCONE_REAL(Start)(handle);
}

int WorldAnswers::probe(const Receiving& receiving, MPI_Status* status) {
  const auto& receive = begin(receiving.source, receiving.tag);
  MPI_Status own;
  const int result = LIGHTCONE_REAL(Probe)(receiving.source, receiving.tag, receiving.comm, &own);
  if (result != MPI_SUCCESS) return result;
  rank_.found(receiving.call, *receiving.communicator, *receive, own);
  if (ContentsKeeper* const contents = rank_.contents()) contents->probed(own);
  hand_over(own, status);
  return result;
}

int WorldAnswers::poll_probe(const Receiving& receiving, int* flag, MPI_Status* status) {
  MPI_Status own;
  const int result =
      LIGHTCONE_REAL(Iprobe)(receiving.source, receiving.tag, receiving.comm, flag, &own);
  if (result != MPI_SUCCESS || !rank_.enter_poll(*flag != 0)) return result;
  const auto& receive = begin(receiving.source, receiving.tag);
  rank_.found(receiving.call, *receiving.communicator, *receive, own);
  if (ContentsKeeper* const contents = rank_.contents()) contents->probed(own);
  hand_over(own, status);
  return result;
}

int WorldAnswers::take_probe(const Receiving& receiving, MPI_Message* message, TakenMessage& taken,
                             MPI_Status* status) {
  Communicator& communicator = *receiving.communicator;
  const auto& receive = begin(receiving.source, receiving.tag);
  if (!communicator.posted.empty()) communicator.posted.post(receive);
  MPI_Status own;
  const int result =
      LIGHTCONE_REAL(Mprobe)(receiving.source, receiving.tag, receiving.comm, message, &own);
  if (result != MPI_SUCCESS) return result;
  rank_.matched(communicator, *receive, own);
  taken = {&communicator, receive};
  if (ContentsKeeper* const contents = rank_.contents()) contents->probed(own);
  hand_over(own, status);
  return result;
}

int WorldAnswers::poll_take_probe(const Receiving& receiving, int* flag, MPI_Message* message,
                                  TakenMessage& taken, MPI_Status* status) {
  Communicator& communicator = *receiving.communicator;
  MPI_Status own;
  const int result =
      LIGHTCONE_REAL(Improbe)(receiving.source, receiving.tag, receiving.comm, flag, message, &own);
  if (result != MPI_SUCCESS || !rank_.enter_poll(*flag != 0)) return result;
  const auto& receive = begin(receiving.source, receiving.tag);
  if (!communicator.posted.empty()) communicator.posted.post(receive);
  rank_.matched(communicator, *receive, own);
  taken = {&communicator, receive};
  if (ContentsKeeper* const contents = rank_.contents()) contents->probed(own);
  hand_over(own, status);
  return result;
}

int WorldAnswers::receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                                MPI_Message*, MPI_Status* status, bool& is_still_there,
                                FunctionRef<int(MPI_Status*)> real) {
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const int result = real(&own);
  is_still_there = result != MPI_SUCCESS && own.MPI_SOURCE < 0;
  if (is_still_there) return result;
  rank_.received(call, *taken.communicator, taken.receive, own, buffer);
  if (ContentsKeeper* const contents = rank_.contents()) contents->received(buffer, own, result);
  hand_over(own, status);
  return result;
}

int WorldAnswers::begin_receive_taken(const char* call, const TakenMessage& taken,
                                      const Buffer& buffer, MPI_Message*, MPI_Request* request,
                                      FunctionRef<int()> real) {
  const int result = real();
  if (result != MPI_SUCCESS) return result;
  Request made{.what = Request::What::receive, .call = call, .communicator = taken.communicator};
  made.receive = taken.receive;
  keep_places(made, {buffer});
  rank_.requests().add(*request, std::move(made));
  return result;
}

int WorldAnswers::cancel(Request& request, FunctionRef<int()> real) {
  request.cancelling = request.what == Request::What::receive;
  return real();
}

/// What a receive takes that the program gives up is found out at the end.
int WorldAnswers::free_request(Request& request, MPI_Request* handle, FunctionRef<int()> real) {
  Request freed = std::move(request);
  rank_.requests().forget(*handle);
  const bool unknown = freed.what == Request::What::receive && freed.active &&
                       freed.receive->is_wildcard() && !freed.receive->channel;
  if (!unknown || freed.persistent) return real();
  rank_.requests().freed.emplace_back(*handle, std::move(freed));
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

void WorldAnswers::look_after() {
  for (auto& [handle, request] : rank_.requests().freed) {
    int is_over = 0;
    MPI_Status status;
    LIGHTCONE_REAL(Test)(&handle, &is_over, &status);
    if (is_over != 0) rank_.matched(*request.communicator, *request.receive, status);
  }
}

int WorldAnswers::meet(const Collective&, ResultPlaces results, FunctionRef<int()> real) {
  const int result = real();
  if (ContentsKeeper* const contents = rank_.contents()) {
    contents->collective(results(), result);
    contents->note_windows();
  }
  return result;
}

int WorldAnswers::begin_meeting(Request& made, ResultPlaces results, MPI_Request*,
                                FunctionRef<int()> real) {
  const int result = real();
  if (ContentsKeeper* const contents = rank_.contents()) contents->result(result);
  if (result == MPI_SUCCESS && (rank_.contents() != nullptr || rank_.keeps_digests())) {
    keep_places(made, results());
  }
  return result;
}

int WorldAnswers::make(const Collective*, const char*, MPI_Comm, MPI_Comm* made,
                       CommunicatorFacts& facts, FunctionRef<int()> real) {
  const int result = real();
  if (result == MPI_SUCCESS) facts = rank_.communicators().facts_of(*made);
  if (ContentsKeeper* const contents = rank_.contents()) {
    contents->communicator(facts, result);
    contents->note_windows();
  }
  return result;
}

int WorldAnswers::meet_neighbours(const char*, ResultPlaces results, FunctionRef<int()> real) {
  return meet({}, results, real);
}

int WorldAnswers::begin_neighbours(Request& made, ResultPlaces results, MPI_Request* request,
                                   FunctionRef<int()> real) {
  const int result = begin_meeting(made, results, request, real);
  if (result == MPI_SUCCESS && made.places != nullptr) {
    rank_.requests().add(*request, std::move(made));
  }
  return result;
}

int WorldAnswers::make_window(const char*, MPI_Comm, MPI_Win* window, FunctionRef<int()> real) {
  const int result = real();
  if (ContentsKeeper* const contents = rank_.contents()) {
    contents->result(result);
    if (result == MPI_SUCCESS) contents->add_window(*window);
  }
  return result;
}

int WorldAnswers::free_window(const char*, MPI_Win* window, FunctionRef<int()> real) {
  note_windows();
  if (ContentsKeeper* const contents = rank_.contents()) contents->remove_window(*window);
  return real();
}

int WorldAnswers::synchronise(const char*, MPI_Win, MPI_Group, FunctionRef<int()> real) {
  const int result = real();
  if (ContentsKeeper* const contents = rank_.contents()) {
    contents->result(result);
    contents->note_windows();
  }
  return result;
}

int WorldAnswers::test_window(const char*, MPI_Win window, int* flag) {
  const int result = LIGHTCONE_REAL(Win_test)(window, flag);
  if (result != MPI_SUCCESS) return rank_.enter(CallRefused{}), result;
  if (rank_.enter_poll(*flag != 0)) note_windows();
  return result;
}

std::optional<std::string> WorldAnswers::fetched(std::string_view bytes) {
  rank_.enter(KeptContents{KeptContents::What::fetched, 0, bytes});
  return std::nullopt;
}

std::uint64_t WorldAnswers::time(int clock, std::uint64_t now) {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  const auto time = static_cast<std::uint64_t>(std::chrono::nanoseconds(since).count());
  const std::uint64_t told = clocks_[clock].answer(now, {time, rank_.deeds(), rank_.empty_polls()});
  rank_.enter_clock(ClockValue{clock, told});
  return told;
}

double WorldAnswers::seconds() {
  return seconds_of(time(clock_of_mpi, nanoseconds_of(LIGHTCONE_REAL(Wtime)())));
}

int WorldAnswers::tell(const char*, std::string& text, FunctionRef<int()> real) {
  const int result = real();
  if (ContentsKeeper* const contents = rank_.contents()) contents->told(text, result);
  return result;
}

void WorldAnswers::note_not_alone(const char* call) {
  if (rank_.contents() == nullptr || !noted_.insert(call).second) return;
  rank_.tell(fmt::format("calls {}, and cannot be replayed alone beyond that", call));
}

}  // namespace lightcone::mpi
