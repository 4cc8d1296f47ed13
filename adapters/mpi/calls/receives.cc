// Receives and probes: a wildcard is a choice. A replay asks for what was recorded instead.
#include "calls/receives.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "calls/packed_message.h"
#include "calls/request_ends.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

using What = MpiScript::Match::What;

/// Messages that were taken by a probe, and not received yet.
tsl::robin_map<std::uint64_t, std::pair<Communicator*, std::shared_ptr<Receive>>> taken;

/// A receive that is to take from this channel, if it is known.
[[nodiscard]] MpiProcess::Aim aim_at(MpiProcess& rank, int source, int tag,
                                     const std::optional<Channel>& channel) {
  MpiProcess::Aim aim = rank.aim(source, tag);
  if (channel) {
    aim.source = channel->source;
    aim.tag = channel->tag;
  }
  return aim;
}

/// The recording must know of a message for this receive.
void must_come(MpiProcess& rank, const char* call, Communicator& communicator,
               const MpiProcess::Aim& aim) {
  if (aim.what == What::message) return;
  rank.stand_without_message(aim.what,
                             describe(call, communicator, aim.receive->source, aim.receive->tag));
}

/// What to ask the MPI for: where the process is explored, the message that it is told to take.
[[nodiscard]] MpiProcess::Aim explored_aim(MpiProcess& rank, const char* name,
                                           Communicator& communicator, int source, int tag) {
  std::optional<Channel> channel;
  if (ExploredProcess* const explored = rank.explored()) {
    channel = explored->take(name, communicator, source, tag, false);
  }
  return aim_at(rank, source, tag, channel);
}

/// Returns whether a receive or probe can be made. What cannot goes to the MPI as it is, which says
/// why.
[[nodiscard]] bool can_receive(const Communicator* communicator, int source, int tag) {
  return communicator != nullptr && (source == MPI_ANY_SOURCE || communicator->has(source)) &&
         (tag >= 0 || tag == MPI_ANY_TAG);
}

/// Some MPIs refuse a null pointer that does not mean that no status is wanted.
[[nodiscard]] bool is_usable(const MPI_Status* status) {
  return status != nullptr || MPI_STATUS_IGNORE == nullptr;
}

/// Returns the result of a call with MPI_PROC_NULL, which only checks the other arguments. Where
/// errors are returned it has to be known before there is a choice.
template <class Call>
[[nodiscard]] int refusal(MpiProcess& rank, Call call) {
  if (!rank.errors_return()) return MPI_SUCCESS;
  MPI_Status ignored;
  return call(MPI_PROC_NULL, &ignored);
}

/// Receives at once, by a call that takes the source and the tag to ask for, and a status.
template <class Call>
int take(MpiProcess& rank, const char* name, Communicator& communicator, int source, int tag,
         MPI_Status* status, Call call) {
  const MpiProcess::Aim aim = explored_aim(rank, name, communicator, source, tag);
  must_come(rank, name, communicator, aim);
  if (ExploredProcess* const explored = rank.explored()) {
    const Channel channel{aim.source, aim.tag};
    explored->acknowledge(communicator, channel, explored->match(communicator, channel));
  }
  if (!communicator.posted.empty()) MpiProcess::post(communicator, aim.receive);
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const int result = rank.waiting(name, communicator, aim.source, aim.tag,
                                  [&] { return call(aim.source, aim.tag, &own); });
  if (result != MPI_SUCCESS && own.MPI_SOURCE < 0) return result;
  rank.received(name, communicator, aim.receive, own);
  hand_over(own, status);
  return result;
}

template <class Real, class Count>
int receive(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
            MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || !is_usable(status)) {
    return real(buffer, count, type, source, tag, comm, status);
  }
  const auto call = [&](int from, int with, MPI_Status* own) {
    return real(buffer, count, type, from, with, comm, own);
  };
  const int error = refusal(rank, [&](int from, auto* own) { return call(from, tag, own); });
  if (error != MPI_SUCCESS) return error;
  return take(rank, name, *communicator, source, tag, status, call);
}

/// Where a receive puts its message.
struct Buffer {
  void* at;
  MPI_Count count;
  MPI_Datatype type;
};

