// Sends are copied and begun, receives are made when their message is known.
#include "answers/controlled_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "answers/clock_units.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "calls/receives.h"
#include "calls/request_ends.h"
#include "end/if_it_ends.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

constexpr const char* left_out =
    "one-sided synchronisation: who gets a lock first, and who sees what was written";

}  // namespace

int ControlledAnswers::send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
                            FunctionRef<int()>) {
  const auto& [at, count, type] = sending.data;
  auto copy = pack(at, count, type);
  if (!copy) return real();
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  const int result = explored_.send(std::move(*copy), *sending.communicator, sending.to,
                                    sending.tag, sending.comm);
  SentMessage sent = explored_.sent(sending.call, *sending.communicator, sending.to, sending.tag);
  if (sent.communicator == nullptr) {
    if (request != nullptr) make_over(sending.comm, request);
  } else if (request == nullptr) {
    static_cast<void>(explored_.await_receive(sending.call, sent, false));
  } else {
    Request made{
        .what = Request::What::send, .call = sending.call, .communicator = sent.communicator};
    made.sent = sent;
    name_only(made, request);
    rank_.requests().add(*request, std::move(made));
  }
  return result;
}

int ControlledAnswers::start_send(const char* call, Request& request, MPI_Request* handle) {
  auto copy = pack(request.buffer, request.count, request.type);
  if (!copy) return LIGHTCONE_REAL(Start)(handle);
  request.active = true;
  rank_.sent(call, *request.communicator, request.rank, request.tag,
             {request.buffer, request.count, request.type});
  const int result = explored_.send(std::move(*copy), *request.communicator, request.rank,
                                    request.tag, request.comm);
  request.sent = explored_.sent(request.call, *request.communicator, request.rank, request.tag);
  request.is_name = request.sent.communicator != nullptr;
  return result;
}

/// Sends a copy, and the call itself sends to MPI_PROC_NULL.
std::optional<int> ControlledAnswers::send_beside(const Sending& sending) {
  auto copy = pack(sending.data.at, sending.data.count, sending.data.type);
  if (!copy) return std::nullopt;
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  static_cast<void>(explored_.send(std::move(*copy), *sending.communicator, sending.to, sending.tag,
                                   sending.comm));
  return MPI_PROC_NULL;
}

SentMessage ControlledAnswers::begun_beside(const Sending& sending) {
  return explored_.sent(sending.call, *sending.communicator, sending.to, sending.tag);
}

void ControlledAnswers::end_beside(const Sending& sending) {
  SentMessage sent = begun_beside(sending);
  if (sent.communicator == nullptr) return;
  static_cast<void>(explored_.await_receive(sending.call, sent, false));
}

KnownAnswers::Aim ControlledAnswers::begin(int source, int tag) {
  Aim aim{rank_.new_receive(source, tag), source, tag};
  if (aim.receive->is_wildcard()) aim.receive->choice = rank_.recorder()->open();
  return aim;
}

std::optional<KnownAnswers::Aim> ControlledAnswers::take(const Receiving& receiving, bool polls) {
  const auto channel = explored_.take(receiving.call, *receiving.communicator, receiving.source,
                                      receiving.tag, polls);
  if (polls && !rank_.enter_poll(channel.has_value())) return std::nullopt;
  Aim aim = begin(receiving.source, receiving.tag);
  if (channel) {
    aim.source = channel->source;
    aim.tag = channel->tag;
  }
  return aim;
}

int ControlledAnswers::ask(const Receiving& receiving, const Aim& aim, MPI_Status* status,
                           FunctionRef<int(int, int, MPI_Status*)> real) {
  const Channel channel{aim.source, aim.tag};
  explored_.acknowledge(*receiving.communicator, channel,
                        explored_.match(*receiving.communicator, channel));
  const auto enter = [&] { rank_.enter_match(aim.receive.get(), status_of(channel)); };
  const IfItEnds if_it_ends(rank_, enter);
  return real(aim.source, aim.tag, status);
}

int ControlledAnswers::look(const Receiving& receiving, const Aim& aim, MPI_Status* status) {
  const int result = LIGHTCONE_REAL(Probe)(aim.source, aim.tag, receiving.comm, status);
  explored_.put_back(*receiving.communicator, {aim.source, aim.tag});
  return result;
}

