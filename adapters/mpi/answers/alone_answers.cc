// Gives a process what it received, byte by byte, in the order in which it asks.
#include "answers/alone_answers.h"

#include <lightcone/base/wire.h>

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "answers/contents_keeper.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "calls/receives.h"
#include "calls/request_ends.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

using Kept = KeptContents::What;
using MatchIs = MpiReplayer::Match::What;

/// The MPI that the journal was recorded with.
std::string recorded_mpi;

[[nodiscard]] MPI_Status status_of(const Channel& from, std::size_t bytes) {
  MPI_Status status = empty_status();
  status.MPI_SOURCE = from.source;
  status.MPI_TAG = from.tag;
  LIGHTCONE_REAL(Status_set_elements_x)(&status, MPI_BYTE, static_cast<MPI_Count>(bytes));
  return status;
}

}  // namespace

AloneAnswers::AloneAnswers(MpiProcess& rank, MpiReplayer& journal)
    : JournalAnswers(rank, journal, nullptr), stand_ins_(rank.communicators()) {}

Prompted<AloneAnswers::Beginning> AloneAnswers::read_beginning(MpiReplayer& journal) {
  const auto kept = journal.take(Kept::began, "it begins, to run alone");
  if (!kept) return tl::unexpected(kept.error());
  WireReader wire(kept->bytes);
  Beginning beginning{static_cast<int>(kept->detail), std::string(wire.text(kept->bytes.size()))};
  recorded_mpi = beginning.mpi;
  if (!wire.failed() && beginning.size >= 1) return beginning;
  return standstill(Standstill::Why::recording_ended, "the contents in the journal are damaged");
}

/// Whose error handler is called. A communicator that was given up has none any more.
MPI_Comm AloneAnswers::comm_of(const Communicator* communicator) const {
  return communicator == nullptr ? MPI_COMM_SELF : rank_.communicators().handle_of(*communicator);
}

int AloneAnswers::fail(MPI_Comm comm, int error) const {
  if (error != MPI_SUCCESS && !is_quiet_) LIGHTCONE_REAL(Comm_call_errhandler)(comm, error);
  return error;
}

void AloneAnswers::cannot_fit(const char* call, std::size_t bytes) {
  rank_.stand_still(
      {Standstill::Why::diverged,
       fmt::format("recorded: it gets {} bytes; came: {} for another number", bytes, call)});
}

int AloneAnswers::deliver(const char* call, const Buffer& buffer, const Channel& from,
                          MPI_Status* status) {
  const auto kept = rank_.given(journal_.take(Kept::received, call));
  if (!unpack_first(kept.bytes, buffer)) cannot_fit(call, kept.bytes.size());
  *status = status_of(from, kept.bytes.size());
  change_windows();
  return error_of_portable(kept.detail);
}

void AloneAnswers::deliver(const char* call, Request& request) {
  if (std::exchange(request.has_contents, true)) return;
  const Receive& receive = *request.receive;
  const Channel from = receive.channel.value_or(Channel{receive.source, receive.tag});
  const int error = deliver(call, request.places->buffers.front(), from, &request.status);
  request.status.MPI_ERROR = error;
}

int AloneAnswers::give_results(const char* call, const std::vector<Buffer>& places) {
  const auto kept = rank_.given(journal_.take(Kept::collective, call));
  const int error = error_of_portable(kept.detail);
  std::string_view bytes = kept.bytes;
  for (const Buffer& place : places) {
    if (error == MPI_SUCCESS && !unpack_next(bytes, place)) cannot_fit(call, kept.bytes.size());
  }
  if (!bytes.empty()) cannot_fit(call, kept.bytes.size());
  change_windows();
  return error;
}

int AloneAnswers::recorded_result(const char* call, MPI_Comm comm) {
  return fail(comm, give_results(call, {}));
}

int AloneAnswers::send(const Sending& sending, MPI_Request* request, FunctionRef<int()>,
                       FunctionRef<int()>) {
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  if (request != nullptr) make_over(sending.comm, request);
  return MPI_SUCCESS;
}

std::optional<int> AloneAnswers::send_beside(const Sending& sending) {
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  return MPI_PROC_NULL;
}