/// Begins a receive by a call that takes source, tag and request.
template <class Call>
int begin(MpiProcess& rank, const char* name, Communicator& communicator, MPI_Comm comm, int source,
          int tag, MPI_Request* request, const Buffer& buffer, Call call) {
  MpiProcess::Aim aim = rank.aim(source, tag);
  if (!aim.receive->is_wildcard() && rank.begin_named(*aim.receive)) aim.what = What::cancelled;
  Request made{.what = Request::What::receive, .call = name, .communicator = &communicator};
  made.receive = aim.receive;
  int result = MPI_SUCCESS;
  if (aim.what == What::message) {
    MpiProcess::post(communicator, aim.receive);
    if (ExploredProcess* const explored = rank.explored()) {
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

/// As `refusal`, of a call that takes a source and a request.
template <class Call>
[[nodiscard]] int refusal_to_begin(MpiProcess& rank, Call call) {
  if (!rank.errors_return()) return MPI_SUCCESS;
  MPI_Request none = MPI_REQUEST_NULL;
  const int result = call(MPI_PROC_NULL, &none);
  if (result == MPI_SUCCESS) LIGHTCONE_REAL(Wait)(&none, MPI_STATUS_IGNORE);
  return result;
}

template <class Real, class Count>
int begin_receive(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || request == nullptr) {
    return real(buffer, count, type, source, tag, comm, request);
  }
  const auto call = [&](int from, int with, MPI_Request* own) {
    return real(buffer, count, type, from, with, comm, own);
  };
  const int error =
      refusal_to_begin(rank, [&](int from, auto* own) { return call(from, tag, own); });
  if (error != MPI_SUCCESS) return error;
  return begin(rank, name, *communicator, comm, source, tag, request, {buffer, count, type}, call);
}

template <class Real, class Count>
int make_receive(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                 MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = real(buffer, count, type, source, tag, comm, request);
  Communicator* const communicator = rank.communicators().find(comm);
  if (result != MPI_SUCCESS || !can_receive(communicator, source, tag)) return result;
  Request made{.what = Request::What::receive, .call = name, .communicator = communicator};
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

/// The two ends of a call that sends and receives. Either may be MPI_PROC_NULL.
struct Exchange {
  Communicator* communicator;
  int to, out_tag, source, tag;

  [[nodiscard]] bool is_possible() const {
    if (communicator == nullptr) return false;
    const bool sends = to == MPI_PROC_NULL || (communicator->has(to) && out_tag >= 0);
    return sends && (source == MPI_PROC_NULL || can_receive(communicator, source, tag));
  }
};

/// Makes the send of an exchange an event. In an exploration it sends a copy, and the call itself
/// sends to MPI_PROC_NULL. Returns the receiver, or nothing if the MPI will refuse the call.
[[nodiscard]] std::optional<int> send_of(MpiProcess& rank, const char* name,
                                         const Exchange& exchange, MPI_Comm comm,
                                         const Buffer& buffer) {
  if (exchange.to == MPI_PROC_NULL) return exchange.to;
  std::optional<std::string> copy;
  if (rank.explored() != nullptr) {
    copy = pack(buffer.at, buffer.count, buffer.type);
    if (!copy) return std::nullopt;
  }
  rank.sent(name, *exchange.communicator, exchange.to, exchange.out_tag);
  if (!copy) return exchange.to;
  static_cast<void>(rank.explored()->send(std::move(*copy), *exchange.communicator, exchange.to,
                                          exchange.out_tag, comm));
  return MPI_PROC_NULL;
}

/// The copy that was sent in place of the send of an exchange, if it has to be received, too.
[[nodiscard]] SentMessage copy_of(MpiProcess& rank, const char* name, const Exchange& exchange,
                                  int to) {
  if (to == exchange.to) return {};
  return rank.explored()->sent(name, *exchange.communicator, exchange.to, exchange.out_tag);
}

/// Exchanges by a call that takes the receiver, the sender, the tag and a status.
template <class Call>
int exchange_now(MpiProcess& rank, const char* name, const Exchange& exchange, MPI_Comm comm,
                 const Buffer& out, MPI_Status* status, Call call) {
  const auto as_it_is = [&] { return call(exchange.to, exchange.source, exchange.tag, status); };
  if (!exchange.is_possible() || !is_usable(status)) return as_it_is();
  const int error = refusal(
      rank, [&](int from, auto* own) { return call(MPI_PROC_NULL, from, exchange.tag, own); });
  if (error != MPI_SUCCESS) return error;
  const auto to = send_of(rank, name, exchange, comm, out);
  if (!to) return as_it_is();
  const int result =
      exchange.source == MPI_PROC_NULL
          ? call(*to, exchange.source, exchange.tag, status)
          : take(rank, name, *exchange.communicator, exchange.source, exchange.tag, status,
                 [&](int from, int with, MPI_Status* own) { return call(*to, from, with, own); });
  if (SentMessage sent = copy_of(rank, name, exchange, *to); sent.communicator != nullptr) {
    static_cast<void>(rank.explored()->await_receive(name, sent, false));
  }
  return result;
}

template <class Real, class Count, class ReceiveCount>
int send_and_receive(MpiProcess& rank, const char* name, Real real, const void* out,
                     Count out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                     ReceiveCount in_count, MPI_Datatype in_type, int source, int tag,
                     MPI_Comm comm, MPI_Status* status) {
  const Exchange exchange{rank.communicators().find(comm), to, out_tag, source, tag};
  const Buffer buffer{const_cast<void*>(out), out_count, out_type};
  return exchange_now(rank, name, exchange, comm, buffer, status,
                      [&](int towards, int from, int with, MPI_Status* own) {
                        return real(out, out_count, out_type, towards, out_tag, in, in_count,
                                    in_type, from, with, comm, own);
                      });
}

template <class Real, class Count>
int replace(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
            MPI_Datatype type, int to, int out_tag, int source, int tag, MPI_Comm comm,
            MPI_Status* status) {
  const Exchange exchange{rank.communicators().find(comm), to, out_tag, source, tag};
  return exchange_now(rank, name, exchange, comm, {buffer, count, type}, status,
                      [&](int towards, int from, int with, MPI_Status* own) {
                        return real(buffer, count, type, towards, out_tag, from, with, comm, own);
                      });
}

#if MPI_VERSION >= 4
/// As `exchange_now`, with a request in place of a status.
template <class Call>
int begin_exchange(MpiProcess& rank, const char* name, const Exchange& exchange, MPI_Comm comm,
                   const Buffer& out, const Buffer& in, MPI_Request* request, Call call) {
  const auto as_it_is = [&] { return call(exchange.to, exchange.source, exchange.tag, request); };
  if (!exchange.is_possible() || request == nullptr) return as_it_is();
  const int error = refusal_to_begin(
      rank, [&](int from, auto* own) { return call(MPI_PROC_NULL, from, exchange.tag, own); });
  if (error != MPI_SUCCESS) return error;
  const auto to = send_of(rank, name, exchange, comm, out);
  if (!to) return as_it_is();
  if (exchange.source == MPI_PROC_NULL) return call(*to, exchange.source, exchange.tag, request);
  const int result =
      begin(rank, name, *exchange.communicator, comm, exchange.source, exchange.tag, request, in,
            [&](int from, int with, MPI_Request* own) { return call(*to, from, with, own); });
  const SentMessage sent = copy_of(rank, name, exchange, *to);
  if (Request* const made = rank.requests().find(*request)) made->sent = sent;
  return result;
}

template <class Real, class Count, class ReceiveCount>
int begin_send_and_receive(MpiProcess& rank, const char* name, Real real, const void* out,
                           Count out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                           ReceiveCount in_count, MPI_Datatype in_type, int source, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  const Exchange exchange{rank.communicators().find(comm), to, out_tag, source, tag};
  return begin_exchange(rank, name, exchange, comm, {const_cast<void*>(out), out_count, out_type},
                        {in, in_count, in_type}, request,
                        [&](int towards, int from, int with, MPI_Request* own) {
                          return real(out, out_count, out_type, towards, out_tag, in, in_count,
                                      in_type, from, with, comm, own);
                        });
}

template <class Real, class Count>
int begin_replace(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, int to, int out_tag, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const Exchange exchange{rank.communicators().find(comm), to, out_tag, source, tag};
  const Buffer both{buffer, count, type};
  return begin_exchange(rank, name, exchange, comm, both, both, request,
                        [&](int towards, int from, int with, MPI_Request* own) {
                          return real(buffer, count, type, towards, out_tag, from, with, comm, own);
                        });
}
#endif

template <class Call>
int look_at(MpiProcess& rank, const char* name, Communicator& communicator,
            const MpiProcess::Aim& aim, MPI_Status* status, Call call) {
  must_come(rank, name, communicator, aim);
  MPI_Status own;
  const int result = rank.waiting(name, communicator, aim.source, aim.tag,
                                  [&] { return call(aim.source, aim.tag, &own); });
  if (rank.explored() != nullptr) rank.explored()->put_back(communicator, {aim.source, aim.tag});
  if (result != MPI_SUCCESS) return result;
  rank.found(name, communicator, *aim.receive, own);
  hand_over(own, status);
  return result;
}

/// Looks for a message, by a call that takes source, tag and status.
template <class Call>
int look(MpiProcess& rank, const char* name, Communicator& communicator, int source, int tag,
         MPI_Status* status, Call call) {
  const MpiProcess::Aim aim = explored_aim(rank, name, communicator, source, tag);
  return look_at(rank, name, communicator, aim, status, call);
}

template <class Real>
int probe(MpiProcess& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
          MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || !is_usable(status)) {
    return real(source, tag, comm, status);
  }
  const auto call = [&](int from, int with, MPI_Status* own) {
    return real(from, with, comm, own);
  };
  const int error = refusal(rank, [&](int from, auto* own) { return call(from, tag, own); });
  if (error != MPI_SUCCESS) return error;
  return look(rank, name, *communicator, source, tag, status, call);
}

template <class Real>
int poll_probe(MpiProcess& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
               int* flag, MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || flag == nullptr || !is_usable(status)) {
    return real(source, tag, comm, flag, status);
  }
  const int error =
      refusal(rank, [&](int from, auto* own) { return real(from, tag, comm, flag, own); });
  if (error != MPI_SUCCESS) return error;
  const auto look_now = [&](int from, int with, MPI_Status* own) {
    return LIGHTCONE_REAL(Probe)(from, with, comm, own);
  };
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return pass_poll();
    return look(rank, name, *communicator, source, tag, status, look_now);
  }
  if (ExploredProcess* const explored = rank.explored()) {
    const auto channel = explored->take(name, *communicator, source, tag, true);
    *flag = rank.enter_poll(channel.has_value()) ? 1 : 0;
    if (!channel) return MPI_SUCCESS;
    const MpiProcess::Aim aim = aim_at(rank, source, tag, channel);
    return look_at(rank, name, *communicator, aim, status, look_now);
  }
  MPI_Status own;
  const int result = real(source, tag, comm, flag, &own);
  if (result != MPI_SUCCESS || !rank.enter_poll(*flag != 0)) return result;
  rank.found(name, *communicator, *rank.aim(source, tag).receive, own);
  hand_over(own, status);
  return result;
}

