// Receives and probes: a wildcard is a choice. A replay asks for what was recorded instead.
#include "receives.h"

#include <fmt/format.h>

#include <thread>

#include "request_ends.h"
#include "wrapping.h"

namespace lightcone::mpi {
namespace {

using What = RankScript::Match::What;

/// Messages that were taken by a probe, and not received yet.
tsl::robin_map<std::uint64_t, std::pair<Communicator*, std::shared_ptr<Receive>>> taken;

/// A receive that is to take from this channel, if it is known.
[[nodiscard]] Rank::Aim aim_at(Rank& rank, int source, int tag,
                               const std::optional<Channel>& channel) {
  Rank::Aim aim = rank.aim(source, tag);
  if (channel) {
    aim.source = channel->source;
    aim.tag = channel->tag;
  }
  return aim;
}

/// The recording must know of a message for this receive.
void must_come(Rank& rank, const char* call, Communicator& communicator, const Rank::Aim& aim) {
  if (aim.what == What::message) return;
  rank.stand_without_message(aim.what,
                             describe(call, communicator, aim.receive->source, aim.receive->tag));
}

/// What to ask the MPI for: where the process is explored, the message that it is told to take.
[[nodiscard]] Rank::Aim explored_aim(Rank& rank, const char* name, Communicator& communicator,
                                     int source, int tag) {
  std::optional<Channel> channel;
  if (Explored* const explored = rank.explored()) {
    channel = explored->take(name, communicator, source, tag, false);
  }
  return aim_at(rank, source, tag, channel);
}

/// Receives at once, by a call that takes the source and the tag to ask for, and a status.
template <class Call>
int take(Rank& rank, const char* name, MPI_Comm comm, int source, int tag, MPI_Status* status,
         Call call) {
  Communicator& communicator = rank.communicators().of(comm);
  const Rank::Aim aim = explored_aim(rank, name, communicator, source, tag);
  must_come(rank, name, communicator, aim);
  if (Explored* const explored = rank.explored()) {
    const Channel channel{aim.source, aim.tag};
    explored->acknowledge(communicator, channel, explored->match(communicator, channel));
  }
  if (!communicator.posted.empty()) Rank::post(communicator, aim.receive);
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const int result = rank.waiting(name, communicator, aim.source, aim.tag,
                                  [&] { return call(aim.source, aim.tag, &own); });
  if (result == MPI_SUCCESS || own.MPI_SOURCE >= 0) {
    rank.received(name, communicator, aim.receive, own);
  }
  hand_over(own, status);
  return result;
}

template <class Real, class Count>
int receive(Rank& rank, const char* name, Real real, void* buffer, Count count, MPI_Datatype type,
            int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (source == MPI_PROC_NULL) return real(buffer, count, type, source, tag, comm, status);
  return take(rank, name, comm, source, tag, status, [&](int from, int with, MPI_Status* own) {
    return real(buffer, count, type, from, with, comm, own);
  });
}

/// Where a receive puts its message.
struct Buffer {
  void* at;
  MPI_Count count;
  MPI_Datatype type;
};

/// Begins a receive by a call that takes source, tag and request.
template <class Call>
int begin(Rank& rank, const char* name, MPI_Comm comm, int source, int tag, MPI_Request* request,
          const Buffer& buffer, Call call) {
  Communicator& communicator = rank.communicators().of(comm);
  Rank::Aim aim = rank.aim(source, tag);
  if (!aim.receive->is_wildcard() && rank.begin_named(*aim.receive)) aim.what = What::cancelled;
  Request made{.what = Request::What::receive, .call = name, .communicator = &communicator};
  made.receive = aim.receive;
  int result = MPI_SUCCESS;
  if (aim.what == What::message) {
    Rank::post(communicator, aim.receive);
    if (Explored* const explored = rank.explored()) {
      made.comm = comm;
      made.buffer = buffer.at;
      made.count = buffer.count;
      made.type = buffer.type;
      name_only(made, request);
      explored->post(rank.requests().add(*request, std::move(made)));
      return result;
    }
    result = call(aim.source, aim.tag, request);
  } else {
    name_only(made, request);
    made.never = true;
    made.was_cancelled = aim.what == What::cancelled;
  }
  if (result == MPI_SUCCESS) rank.requests().add(*request, std::move(made));
  return result;
}

template <class Real, class Count>
int begin_receive(Rank& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  if (source == MPI_PROC_NULL) return real(buffer, count, type, source, tag, comm, request);
  return begin(rank, name, comm, source, tag, request, {buffer, count, type},
               [&](int from, int with, MPI_Request* own) {
                 return real(buffer, count, type, from, with, comm, own);
               });
}

template <class Real, class Count>
int make_receive(Rank& rank, const char* name, Real real, void* buffer, Count count,
                 MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = real(buffer, count, type, source, tag, comm, request);
  if (result != MPI_SUCCESS || source == MPI_PROC_NULL) return result;
  Request made{.what = Request::What::receive, .call = name};
  made.communicator = &rank.communicators().of(comm);
  made.comm = comm;
  made.persistent = true;
  made.active = false;
  made.rank = source;
  made.tag = tag;
  made.buffer = buffer;
  made.count = count;
  made.type = type;
  rank.requests().add(*request, std::move(made));
  return result;
}

/// Sends a copy where the process is explored; else that is left to the call itself.
[[nodiscard]] bool send_copy(Rank& rank, const void* buffer, MPI_Count count, MPI_Datatype type,
                             int to, int tag, MPI_Comm comm) {
  Explored* const explored = rank.explored();
  if (explored == nullptr || to == MPI_PROC_NULL) return false;
  explored->send(buffer, count, type, to, tag, comm);
  return true;
}

/// Where the process is explored: the copy that was sent may have to be received, too.
void await_copy(Rank& rank, const char* name, int to, int tag, MPI_Comm comm) {
  SentMessage sent = rank.explored()->sent(name, rank.communicators().of(comm), to, tag);
  static_cast<void>(rank.explored()->await_receive(name, sent, false));
}

template <class Real, class Count, class ReceiveCount>
int send_and_receive(Rank& rank, const char* name, Real real, const void* out, Count out_count,
                     MPI_Datatype out_type, int to, int out_tag, void* in, ReceiveCount in_count,
                     MPI_Datatype in_type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (to != MPI_PROC_NULL) rank.sent(name, rank.communicators().of(comm), to, out_tag);
  const bool sent = send_copy(rank, out, out_count, out_type, to, out_tag, comm);
  const auto call = [&](int from, int with, MPI_Status* own) {
    return real(out, out_count, out_type, sent ? MPI_PROC_NULL : to, out_tag, in, in_count, in_type,
                from, with, comm, own);
  };
  const int result = source == MPI_PROC_NULL ? call(source, tag, status)
                                             : take(rank, name, comm, source, tag, status, call);
  if (sent) await_copy(rank, name, to, out_tag, comm);
  return result;
}

template <class Real, class Count>
int replace(Rank& rank, const char* name, Real real, void* buffer, Count count, MPI_Datatype type,
            int to, int out_tag, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (to != MPI_PROC_NULL) rank.sent(name, rank.communicators().of(comm), to, out_tag);
  const bool sent = send_copy(rank, buffer, count, type, to, out_tag, comm);
  const auto call = [&](int from, int with, MPI_Status* own) {
    return real(buffer, count, type, sent ? MPI_PROC_NULL : to, out_tag, from, with, comm, own);
  };
  const int result = source == MPI_PROC_NULL ? call(source, tag, status)
                                             : take(rank, name, comm, source, tag, status, call);
  if (sent) await_copy(rank, name, to, out_tag, comm);
  return result;
}

#if MPI_VERSION >= 4
/// The same when the request is waited for.
void await_copy_later(Rank& rank, const char* name, int to, int tag, MPI_Comm comm,
                      MPI_Request handle) {
  Request* const request = rank.requests().find(handle);
  if (request == nullptr) return;
  request->sent = rank.explored()->sent(name, rank.communicators().of(comm), to, tag);
}

template <class Real, class Count, class ReceiveCount>
int begin_send_and_receive(Rank& rank, const char* name, Real real, const void* out,
                           Count out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                           ReceiveCount in_count, MPI_Datatype in_type, int source, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  if (to != MPI_PROC_NULL) rank.sent(name, rank.communicators().of(comm), to, out_tag);
  const bool sent = send_copy(rank, out, out_count, out_type, to, out_tag, comm);
  const auto call = [&](int from, int with, MPI_Request* own) {
    return real(out, out_count, out_type, sent ? MPI_PROC_NULL : to, out_tag, in, in_count, in_type,
                from, with, comm, own);
  };
  if (source == MPI_PROC_NULL) return call(source, tag, request);
  const int result = begin(rank, name, comm, source, tag, request, {in, in_count, in_type}, call);
  if (sent) await_copy_later(rank, name, to, out_tag, comm, *request);
  return result;
}

template <class Real, class Count>
int begin_replace(Rank& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, int to, int out_tag, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  if (to != MPI_PROC_NULL) rank.sent(name, rank.communicators().of(comm), to, out_tag);
  const bool sent = send_copy(rank, buffer, count, type, to, out_tag, comm);
  const auto call = [&](int from, int with, MPI_Request* own) {
    return real(buffer, count, type, sent ? MPI_PROC_NULL : to, out_tag, from, with, comm, own);
  };
  if (source == MPI_PROC_NULL) return call(source, tag, request);
  const int result = begin(rank, name, comm, source, tag, request, {buffer, count, type}, call);
  if (sent) await_copy_later(rank, name, to, out_tag, comm, *request);
  return result;
}
#endif

template <class Call>
int look_at(Rank& rank, const char* name, Communicator& communicator, const Rank::Aim& aim,
            MPI_Status* status, Call call) {
  must_come(rank, name, communicator, aim);
  MPI_Status own;
  const int result = rank.waiting(name, communicator, aim.source, aim.tag,
                                  [&] { return call(aim.source, aim.tag, &own); });
  if (rank.explored() != nullptr) rank.explored()->put_back(communicator, {aim.source, aim.tag});
  if (result == MPI_SUCCESS) rank.found(name, communicator, *aim.receive, own);
  hand_over(own, status);
  return result;
}

/// Looks for a message, by a call that takes source, tag and status.
template <class Call>
int look(Rank& rank, const char* name, MPI_Comm comm, int source, int tag, MPI_Status* status,
         Call call) {
  Communicator& communicator = rank.communicators().of(comm);
  const Rank::Aim aim = explored_aim(rank, name, communicator, source, tag);
  return look_at(rank, name, communicator, aim, status, call);
}

template <class Real>
int probe(Rank& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
          MPI_Status* status) {
  if (source == MPI_PROC_NULL) return real(source, tag, comm, status);
  return look(rank, name, comm, source, tag, status,
              [&](int from, int with, MPI_Status* own) { return real(from, with, comm, own); });
}

template <class Real>
int poll_probe(Rank& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
               int* flag, MPI_Status* status) {
  if (source == MPI_PROC_NULL) return real(source, tag, comm, flag, status);
  const auto look_now = [&](int from, int with, MPI_Status* own) {
    return LIGHTCONE_REAL(Probe)(from, with, comm, own);
  };
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return pass_poll();
    return look(rank, name, comm, source, tag, status, look_now);
  }
  Communicator& communicator = rank.communicators().of(comm);
  if (Explored* const explored = rank.explored()) {
    const auto channel = explored->take(name, communicator, source, tag, true);
    *flag = rank.enter_poll(channel.has_value()) ? 1 : 0;
    if (!channel) return MPI_SUCCESS;
    const Rank::Aim aim = aim_at(rank, source, tag, channel);
    return look_at(rank, name, communicator, aim, status, look_now);
  }
  MPI_Status own;
  const int result = real(source, tag, comm, flag, &own);
  if (result != MPI_SUCCESS || !rank.enter_poll(*flag != 0)) return result;
  rank.found(name, communicator, *rank.aim(source, tag).receive, own);
  hand_over(own, status);
  return result;
}

/// A message that is taken out of the queue has been matched: there is only no buffer for it yet.
void keep_taken(Rank& rank, Communicator& communicator, const std::shared_ptr<Receive>& receive,
                MPI_Message message, const MPI_Status& status) {
  rank.matched(communicator, *receive, status);
  if (Explored* const explored = rank.explored()) {
    receive->matched = explored->match(communicator, *receive->channel);
  }
  taken[key_of(message)] = {&communicator, receive};
}

template <class Call>
int take_out_at(Rank& rank, const char* name, Communicator& communicator, const Rank::Aim& aim,
                MPI_Message* message, MPI_Status* status, Call call) {
  must_come(rank, name, communicator, aim);
  if (!communicator.posted.empty()) Rank::post(communicator, aim.receive);
  MPI_Status own;
  const int result = rank.waiting(name, communicator, aim.source, aim.tag,
                                  [&] { return call(aim.source, aim.tag, &own); });
  if (result == MPI_SUCCESS) keep_taken(rank, communicator, aim.receive, *message, own);
  hand_over(own, status);
  return result;
}

template <class Call>
int take_out(Rank& rank, const char* name, MPI_Comm comm, int source, int tag, MPI_Message* message,
             MPI_Status* status, Call call) {
  Communicator& communicator = rank.communicators().of(comm);
  const Rank::Aim aim = explored_aim(rank, name, communicator, source, tag);
  return take_out_at(rank, name, communicator, aim, message, status, call);
}

template <class Real>
int take_probe(Rank& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
               MPI_Message* message, MPI_Status* status) {
  if (source == MPI_PROC_NULL) return real(source, tag, comm, message, status);
  return take_out(
      rank, name, comm, source, tag, message, status,
      [&](int from, int with, MPI_Status* own) { return real(from, with, comm, message, own); });
}

template <class Real>
int poll_take_probe(Rank& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
                    int* flag, MPI_Message* message, MPI_Status* status) {
  if (source == MPI_PROC_NULL) return real(source, tag, comm, flag, message, status);
  const auto take_now = [&](int from, int with, MPI_Status* own) {
    return LIGHTCONE_REAL(Mprobe)(from, with, comm, message, own);
  };
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return pass_poll();
    return take_out(rank, name, comm, source, tag, message, status, take_now);
  }
  Communicator& communicator = rank.communicators().of(comm);
  if (Explored* const explored = rank.explored()) {
    const auto channel = explored->take(name, communicator, source, tag, true);
    *flag = rank.enter_poll(channel.has_value()) ? 1 : 0;
    if (!channel) return MPI_SUCCESS;
    const Rank::Aim aim = aim_at(rank, source, tag, channel);
    return take_out_at(rank, name, communicator, aim, message, status, take_now);
  }
  MPI_Status own;
  const int result = real(source, tag, comm, flag, message, &own);
  if (result != MPI_SUCCESS || !rank.enter_poll(*flag != 0)) return result;
  const Rank::Aim aim = rank.aim(source, tag);
  if (!communicator.posted.empty()) Rank::post(communicator, aim.receive);
  keep_taken(rank, communicator, aim.receive, *message, own);
  hand_over(own, status);
  return result;
}

