// Receives and probes: a wildcard is a choice. A replay asks for what was recorded instead.
#include "calls/receives.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "answers/answers.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

/// Messages that were taken by a probe, and not received yet.
tsl::robin_map<std::uint64_t, TakenMessage> taken;

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
  const Receiving receiving{name, communicator, comm, source, tag, {buffer, count, type}};
  return rank.answers().receive(receiving, status, call);
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
  const Receiving receiving{name, communicator, comm, source, tag, {buffer, count, type}};
  return rank.answers().begin_receive(receiving, request, call);
}

template <class Real, class Count>
int make_receive(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                 MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  Communicator* const communicator = rank.communicators().find(comm);
  const bool is_known = can_receive(communicator, source, tag);
  const int from = is_known ? rank.answers().peer_of_made(source) : source;
  const int result = real(buffer, count, type, from, tag, comm, request);
  if (result != MPI_SUCCESS || !is_known) return result;
  Request made{.what = Request::What::receive, .call = name, .communicator = communicator};
  made.comm = comm;
  made.persistent = true;
  made.active = false;
  made.rank = source;
  made.tag = tag;
  made.buffer = buffer;
  made.count = count;
  made.places = std::make_shared<KeptPlaces>(std::vector<Buffer>{{buffer, count, type}});
  made.type = made.places->buffers.front().type;  // the program may give its own up
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

/// The send of an exchange; MPI_PROC_NULL gets nothing.
[[nodiscard]] Sending sending_of(const char* name, const Exchange& exchange, MPI_Comm comm,
                                 const Buffer& data) {
  return {name, exchange.communicator, comm, exchange.to, exchange.out_tag, data};
}

/// Exchanges by a call that takes the receiver, the sender, the tag and a status.
template <class Call>
int exchange_now(MpiProcess& rank, const char* name, const Exchange& exchange, MPI_Comm comm,
                 const Buffer& out, const Buffer& in, MPI_Status* status, Call call) {
  const auto as_it_is = [&] { return call(exchange.to, exchange.source, exchange.tag, status); };
  if (!exchange.is_possible() || !is_usable(status)) return as_it_is();
  const int error = refusal(
      rank, [&](int from, auto* own) { return call(MPI_PROC_NULL, from, exchange.tag, own); });
  if (error != MPI_SUCCESS) return error;
  const bool sends = exchange.to != MPI_PROC_NULL;
  const Sending sending = sending_of(name, exchange, comm, out);
  const auto to = sends ? rank.answers().send_beside(sending) : std::optional(exchange.to);
  if (!to) return as_it_is();
  const Receiving receiving{name, exchange.communicator, comm, exchange.source, exchange.tag, in,
                            sends};
  const int result =
      exchange.source == MPI_PROC_NULL
          ? call(*to, exchange.source, exchange.tag, status)
          : rank.answers().receive(receiving, status, [&](int from, int with, MPI_Status* own) {
              return call(*to, from, with, own);
            });
  if (sends) rank.answers().end_beside(sending);
  return result;
}

template <class Real, class Count, class ReceiveCount>
int send_and_receive(MpiProcess& rank, const char* name, Real real, const void* out,
                     Count out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                     ReceiveCount in_count, MPI_Datatype in_type, int source, int tag,
                     MPI_Comm comm, MPI_Status* status) {
  const Exchange exchange{rank.communicators().find(comm), to, out_tag, source, tag};
  const Buffer data{const_cast<void*>(out), out_count, out_type};
  return exchange_now(rank, name, exchange, comm, data, {in, in_count, in_type}, status,
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
  const Buffer both{buffer, count, type};
  return exchange_now(rank, name, exchange, comm, both, both, status,
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
  const bool sends = exchange.to != MPI_PROC_NULL;
  const Sending sending = sending_of(name, exchange, comm, out);
  const auto to = sends ? rank.answers().send_beside(sending) : std::optional(exchange.to);
  if (!to) return as_it_is();
  if (exchange.source == MPI_PROC_NULL) return call(*to, exchange.source, exchange.tag, request);
  const Receiving receiving{name, exchange.communicator, comm, exchange.source, exchange.tag, in,
                            sends};
  const int result = rank.answers().begin_receive(
      receiving, request,
      [&](int from, int with, MPI_Request* own) { return call(*to, from, with, own); });
  if (!sends) return result;
  const SentMessage sent = rank.answers().begun_beside(sending);
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

template <class Real>
int probe(MpiProcess& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
          MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || !is_usable(status)) {
    return real(source, tag, comm, status);
  }
  const int error = refusal(rank, [&](int from, auto* own) { return real(from, tag, comm, own); });
  if (error != MPI_SUCCESS) return error;
  return rank.answers().probe({name, communicator, comm, source, tag}, status);
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
  return rank.answers().poll_probe({name, communicator, comm, source, tag}, flag, status);
}

template <class Real>
int take_probe(MpiProcess& rank, const char* name, Real real, int source, int tag, MPI_Comm comm,
               MPI_Message* message, MPI_Status* status) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (!can_receive(communicator, source, tag) || message == nullptr || !is_usable(status)) {
    return real(source, tag, comm, message, status);
  }
  const int error =
      refusal(rank, [&](int from, auto* own) { return real(from, tag, comm, message, own); });
  if (error != MPI_SUCCESS) return error;
  TakenMessage out;
  const int result =
      rank.answers().take_probe({name, communicator, comm, source, tag}, message, out, status);
  if (out.communicator != nullptr) taken[key_of(*message)] = out;
  return result;
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
  TakenMessage out;
  const int result = rank.answers().poll_take_probe({name, communicator, comm, source, tag}, flag,
                                                    message, out, status);
  if (out.communicator != nullptr) taken[key_of(*message)] = out;
  return result;
}

[[nodiscard]] TakenMessage receive_of(MPI_Message message) {
  const auto place = taken.find(key_of(message));
  if (place == taken.end()) return {};
  const TakenMessage found = place->second;
  taken.erase(place);
  return found;
}

template <class Real, class Count>
int receive_taken(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                  MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  if (message == nullptr || !is_usable(status)) return real(buffer, count, type, message, status);
  const TakenMessage out = receive_of(*message);
  if (out.communicator == nullptr) return real(buffer, count, type, message, status);
  const MPI_Message handle = *message;
  bool is_still_there = false;
  const int result = rank.answers().receive_taken(
      name, out, {buffer, count, type}, message, status, is_still_there,
      [&](MPI_Status* own) { return real(buffer, count, type, message, own); });
  if (is_still_there) taken[key_of(handle)] = out;
  return result;
}

template <class Real, class Count>
int begin_receive_taken(MpiProcess& rank, const char* name, Real real, void* buffer, Count count,
                        MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  if (message == nullptr || request == nullptr) return real(buffer, count, type, message, request);
  const MPI_Message handle = *message;
  const TakenMessage out = receive_of(handle);
  const auto call = [&] { return real(buffer, count, type, message, request); };
  if (out.communicator == nullptr) return call();
  const int result =
      rank.answers().begin_receive_taken(name, out, {buffer, count, type}, message, request, call);
  if (result != MPI_SUCCESS) taken[key_of(handle)] = out;
  return result;
}

/// One of the MPI's, where its handles have something behind them, or a number that no other
/// message has.
template <class Message>
[[nodiscard]] int make_name(Message* message) {
  if constexpr (std::is_pointer_v<Message>) {
    MPI_Request request = MPI_REQUEST_NULL;
    LIGHTCONE_REAL(Isend)(nullptr, 0, MPI_BYTE, 0, 0, quiet_comm(), &request);
    const int result = LIGHTCONE_REAL(Mprobe)(0, 0, quiet_comm(), message, MPI_STATUS_IGNORE);
    LIGHTCONE_REAL(Wait)(&request, MPI_STATUS_IGNORE);
    return result;
  } else {
    static Message last = 0x10000000;
    *message = ++last;
    return MPI_SUCCESS;
  }
}

template <class Message>
void unmake_name(Message* message) {
  if constexpr (std::is_pointer_v<Message>) {
    LIGHTCONE_REAL(Mrecv)(nullptr, 0, MPI_BYTE, message, MPI_STATUS_IGNORE);
  } else {
    *message = MPI_MESSAGE_NULL;
  }
}

}  // namespace

int name_only(MPI_Message* message) { return make_name(message); }

void end_name(MPI_Message* message) { unmake_name(message); }

void name_only(Request& request, MPI_Request* handle) {
  LIGHTCONE_REAL(Recv_init)(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, handle);
  request.is_name = true;
}

int make_progress() {
  int flag = 0;
  return LIGHTCONE_REAL(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag,
                                MPI_STATUS_IGNORE);
}

void make_over(MPI_Comm comm, MPI_Request* request) {
  LIGHTCONE_REAL(Isend)(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
}

}  // namespace lightcone::mpi

#define RECEIVE(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_RECEIVES(RECEIVE)
LIGHTCONE_MPI_LARGE_RECEIVES(RECEIVE)