/// A message that is taken out of the queue has been matched: there is only no buffer for it yet.
void keep_taken(MpiProcess& rank, Communicator& communicator,
                const std::shared_ptr<Receive>& receive, MPI_Message message,
                const MPI_Status& status) {
  rank.matched(communicator, *receive, status);
  if (ExploredProcess* const explored = rank.explored()) {
    receive->matched = explored->match(communicator, *receive->channel);
  }
  taken[key_of(message)] = {&communicator, receive};
}

template <class Call>
int take_out_at(MpiProcess& rank, const char* name, Communicator& communicator,
                const MpiProcess::Aim& aim, MPI_Message* message, MPI_Status* status, Call call) {
  must_come(rank, name, communicator, aim);
  if (!communicator.posted.empty()) MpiProcess::post(communicator, aim.receive);
  MPI_Status own;
  const int result = rank.waiting(name, communicator, aim.source, aim.tag,
                                  [&] { return call(aim.source, aim.tag, &own); });
  if (result != MPI_SUCCESS) return result;
  keep_taken(rank, communicator, aim.receive, *message, own);
  hand_over(own, status);
  return result;
}

template <class Call>
int take_out(MpiProcess& rank, const char* name, Communicator& communicator, int source, int tag,
             MPI_Message* message, MPI_Status* status, Call call) {
  const MpiProcess::Aim aim = explored_aim(rank, name, communicator, source, tag);
  return take_out_at(rank, name, communicator, aim, message, status, call);
}