[[nodiscard]] std::pair<Communicator*, std::shared_ptr<Receive>> receive_of(MPI_Message message) {
  const auto place = taken.find(key_of(message));
  if (place == taken.end()) return {};
  auto found = place->second;
  taken.erase(place);
  return found;
}

/// A message that a probe took is received: its sender may wait for that.
void acknowledge_taken(Rank& rank, const Communicator* communicator,
                       const std::shared_ptr<Receive>& receive) {
  if (communicator == nullptr || rank.explored() == nullptr) return;
  rank.explored()->acknowledge(*communicator, *receive->channel, receive->matched);
}

template <class Real, class Count>
int receive_taken(Rank& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  const auto [communicator, receive] = receive_of(*message);
  acknowledge_taken(rank, communicator, receive);
  MPI_Status own;
  const int result = real(buffer, count, type, message, &own);
  if (communicator != nullptr) rank.received(name, *communicator, receive, own);
  hand_over(own, status);
  return result;
}

template <class Real, class Count>
int begin_receive_taken(Rank& rank, const char* name, Real real, void* buffer, Count count,
                        MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  const auto [communicator, receive] = receive_of(*message);
  acknowledge_taken(rank, communicator, receive);
  const int result = real(buffer, count, type, message, request);
  if (communicator == nullptr || result != MPI_SUCCESS) return result;
  Request made{.what = Request::What::receive, .call = name, .communicator = communicator};
  made.receive = receive;
  rank.requests().add(*request, std::move(made));
  return result;
}

}  // namespace

void name_only(Request& request, MPI_Request* handle) {
  LIGHTCONE_REAL(Recv_init)(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, handle);
  request.is_name = true;
}

int pass_poll() {
  constexpr unsigned progress_at = 8, yield_at = 256;
  static unsigned polls = 0;
  if (++polls % yield_at == 0) std::this_thread::yield();
  return polls % progress_at == 0 ? make_progress() : MPI_SUCCESS;
}

int make_progress() {
  int flag = 0;
  return LIGHTCONE_REAL(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag,
                                MPI_STATUS_IGNORE);
}

}  // namespace lightcone::mpi

#define RECEIVE(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_RECEIVES(RECEIVE)
LIGHTCONE_MPI_LARGE_RECEIVES(RECEIVE)
