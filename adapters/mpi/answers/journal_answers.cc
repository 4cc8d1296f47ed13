// Asks for what was recorded instead of what the program asks for.
#include "answers/journal_answers.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "answers/clock_units.h"
#include "calls/fetches.h"
#include "calls/mpi_functions.h"
#include "calls/receives.h"
#include "calls/request_ends.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

using What = MpiReplayer::Match::What;

/// Between two looks for what has not come. An MPI waits in a loop. In a replay, others often need
/// the core for what it waits for.
class Pauses {
 public:
  void pass() {
    constexpr int few = 200, some = 1000;
    if (passed_ <= some) ++passed_;
    if (passed_ > some) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else if (passed_ > few) {
      std::this_thread::yield();
    }
  }

 private:
  int passed_ = 0;
};

/// As MPI_Wait.
int wait_with_pauses(MPI_Request* request, MPI_Status* status) {
  for (Pauses pauses;; pauses.pass()) {
    int is_over = 0;
    const int result = LIGHTCONE_REAL(Test)(request, &is_over, status);
    if (is_over != 0 || result != MPI_SUCCESS) return result;
  }
}

}  // namespace

JournalAnswers::JournalAnswers(MpiProcess& rank, MpiReplayer& journal, Standings* standings)
    : KnownAnswers(rank), journal_(journal) {
  if (standings == nullptr) return;
  if (rank.unbuffered()) standings->sends_synchronously();
  if (EarlyMessages::are_worth_it) early_.emplace(*standings);
}

/// A standard send may be made slower, and where sends are not buffered it waits for its receive.
int JournalAnswers::send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
                         FunctionRef<int()> synchronous) {
  const int to = sending.communicator->world_rank(sending.to);
  const bool waits = sending.standard && rank_.unbuffered();
  const bool is_taken_early = early_ && rank_.standings()->knows(to);
  if (sending.standard && !waits && !is_taken_early && rank_.throttle().is_due(to)) {
    const Buffer& data = sending.data;
    if (auto copy = pack(data.at, data.count, data.type)) {
      rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
      if (request != nullptr) make_over(sending.comm, request);
      const GoesOn goes_on;
      return rank_.throttle().send(std::move(*copy), to, sending.to, sending.tag, sending.comm);
    }
  }
  note_synchronous(sending.call);
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  const auto call = waits ? synchronous : real;
  const bool may_wait =
      rank_.unbuffered() || std::string_view(sending.call).starts_with("MPI_Ssend");
  if (request != nullptr || !may_wait) return call();
  return rank_.waiting(sending.call, *sending.communicator, sending.to, sending.tag, call);
}

void JournalAnswers::note_synchronous(std::string_view call) {
  if (!call.starts_with("MPI_Ssend") && !call.starts_with("MPI_Issend")) return;
  if (Standings* const standings = rank_.standings()) standings->sends_synchronously();
}

int JournalAnswers::start_send(const char* call, Request& request, MPI_Request* handle) {
  note_synchronous(request.call);
  rank_.sent(call, *request.communicator, request.rank, request.tag,
             {request.buffer, request.count, request.type});
  return LIGHTCONE_REAL(Start)(handle);
}

std::optional<int> JournalAnswers::send_beside(const Sending& sending) {
  rank_.sent(sending.call, *sending.communicator, sending.to, sending.tag, sending.data);
  return sending.to;
}

KnownAnswers::Aim JournalAnswers::aim(int source, int tag) {
  Aim aim{rank_.new_receive(source, tag), source, tag};
  if (Standings* const standings = rank_.standings()) {
    standings->asks(source == MPI_ANY_SOURCE, tag == MPI_ANY_TAG ? -1 : tag);
  }
  if (!aim.receive->is_wildcard()) return aim;
  const auto match = rank_.given(journal_.match(*(aim.receive->choice = journal_.open())));
  if (match.what == What::follows) return aim;  // there is no other message that it could take
  aim.what = match.what;
  if (match.what != What::message) return aim;
  aim.receive->channel = Channel{match.source, match.tag};
  aim.source = match.source;
  aim.tag = match.tag;
  return aim;
}