int AloneAnswers::ask(const Receiving& receiving, const Aim& aim, MPI_Status* status,
                      FunctionRef<int(int, int, MPI_Status*)>) {
  return fail(receiving.comm,
              deliver(receiving.call, receiving.buffer, {aim.source, aim.tag}, status));
}

int AloneAnswers::look(const Receiving& receiving, const Aim& aim, MPI_Status* status) {
  const auto kept = rank_.given(journal_.take(Kept::probed, receiving.call));
  *status = status_of({aim.source, aim.tag}, kept.detail);
  return MPI_SUCCESS;
}

int AloneAnswers::take_out(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                           TakenMessage&, MPI_Status* status) {
  const int result = look(receiving, aim, status);
  return result == MPI_SUCCESS ? name_only(message) : result;
}

int AloneAnswers::receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                                MPI_Message* message, MPI_Status* status, bool&,
                                FunctionRef<int(MPI_Status*)>) {
  end_name(message);
  MPI_Status own;
  const int error = deliver(call, buffer, *taken.receive->channel, &own);
  rank_.received(call, *taken.communicator, taken.receive, own, buffer);
  hand_over(own, status);
  return fail(comm_of(taken.communicator), error);
}

int AloneAnswers::begin_receive_taken(const char* call, const TakenMessage& taken,
                                      const Buffer& buffer, MPI_Message* message,
                                      MPI_Request* request, FunctionRef<int()>) {
  end_name(message);
  Request made{.what = Request::What::receive, .call = call, .communicator = taken.communicator};
  made.receive = taken.receive;
  made.comm = comm_of(taken.communicator);
  made.places = std::make_shared<KeptPlaces>(std::vector<Buffer>{buffer});
  name_only(made, request);
  rank_.requests().add(*request, std::move(made));
  return MPI_SUCCESS;
}

int AloneAnswers::begin_receive(const Receiving& receiving, MPI_Request* request,
                                FunctionRef<int(int, int, MPI_Request*)>) {
  const Aim aim = begun_aim(receiving.source, receiving.tag);
  Request made{.what = Request::What::receive,
               .call = receiving.call,
               .communicator = receiving.communicator};
  made.receive = aim.receive;
  made.comm = receiving.comm;
  made.never = aim.what != MatchIs::message;
  made.was_cancelled = aim.what == MatchIs::cancelled;
  made.places = std::make_shared<KeptPlaces>(std::vector<Buffer>{receiving.buffer});
  if (!made.never) receiving.communicator->posted.post(aim.receive);
  name_only(made, request);
  rank_.requests().add(*request, std::move(made));
  return MPI_SUCCESS;
}

int AloneAnswers::start_receive(Request& request, MPI_Request*) {
  const Aim aim = begun_aim(request.rank, request.tag);
  request.receive = aim.receive;
  request.active = request.is_name = true;
  request.never = aim.what != MatchIs::message;
  request.was_cancelled = aim.what == MatchIs::cancelled;
  if (!request.never) request.communicator->posted.post(aim.receive);
  return MPI_SUCCESS;
}

int AloneAnswers::finish(const char* call, MPI_Request* handle, MPI_Status* status) {
  Request* const request = *handle == MPI_REQUEST_NULL ? nullptr : rank_.requests().find(*handle);
  if (request == nullptr || !request->active) return LIGHTCONE_REAL(Wait)(handle, status);
  if (request->never) {
    end_without_message(*request, handle, status);
    return MPI_SUCCESS;
  }
  const MPI_Request name = *handle;
  if (!request->is_name) {
    const int result = LIGHTCONE_REAL(Wait)(handle, status);
    complete(rank_, name, *status, result);
    return result;
  }
  const bool persistent = request->persistent;
#ifdef MPICH_VERSION  // errors of requests are those of the world
  const MPI_Comm comm = MPI_COMM_WORLD;
#else
  const MPI_Comm comm =
      request->comm == MPI_COMM_NULL ? comm_of(request->communicator) : request->comm;
#endif
  int error = MPI_SUCCESS;
  if (request->what == Request::What::receive) {
    deliver(call, *request);
    *status = request->status;
    error = status->MPI_ERROR;
  } else {
    *status = empty_status();
    if (request->places != nullptr) error = give_results(call, request->places->buffers);
  }
  complete(rank_, name, *status, error);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
  return fail(comm, error);
}