template <class Real>
int take_probe(MpiProcess& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
               MPI_Message* message, MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || message == nullptr || !is_usable(status)) {
    return real(source, tag, comm, message, status);
  }
  const auto call = [&](int from, int with, MPI_Status* own) {
    return real(from, with, comm, message, own);
  };
  const int error = refusal(rank, [&](int from, auto* own) { return call(from, tag, own); });
  if (error != MPI_SUCCESS) return error;
  return take_out(rank, name, *communicator, source, tag, message, status, call);
}

template <class Real>
int poll_take_probe(MpiProcess& rank, const char* name, Real real, int source, int tag,
                    MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || flag == nullptr || message == nullptr ||
      !is_usable(status)) {
    return real(source, tag, comm, flag, message, status);
  }
  const int error =
      refusal(rank, [&](int from, auto* own) { return real(from, tag, comm, flag, message, own); });
  if (error != MPI_SUCCESS) return error;
  const auto take_now = [&](int from, int with, MPI_Status* own) {
    return LIGHTCONE_REAL(Mprobe)(from, with, comm, message, own);
  };
  if (rank.replays()) {
    *flag = rank.recorded_poll(name) ? 1 : 0;
    if (*flag == 0) return pass_poll();
    return take_out(rank, name, *communicator, source, tag, message, status, take_now);
  }
  if (ExploredProcess* const explored = rank.explored()) {
    const auto channel = explored->take(name, *communicator, source, tag, true);
    *flag = rank.enter_poll(channel.has_value()) ? 1 : 0;
    if (!channel) return MPI_SUCCESS;
    const MpiProcess::Aim aim = aim_at(rank, source, tag, channel);
    return take_out_at(rank, name, *communicator, aim, message, status, take_now);
  }
  MPI_Status own;
  const int result = real(source, tag, comm, flag, message, &own);
  if (result != MPI_SUCCESS || !rank.enter_poll(*flag != 0)) return result;
  const MpiProcess::Aim aim = rank.aim(source, tag);
  if (!communicator->posted.empty()) MpiProcess::post(*communicator, aim.receive);
  keep_taken(rank, *communicator, aim.receive, *message, own);
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
void acknowledge_taken(MpiProcess& rank, const Communicator& communicator, const Receive& receive) {
  if (rank.explored() == nullptr) return;
  rank.explored()->acknowledge(communicator, *receive.channel, receive.matched);
}