KnownAnswers::Aim JournalAnswers::begun_aim(int source, int tag) {
  Aim begun = aim(source, tag);
  if (!begun.receive->is_wildcard() && journal_.was_cancelled()) begun.what = What::cancelled;
  return begun;
}

/// The recording must know of a message for this receive.
std::optional<KnownAnswers::Aim> JournalAnswers::take(const Receiving& receiving, bool polls) {
  if (polls && !poll(receiving.call)) return std::nullopt;
  const Aim taken = aim(receiving.source, receiving.tag);
  if (taken.what == What::message) return taken;
  rank_.stand_without_message(taken.what, describe(receiving.call, *receiving.communicator,
                                                   taken.receive->source, taken.receive->tag));
}

bool JournalAnswers::is_early(const Receiving& receiving, const Aim& aim, bool waits) {
  using Where = EarlyMessages::Where;
  if (!early_) return false;
  Where where = early_->look_for(receiving, aim.source, aim.tag);
  if (where != Where::nowhere || !waits) return where == Where::here;
  static_cast<void>(
      rank_.waiting(receiving.call, *receiving.communicator, aim.source, aim.tag, [&] {
        for (Pauses pauses; where == Where::nowhere; pauses.pass()) {
          where = early_->look_for(receiving, aim.source, aim.tag);
        }
        return MPI_SUCCESS;
      }));
  return where == Where::here;
}

JournalAnswers::Early JournalAnswers::take_early(const Receiving& receiving, const Aim& aim,
                                                 bool waits) {
  if (!is_early(receiving, aim, waits)) return nullptr;
  return early_->take(receiving, aim.source, aim.tag);
}

/// A message may wait for its receive, and its sender for this process: so its receive begins
/// before anything is sent. The buffer may be the one that is sent.
int JournalAnswers::give(const Receiving& receiving, const Aim& aim, EarlyMessage& early,
                         MPI_Status* status, FunctionRef<int(int, int, MPI_Status*)> real) {
  if (!receiving.sends && !early.is_long()) return early.deliver(receiving.buffer, status);
  return rank_.waiting(receiving.call, *receiving.communicator, aim.source, aim.tag, [&] {
    if (receiving.sends) {
      early.copy();
      MPI_Status none;
      const int result = real(MPI_PROC_NULL, aim.tag, &none);
      if (result != MPI_SUCCESS) return result;
    }
    return early.deliver(receiving.buffer, status);
  });
}

int JournalAnswers::ask(const Receiving& receiving, const Aim& aim, MPI_Status* status,
                        FunctionRef<int(int, int, MPI_Status*)> real) {
  if (const Early early = take_early(receiving, aim, !receiving.sends)) {
    return give(receiving, aim, *early, status, real);
  }
  return rank_.waiting(receiving.call, *receiving.communicator, aim.source, aim.tag,
                       [&] { return real(aim.source, aim.tag, status); });
}

int JournalAnswers::look(const Receiving& receiving, const Aim& aim, MPI_Status* status) {
  if (is_early(receiving, aim, true)) {
    *status = early_->first(receiving, aim.source, aim.tag).status;
    return MPI_SUCCESS;
  }
  return rank_.waiting(receiving.call, *receiving.communicator, aim.source, aim.tag, [&] {
    return LIGHTCONE_REAL(Probe)(aim.source, aim.tag, receiving.comm, status);
  });
}

int JournalAnswers::take_out(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                             TakenMessage& taken, MPI_Status* status) {
  if (const Early early = take_early(receiving, aim, true)) {
    *status = early->status;
    if (early->is_long()) {
      *message = early->handle;
      return MPI_SUCCESS;
    }
    taken.early = early;
    return name_only(message);
  }
  return rank_.waiting(receiving.call, *receiving.communicator, aim.source, aim.tag, [&] {
    return LIGHTCONE_REAL(Mprobe)(aim.source, aim.tag, receiving.comm, message, status);
  });
}

int JournalAnswers::receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                                  MPI_Message* message, MPI_Status* status, bool& is_still_there,
                                  FunctionRef<int(MPI_Status*)> real) {
  if (taken.early == nullptr) {
    return KnownAnswers::receive_taken(call, taken, buffer, message, status, is_still_there, real);
  }
  end_name(message);
  MPI_Status own;
  const int result = taken.early->deliver(buffer, &own);
  rank_.received(call, *taken.communicator, taken.receive, own, buffer);
  hand_over(own, status);
  return result;
}