int AloneAnswers::get_status(const char* call, MPI_Request handle, int* flag, MPI_Status* status) {
  if (was_refused()) return LIGHTCONE_REAL(Request_get_status)(handle, flag, status);
  Request* const request = rank_.requests().find(handle);
  *flag = JournalAnswers::poll(call) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  MPI_Status own = empty_status();
  if (request != nullptr && request->receive != nullptr && request->active && !request->never) {
    deliver(call, *request);
    own = request->status;
    rank_.matched(*request->communicator, *request->receive, own);
  }
  if (request != nullptr) complete_fetch(rank_, *request);
  hand_over(own, status);
  return MPI_SUCCESS;
}

int AloneAnswers::wait(const char* call, MPI_Request* request, MPI_Status* status) {
  const int result = JournalAnswers::wait(call, request, status);
  change_windows();
  return result;
}

int AloneAnswers::wait_all(const char* call, int count, MPI_Request* requests,
                           MPI_Status* statuses) {
  const int result = JournalAnswers::wait_all(call, count, requests, statuses);
  change_windows();
  return result;
}

/// An error handler is called once for all requests: MPICH says that there are errors, others which
/// is the first.
void AloneAnswers::finish_failed(const char* call, const std::vector<MPI_Request*>& requests,
                                 const std::string& ends, std::vector<MPI_Status>& statuses) {
  MPI_Comm comm = MPI_COMM_WORLD;
  int error = MPI_ERR_IN_STATUS;
  is_quiet_ = true;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (ends[k] == 0) continue;
    const Request* const request = rank_.requests().find(*requests[k]);
    const Communicator* const place = request == nullptr ? nullptr : request->communicator;
    statuses[k].MPI_ERROR = finish(call, requests[k], &statuses[k]);
#ifndef MPICH_VERSION
    if (statuses[k].MPI_ERROR == MPI_SUCCESS || error != MPI_ERR_IN_STATUS) continue;
    comm = comm_of(place);
    error = statuses[k].MPI_ERROR;
#else
    static_cast<void>(place);
#endif
  }
  is_quiet_ = false;
  static_cast<void>(fail(comm, error));
}

int AloneAnswers::test_all(const char* call, int count, MPI_Request* requests, int* flag,
                           MPI_Status* statuses) {
  const int result = JournalAnswers::test_all(call, count, requests, flag, statuses);
  if (*flag != 0) change_windows();
  return result;
}

int AloneAnswers::meet(const Collective& collective, ResultPlaces results, FunctionRef<int()>) {
  return fail(comm_of(collective.communicator), give_results(collective.call, results()));
}

int AloneAnswers::begin_meeting(Request& made, ResultPlaces results, MPI_Request* request,
                                FunctionRef<int()>) {
  const int result = recorded_result(made.call, comm_of(made.communicator));
  if (result != MPI_SUCCESS) return result;
  made.places = std::make_shared<KeptPlaces>(results());
  name_only(made, request);
  return result;
}

int AloneAnswers::meet_neighbours(const char* call, ResultPlaces results, FunctionRef<int()>) {
  return fail(MPI_COMM_SELF, give_results(call, results()));
}

int AloneAnswers::begin_neighbours(Request& made, ResultPlaces results, MPI_Request* request,
                                   FunctionRef<int()> real) {
  const int result = begin_meeting(made, results, request, real);
  if (result == MPI_SUCCESS) rank_.requests().add(*request, std::move(made));
  return result;
}

/// A duplicate takes the program's attributes along, so the MPI makes one.
int AloneAnswers::make(const Collective*, const char* call, MPI_Comm parent, MPI_Comm* made,
                       CommunicatorFacts& facts, FunctionRef<int()> real) {
  const auto kept = rank_.given(journal_.take(Kept::communicator, call));
  change_windows();
  const int error = error_of_portable(kept.detail);
  if (error != MPI_SUCCESS) return fail(parent, error);
  const auto read = CommunicatorFacts::read(kept.bytes);
  if (!read) {
    rank_.stand_still(
        {Standstill::Why::recording_ended, "the contents in the journal are damaged"});
  }
  facts = *read;
  if (facts.is_null) {
    *made = MPI_COMM_NULL;
    return MPI_SUCCESS;
  }
  const bool is_duplicate = std::string_view(call).starts_with("MPI_Comm_dup");
  return is_duplicate ? real() : StandIns::make(parent, made);
}