int ControlledAnswers::take_out(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                                TakenMessage&, MPI_Status* status) {
  const int result = LIGHTCONE_REAL(Mprobe)(aim.source, aim.tag, receiving.comm, message, status);
  if (result == MPI_SUCCESS) {
    const Channel channel{status->MPI_SOURCE, status->MPI_TAG};
    aim.receive->matched = explored_.match(*receiving.communicator, channel);
  }
  return result;
}

/// The sender of the message may wait for this.
void ControlledAnswers::accept_taken(const TakenMessage& taken) {
  explored_.acknowledge(*taken.communicator, *taken.receive->channel, taken.receive->matched);
}

int ControlledAnswers::begin_receive(const Receiving& receiving, MPI_Request* request,
                                     FunctionRef<int(int, int, MPI_Request*)>) {
  const Aim aim = begin(receiving.source, receiving.tag);
  if (!aim.receive->is_wildcard()) aim.receive->named = rank_.next_named();
  Request made{.what = Request::What::receive,
               .call = receiving.call,
               .communicator = receiving.communicator};
  made.receive = aim.receive;
  receiving.communicator->posted.post(aim.receive);
  made.comm = receiving.comm;
  made.buffer = receiving.buffer.at;
  made.count = receiving.buffer.count;
  made.places = std::make_shared<KeptPlaces>(std::vector<Buffer>{receiving.buffer});
  made.type = made.places->buffers.front().type;  // the program may give its own up
  name_only(made, request);
  explored_.post(rank_.requests().add(*request, std::move(made)));
  return MPI_SUCCESS;
}

int ControlledAnswers::start_receive(Request& request, MPI_Request*) {
  const Aim aim = begin(request.rank, request.tag);
  if (!aim.receive->is_wildcard()) aim.receive->named = rank_.next_named();
  request.receive = aim.receive;
  request.active = request.is_name = true;
  request.communicator->posted.post(aim.receive);
  explored_.post(request);
  return MPI_SUCCESS;
}

int ControlledAnswers::cancel(Request& request, FunctionRef<int()> real) {
  if (request.sent.communicator != nullptr) {
    explored_.leave_out("cancelled sends");
    return MPI_SUCCESS;  // it came too late
  }
  if (request.what != Request::What::receive) return real();
  request.cancelling = true;
  if (request.done || !request.is_name) return MPI_SUCCESS;
  if (request.acknowledged) {
    explored_.leave_out("cancelled receives that a sender may already know about");
  }
  explored_.forget(request);
  request.never = request.was_cancelled = true;
  rank_.cancelled(*request.communicator, *request.receive);
  return MPI_SUCCESS;
}

int ControlledAnswers::free_request(Request& request, MPI_Request* handle,
                                    FunctionRef<int()> real) {
  const bool receives = request.what == Request::What::receive && request.active;
  if (receives && request.is_name && !request.done && !request.never) {
    explored_.leave_out("receives that are freed before they are complete");
  }
  explored_.forget(request);
  rank_.requests().forget(*handle);
  return real();
}

bool ControlledAnswers::is_over(const char* call, MPI_Request handle) {
  Request* const request = rank_.requests().find(handle);
  if (request == nullptr || !request->active || request->never) return true;
  return explored_.finish(call, *request, true);
}

bool ControlledAnswers::poll(const char* call, int count, const MPI_Request* requests) {
  return rank_.enter_poll(std::all_of(requests, requests + count,
                                      [&](MPI_Request handle) { return is_over(call, handle); }));
}

/// Which of several is over; `count` if none ever is.
std::optional<int> ControlledAnswers::ask_which(const char* call, int count,
                                                const MPI_Request* requests, bool polls) {
  static Request over{.what = Request::What::send};  // that Lightcone knows nothing of
  std::vector<Request*> all;
  for (int i = 0; i < count; ++i) {
    Request* const request = rank_.requests().find(requests[i]);
    const bool is_null = requests[i] == MPI_REQUEST_NULL || (request && !request->active);
    all.push_back(is_null ? nullptr : request != nullptr ? request : &over);
  }
  if (std::ranges::count(all, nullptr) == count) return count;
  const auto which = explored_.finish_one(call, all, polls);
  if (!which) return std::nullopt;
  return static_cast<int>(*which);
}

std::optional<int> ControlledAnswers::choose(const char* call, int count,
                                             const MPI_Request* requests, bool polls) {
  const auto which = ask_which(call, count, requests, polls);
  if (polls && !rank_.enter_poll(which.has_value())) return std::nullopt;
  rank_.enter(RequestChoice{static_cast<std::uint64_t>(*which), static_cast<std::uint64_t>(count)});
  return which;
}