int JournalAnswers::begin_receive_taken(const char* call, const TakenMessage& taken,
                                        const Buffer& buffer, MPI_Message* message,
                                        MPI_Request* request, FunctionRef<int()> real) {
  if (taken.early == nullptr) {
    return KnownAnswers::begin_receive_taken(call, taken, buffer, message, request, real);
  }
  end_name(message);
  Request made{.what = Request::What::receive, .call = call, .communicator = taken.communicator};
  made.receive = taken.receive;
  made.early = taken.early;
  made.places = std::make_shared<KeptPlaces>(std::vector<Buffer>{buffer});
  name_only(made, request);
  rank_.requests().add(*request, std::move(made));
  return MPI_SUCCESS;
}

/// The request of the program is a name, where it need not be one of the MPI.
int JournalAnswers::begin_early(const Receiving& receiving, const Aim& aim, const Early& early,
                                MPI_Request* request,
                                FunctionRef<int(int, int, MPI_Request*)> real) {
  aim.receive->channel = early->from();
  receiving.communicator->posted.post(aim.receive);
  Request made{.what = Request::What::receive,
               .call = receiving.call,
               .communicator = receiving.communicator};
  made.receive = aim.receive;
  int result = MPI_SUCCESS;
  if (early->is_long() && !receiving.sends) {
    result = early->begin(receiving.buffer, request);
  } else {
    early->copy();
    if (receiving.sends) result = real(MPI_PROC_NULL, aim.tag, &made.stand_in);
    if (result != MPI_SUCCESS) return result;
    made.early = early;
    made.places = std::make_shared<KeptPlaces>(std::vector<Buffer>{receiving.buffer});
    name_only(made, request);
  }
  if (result == MPI_SUCCESS) rank_.requests().add(*request, std::move(made));
  return result;
}

int JournalAnswers::begin_receive(const Receiving& receiving, MPI_Request* request,
                                  FunctionRef<int(int, int, MPI_Request*)> real) {
  const Aim aim = begun_aim(receiving.source, receiving.tag);
  if (aim.what == What::message) {
    const Early early = take_early(receiving, aim, false);
    if (early != nullptr) return begin_early(receiving, aim, early, request, real);
  }
  Request made{.what = Request::What::receive,
               .call = receiving.call,
               .communicator = receiving.communicator};
  made.receive = aim.receive;
  int result = MPI_SUCCESS;
  if (aim.what == What::message) {
    receiving.communicator->posted.post(aim.receive);
    result = real(aim.source, aim.tag, request);
  } else {
    name_only(made, request);
    made.never = true;
    made.was_cancelled = aim.what == What::cancelled;
  }
  if (result == MPI_SUCCESS) rank_.requests().add(*request, std::move(made));
  return result;
}