template <class Real, class Count>
int receive_taken(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  if (message == nullptr || !is_usable(status)) return real(buffer, count, type, message, status);
  const auto [communicator, receive] = receive_of(*message);
  if (communicator == nullptr) return real(buffer, count, type, message, status);
  const MPI_Message handle = *message;
  MPI_Status own;
  own.MPI_SOURCE = MPI_ANY_SOURCE;
  const int result = real(buffer, count, type, message, &own);
  if (result != MPI_SUCCESS && own.MPI_SOURCE < 0) {  // it is still there
    taken[key_of(handle)] = {communicator, receive};
    return result;
  }
  acknowledge_taken(rank, *communicator, *receive);
  rank.received(name, *communicator, receive, own);
  hand_over(own, status);
  return result;
}

template <class Real, class Count>
int begin_receive_taken(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                        MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  if (message == nullptr || request == nullptr) return real(buffer, count, type, message, request);
  const MPI_Message handle = *message;
  const auto [communicator, receive] = receive_of(handle);
  const int result = real(buffer, count, type, message, request);
  if (communicator == nullptr) return result;
  if (result != MPI_SUCCESS) taken[key_of(handle)] = {communicator, receive};
  if (result != MPI_SUCCESS) return result;
  acknowledge_taken(rank, *communicator, *receive);
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