void AloneAnswers::add_window(MPI_Win window) {
  void* base = nullptr;
  MPI_Aint* size = nullptr;
  int has_base = 0, has_size = 0;
  LIGHTCONE_REAL(Win_get_attr)(window, MPI_WIN_BASE, &base, &has_base);
  LIGHTCONE_REAL(Win_get_attr)(window, MPI_WIN_SIZE, &size, &has_size);
  const bool has_memory = has_base != 0 && has_size != 0 && base != nullptr;
  windows_.push_back({key_of(window), ++made_windows_, static_cast<char*>(base),
                      has_memory ? static_cast<std::size_t>(*size) : 0});
}

int AloneAnswers::make_window(const char* call, MPI_Comm comm, MPI_Win* window,
                              FunctionRef<int()> real) {
  if (recorded_mpi != LIGHTCONE_MPI_NAME) {
    rank_.stand_still({Standstill::Why::diverged,
                       fmt::format("it calls {}, and windows that were recorded with {} cannot be "
                                   "replayed with " LIGHTCONE_MPI_NAME,
                                   call, recorded_mpi)});
  }
  const auto kept = rank_.given(journal_.take(Kept::collective, call));
  if (kept.detail != 0) return fail(comm, error_of_portable(kept.detail));
  const int result = real();
  if (result != MPI_SUCCESS) return result;
  add_window(*window);
  change_windows();
  const Communicator* const communicator = rank_.communicators().find(comm);
  if (communicator != nullptr) stand_ins_.add_window(*window, communicator->facts().members);
  return result;
}

int AloneAnswers::free_window(const char*, MPI_Win* window, FunctionRef<int()> real) {
  change_windows();
  std::erase_if(windows_, [&](const Window& each) { return each.key == key_of(*window); });
  return real();
}

/// Puts what others have changed into the process's own windows.
void AloneAnswers::change_windows() {
  if (windows_.empty()) return;
  while (const auto kept = journal_.take_if_next(Kept::window)) {
    WireReader wire(kept->bytes);
    const std::uint64_t at = wire.number();
    const std::size_t size = wire.left();
    for (Window& window : windows_) {
      if (window.number != kept->detail || wire.failed()) continue;
      if (at > window.size || size > window.size - at) continue;
      std::memcpy(window.base + at, kept->bytes.data() + kept->bytes.size() - size, size);
    }
  }
}

int AloneAnswers::synchronise(const char* call, MPI_Win, MPI_Group, FunctionRef<int()>) {
  return recorded_result(call, MPI_COMM_SELF);
}

int AloneAnswers::test_window(const char* call, MPI_Win window, int* flag) {
  if (was_refused()) return LIGHTCONE_REAL(Win_test)(window, flag);
  *flag = JournalAnswers::poll(call) ? 1 : 0;
  if (*flag != 0) change_windows();
  return MPI_SUCCESS;
}

int AloneAnswers::begin_access(MPI_Request* request, FunctionRef<int()>) {
  make_over(MPI_COMM_SELF, request);
  return MPI_SUCCESS;
}

int AloneAnswers::begin_fetch(Request& made, MPI_Request* request, FunctionRef<int()>) {
  name_only(made, request);
  return MPI_SUCCESS;
}

int AloneAnswers::tell(const char* call, std::string& text, FunctionRef<int()>) {
  auto kept = rank_.given(journal_.take(Kept::told, call));
  text = std::move(kept.bytes);
  return error_of_portable(kept.detail);
}

void AloneAnswers::note_not_alone(const char* call) {
  rank_.stand_still(
      {Standstill::Why::diverged,
       fmt::format("it calls {}, which cannot be answered without the other processes", call)});
}

}  // namespace lightcone::mpi