/// The MPI knows the wildcards of a persistent receive. Another one is begun instead, with the
/// source and tag that were recorded.
int JournalAnswers::start_receive(Request& request, MPI_Request* handle) {
  const Aim aim = begun_aim(request.rank, request.tag);
  request.receive = aim.receive;
  request.active = true;
  request.never = aim.what != What::message;
  request.was_cancelled = aim.what == What::cancelled;
  request.is_name = aim.receive->is_wildcard();
  if (request.never) return MPI_SUCCESS;
  const Buffer buffer{request.buffer, request.count, request.type};
  const Early early = take_early(
      {request.call, request.communicator, request.comm, request.rank, request.tag, buffer}, aim,
      false);
  if (early != nullptr) aim.receive->channel = early->from();
  request.communicator->posted.post(aim.receive);
  if (early != nullptr) {
    request.is_name = true;
    if (early->is_long()) return early->begin(buffer, &request.stand_in);
    request.early = early;
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

int JournalAnswers::start_again(const Request& request, FunctionRef<int()> real) {
  return request.is_name ? MPI_ERR_REQUEST : real();
}

/// Nothing is cancelled: what was cancelled has not been posted, what got a message gets it.
int JournalAnswers::cancel(Request& request, FunctionRef<int()> real) {
  if (request.what != Request::What::receive) return real();
  request.cancelling = true;
  return MPI_SUCCESS;
}

int JournalAnswers::free_request(Request& request, MPI_Request* handle, FunctionRef<int()> real) {
  if (request.early != nullptr) {
    MPI_Status ignored;
    static_cast<void>(request.early->deliver(request.places->buffers.front(), &ignored));
  }
  rank_.requests().forget(*handle);
  return real();
}

void JournalAnswers::pass_poll() {
  constexpr std::uint64_t progress_at = 8, yield_at = 256;
  ++polls_in_a_row_;
  if (polls_in_a_row_ >= yield_at && std::has_single_bit(polls_in_a_row_)) {
    std::this_thread::yield();  // ever more seldom: on a busy machine it may take long
  }
  if (polls_in_a_row_ % progress_at == 0) make_progress();
}

bool JournalAnswers::poll(const char* call) {
  const bool found = rank_.given(journal_.poll(call));
  if (found) {
    polls_in_a_row_ = 0;
  } else {
    pass_poll();
  }
  return found;
}

bool JournalAnswers::poll(const char* call, int, const MPI_Request*) { return poll(call); }

std::optional<int> JournalAnswers::choose(const char* call, int count, const MPI_Request*,
                                          bool polls) {
  if (polls && !poll(call)) return std::nullopt;
  return static_cast<int>(rank_.given(journal_.choose(static_cast<std::uint64_t>(count), call)));
}

KnownAnswers::Chosen JournalAnswers::choose_some(const char* call, int count, const MPI_Request*,
                                                 bool polls) {
  if (polls && !poll(call)) return std::vector<int>();
  const auto of = static_cast<std::uint64_t>(count);
  const std::uint64_t how_many = rank_.given(journal_.count(of, call));
  if (how_many == of + 1) return std::nullopt;
  std::vector<int> chosen;
  for (std::uint64_t k = 0; k < how_many; ++k) {
    chosen.push_back(static_cast<int>(rank_.given(journal_.choose(of, call))));
  }
  return chosen;
}

void JournalAnswers::end_without_message(Request& request, MPI_Request* handle,
                                         MPI_Status* status) {
  if (!request.was_cancelled) {
    rank_.stand_without_message(
        What::never, describe(request.call, *request.communicator, request.receive->source,
                              request.receive->tag));
  }
  *status = empty_status();
  LIGHTCONE_REAL(Status_set_cancelled)(status, 1);
  const bool persistent = request.persistent;
  rank_.requests().over(*handle);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
}

/// What the call has sent is over, too.
int JournalAnswers::finish_early(const char* call, Request& request, MPI_Request* handle,
                                 MPI_Status* status) {
  const Early early = request.early;
  const bool persistent = request.persistent;
  *status = empty_status();
  const int result = rank_.waiting(call, *request.communicator, early->from().source, any, [&] {
    if (request.stand_in != MPI_REQUEST_NULL) {
      const int sent = LIGHTCONE_REAL(Wait)(&request.stand_in, MPI_STATUS_IGNORE);
      if (sent != MPI_SUCCESS) return sent;
    }
    return early->deliver(request.places->buffers.front(), status);
  });
  complete(rank_, *handle, *status, result);
  if (!persistent) LIGHTCONE_REAL(Request_free)(handle);
  return result;
}

int JournalAnswers::finish(const char* call, MPI_Request* handle, MPI_Status* status) {
  Request* const request = *handle == MPI_REQUEST_NULL ? nullptr : rank_.requests().find(*handle);
  if (request == nullptr || !request->active) return LIGHTCONE_REAL(Wait)(handle, status);
  if (request->never) {
    end_without_message(*request, handle, status);
    return MPI_SUCCESS;
  }
  if (request->early != nullptr) return finish_early(call, *request, handle, status);
  const MPI_Request name = *handle;
  const bool is_receive = request->what == Request::What::receive;
  const int source =
      is_receive ? request->receive->channel.value_or(Channel{any, any}).source : any;
  MPI_Request* const real = request->is_name ? &request->stand_in : handle;
  const auto by = early_ ? wait_with_pauses : LIGHTCONE_REAL(Wait);
  const int result =
      rank_.waiting(call, *request->communicator, source, any, [&] { return by(real, status); });
  complete(rank_, name, *status, result);
  return result;
}

int JournalAnswers::get_status(const char* call, MPI_Request handle, int* flag,
                               MPI_Status* status) {
  if (was_refused()) return LIGHTCONE_REAL(Request_get_status)(handle, flag, status);
  Request* const request = rank_.requests().find(handle);
  *flag = poll(call) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  const bool is_name = request != nullptr && request->is_name && request->active;
  const MPI_Request real = is_name ? request->stand_in : handle;
  MPI_Status own = empty_status();
  int result = MPI_SUCCESS;
  const Early early = request == nullptr ? nullptr : request->early;
  for (*flag = 0; *flag == 0 && result == MPI_SUCCESS;) {
    result = LIGHTCONE_REAL(Request_get_status)(real, flag, &own);
  }
  if (early != nullptr) result = early->deliver(request->places->buffers.front(), &own);
  if (*flag != 0 && request != nullptr) complete_fetch(rank_, *request);
  hand_over(own, status);
  return result;
}

int JournalAnswers::meet(const Collective& collective, ResultPlaces, FunctionRef<int()> real) {
  return rank_.waiting(collective.call, *collective.communicator, any, any, real);
}

int JournalAnswers::begin_meeting(Request&, ResultPlaces, MPI_Request*, FunctionRef<int()> real) {
  return real();
}

int JournalAnswers::make(const Collective* collective, const char*, MPI_Comm, MPI_Comm* made,
                         CommunicatorFacts& facts, FunctionRef<int()> real) {
  int result = MPI_SUCCESS;
  if (collective != nullptr) {
    result = rank_.waiting(collective->call, *collective->communicator, any, any, real);
  } else {
    // Open MPI sends messages of its own there, which look like those of the program.
    Standings* const standings = rank_.standings();
    if (standings != nullptr) standings->sends_unseen(true);
    result = real();
    if (standings != nullptr) standings->sends_unseen(false);
  }
  if (result == MPI_SUCCESS) facts = rank_.communicators().facts_of(*made);
  return result;
}

int JournalAnswers::meet_neighbours(const char*, ResultPlaces, FunctionRef<int()> real) {
  return real();
}

int JournalAnswers::begin_neighbours(Request&, ResultPlaces, MPI_Request*,
                                     FunctionRef<int()> real) {
  return real();
}

int JournalAnswers::make_window(const char*, MPI_Comm, MPI_Win*, FunctionRef<int()> real) {
  return real();
}

int JournalAnswers::free_window(const char*, MPI_Win*, FunctionRef<int()> real) { return real(); }

int JournalAnswers::synchronise(const char*, MPI_Win, MPI_Group, FunctionRef<int()> real) {
  return real();
}

int JournalAnswers::test_window(const char* call, MPI_Win window, int* flag) {
  if (was_refused()) return LIGHTCONE_REAL(Win_test)(window, flag);
  *flag = poll(call) ? 1 : 0;
  return *flag == 0 ? MPI_SUCCESS : LIGHTCONE_REAL(Win_wait)(window);
}

std::optional<std::string> JournalAnswers::fetched(std::string_view bytes) {
  auto recorded = rank_.given(journal_.take(KeptContents::What::fetched, "a fetch"));
  if (recorded.bytes.size() != bytes.size()) {
    rank_.stand_still({Standstill::Why::diverged,
                       fmt::format("recorded: {} bytes are fetched from a window; came: {}",
                                   recorded.bytes.size(), bytes.size())});
  }
  return std::move(recorded.bytes);
}

std::uint64_t JournalAnswers::time(int clock, std::uint64_t) {
  return rank_.given(journal_.read_clock(clock));
}

/// Versions 1 and 2 kept this clock as it was told.
double JournalAnswers::seconds() {
  const std::uint64_t value = time(clock_of_mpi, 0);
  return journal_.is_old() ? std::bit_cast<double>(value) : seconds_of(value);
}

bool JournalAnswers::keeps_more() {
  if (!keeps_more_) keeps_more_ = journal_.keeps_more();
  return *keeps_more_;
}

int JournalAnswers::tell(const char*, std::string&, FunctionRef<int()> real) { return real(); }

}  // namespace lightcone::mpi