/// One at a time is one of the ways that such calls may go.
KnownAnswers::Chosen ControlledAnswers::choose_some(const char* call, int count,
                                                    const MPI_Request* requests, bool polls) {
  const auto which = ask_which(call, count, requests, polls);
  if (polls && !rank_.enter_poll(which.has_value())) return std::vector<int>();
  const auto of = static_cast<std::uint64_t>(count);
  const bool none = *which == count;
  rank_.enter(RequestCount{none ? of + 1 : 1, of});
  if (none) return std::nullopt;
  rank_.enter(RequestChoice{static_cast<std::uint64_t>(*which), of});
  return std::vector<int>{*which};
}

/// A receive is made when it is known what it takes.
int ControlledAnswers::finish(const char* call, MPI_Request* handle, MPI_Status* status) {
  Request* const request = *handle == MPI_REQUEST_NULL ? nullptr : rank_.requests().find(*handle);
  if (request == nullptr || !request->active) return LIGHTCONE_REAL(Wait)(handle, status);
  const MPI_Request name = *handle;
  const bool persistent = request->persistent;
  if (request->never) {
    *status = empty_status();
    LIGHTCONE_REAL(Status_set_cancelled)(status, 1);
    rank_.requests().over(*handle);
    if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
    return MPI_SUCCESS;
  }
  if (request->what != Request::What::fetch) {
    static_cast<void>(explored_.finish(call, *request, false));
  }
  if (!request->is_name) {
    const int result = LIGHTCONE_REAL(Wait)(handle, status);
    complete(rank_, name, *status, result);
    return result;
  }
  *status = request->what == Request::What::receive ? request->status : empty_status();
  complete(rank_, name, *status, status->MPI_ERROR);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
  return status->MPI_ERROR;
}

int ControlledAnswers::get_status(const char* call, MPI_Request handle, int* flag,
                                  MPI_Status* status) {
  Request* const request = rank_.requests().find(handle);
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  *flag = rank_.enter_poll(is_over(call, handle)) ? 1 : 0;
  if (*flag != 0 && request != nullptr && request->done) {
    own = request->status;
    rank_.matched(*request->communicator, *request->receive, own);
  }
  const bool fetches = *flag != 0 && request != nullptr && request->fetch != nullptr;
  for (*flag = fetches ? 0 : *flag; fetches && *flag == 0 && result == MPI_SUCCESS;) {
    result = LIGHTCONE_REAL(Request_get_status)(handle, flag, &own);
  }
  if (*flag != 0 && request != nullptr) complete_fetch(rank_, *request);
  hand_over(own, status);
  return result;
}

int ControlledAnswers::meet(const Collective& collective, ResultPlaces, FunctionRef<int()> real) {
  return explored_.meet(collective, real);
}

int ControlledAnswers::begin_meeting(Request& made, ResultPlaces, MPI_Request*,
                                     FunctionRef<int()> real) {
  const int result = real();
  if (result == MPI_SUCCESS) explored_.begin_meeting(made.collective);
  return result;
}

int ControlledAnswers::make(const Collective* collective, const char*, MPI_Comm, MPI_Comm* made,
                            CommunicatorFacts& facts, FunctionRef<int()> real) {
  const int result = collective == nullptr ? real() : explored_.meet(*collective, real);
  if (result == MPI_SUCCESS) facts = rank_.communicators().facts_of(*made);
  return result;
}

void ControlledAnswers::begin_making(Request& made) {
  Communicator* const parent = made.communicator;
  made.collective = {made.call, parent, Direction::all, 0, parent->creations, 0, {}, "#dup"};
  explored_.begin_meeting(made.collective);
}

ControlledAnswers::Window* ControlledAnswers::find(MPI_Win window) {
  const auto place = windows_.find(key_of(window));
  return place == windows_.end() ? nullptr : &place->second;
}

Meeting ControlledAnswers::meeting_at(Window& window, std::string_view call) {
  return {window.name, ++window.meetings, window.others, std::string(call), window.name};
}

/// Tells each of these processes, or waits until each has told.
void ControlledAnswers::tell_each(Window& window, const std::string& what,
                                  const std::vector<int>& ranks) {
  for (const int rank : ranks) {
    explored_.tell({window.name + what, ++window.told[{what, rank}], {rank}, {}, {}});
  }
}

/// Takes those that have told out of `ranks`; a poll may leave some there.
void ControlledAnswers::hear_each(Window& window, const std::string& what, const char* call,
                                  std::vector<int>& ranks, bool polls) {
  while (!ranks.empty()) {
    const int rank = ranks.front();
    std::int32_t& heard = window.heard[{what, rank}];
    const Meeting told{window.name + what, heard + 1, {rank}, call, window.name};
    if (!explored_.hear_from(told, rank, polls)) return;
    ++heard;
    ranks.erase(ranks.begin());
  }
}

/// Processes of a window come together to make it, to free it and at fences, as at collective
/// operations. Post and start, complete and wait are messages. What locks decide is not explored.
int ControlledAnswers::make_window(const char* call, MPI_Comm comm, MPI_Win* made,
                                   FunctionRef<int()> real) {
  const Communicator* const communicator = rank_.communicators().find(comm);
  if (communicator == nullptr) return real();
  Window window{fmt::format("{}#window{}", communicator->name(), ++made_windows_[communicator])};
  window.others = communicator->members();
  std::erase(window.others, rank_.number());
  explored_.leave_out(left_out);
  const int result = explored_.meet(meeting_at(window, call), real);
  if (result == MPI_SUCCESS) windows_.insert_or_assign(key_of(*made), std::move(window));
  return result;
}

int ControlledAnswers::free_window(const char* call, MPI_Win* handle, FunctionRef<int()> real) {
  Window* const window = find(*handle);
  if (window == nullptr) return real();
  const std::uint64_t key = key_of(*handle);
  const int result = explored_.meet(meeting_at(*window, call), real);
  windows_.erase(key);
  return result;
}

int ControlledAnswers::synchronise(const char* call, MPI_Win handle, MPI_Group group,
                                   FunctionRef<int()> real) {
  const std::string_view name = call;
  Window* const window = find(handle);
  if (name == "MPI_Win_fence" && window != nullptr) {
    return explored_.meet(meeting_at(*window, call), real);
  }
  if (name == "MPI_Win_post") {
    const int result = real();
    if (window == nullptr || result != MPI_SUCCESS) return result;
    window->exposed_to = rank_.communicators().world_ranks_of(group);
    tell_each(*window, "#post", window->exposed_to);
    return result;
  }
  if (name == "MPI_Win_start") {
    if (window != nullptr && group != MPI_GROUP_NULL) {
      std::vector<int> awaited = window->accessed = rank_.communicators().world_ranks_of(group);
      hear_each(*window, "#post", call, awaited, false);
    }
    return real();
  }
  if (name == "MPI_Win_wait") {
    if (window != nullptr) hear_each(*window, "#complete", call, window->exposed_to, false);
    return real();
  }
  explored_.leave_out_and_yield(left_out);
  const int result = real();
  if (name == "MPI_Win_complete" && window != nullptr) {
    tell_each(*window, "#complete", std::exchange(window->accessed, {}));
  }
  return result;
}

/// Waits for a window that all processes have reported.
int ControlledAnswers::test_window(const char* call, MPI_Win handle, int* flag) {
  Window* const window = find(handle);
  int result = MPI_SUCCESS;
  if (window == nullptr) {
    result = LIGHTCONE_REAL(Win_test)(handle, flag);
  } else {
    *flag = 0;
    hear_each(*window, "#complete", call, window->exposed_to, true);
    const bool all = window->exposed_to.empty();
    while (all && *flag == 0 && result == MPI_SUCCESS) {
      result = LIGHTCONE_REAL(Win_test)(handle, flag);
    }
  }
  if (result != MPI_SUCCESS) return rank_.enter(CallRefused{}), result;
  static_cast<void>(rank_.enter_poll(*flag != 0));
  return result;
}

std::optional<std::string> ControlledAnswers::fetched(std::string_view bytes) {
  rank_.enter(KeptContents{KeptContents::What::fetched, 0, bytes});
  return std::nullopt;
}

/// Explored processes live in a time of their own, the same in every execution: a microsecond
/// passes whenever they look.
std::uint64_t ControlledAnswers::time(int clock, std::uint64_t) {
  const std::uint64_t told = 1000 * ++looks_;
  rank_.enter_clock(ClockValue{clock, told});
  return told;
}

double ControlledAnswers::seconds() { return seconds_of(time(clock_of_mpi, 0)); }

}  // namespace lightcone::mpi
