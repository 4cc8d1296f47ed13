// Sends: each is an event, at the call.
#include <string_view>
#include <type_traits>
#include <utility>

#include "calls/packed_message.h"
#include "calls/receives.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

/// If a copy of a message is sent, the program gets a request that is complete.
void make_over(MPI_Comm comm, MPI_Request* request) {
  LIGHTCONE_REAL(Isend)(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
}

/// Where the process is explored: waits for the receive, or makes a request that does.
void end_at_receive(MpiProcess& rank, const char* call, SentMessage sent) {
  static_cast<void>(rank.explored()->await_receive(call, sent, false));
}
void end_at_receive(MpiProcess& rank, const char* call, SentMessage sent, MPI_Request* handle) {
  Request made{.what = Request::What::send, .call = call, .communicator = sent.communicator};
  made.sent = sent;
  name_only(made, handle);
  rank.requests().add(*handle, std::move(made));
}

/// Returns whether the MPI refuses such a send to any rank. If errors are returned, this must be
/// known before there is an event: a send to MPI_PROC_NULL asks the MPI.
template <class Real, class Count, class... Rest>
int refusal(MpiProcess& rank, Real real, const void* buffer, Count count, MPI_Datatype type,
            int tag, MPI_Comm comm, Rest...) {
  if (!rank.errors_return()) return MPI_SUCCESS;
  if constexpr (sizeof...(Rest) == 0) {
    return real(buffer, count, type, MPI_PROC_NULL, tag, comm);
  } else {
    MPI_Request none = MPI_REQUEST_NULL;
    const int result = real(buffer, count, type, MPI_PROC_NULL, tag, comm, &none);
    if (result == MPI_SUCCESS) LIGHTCONE_REAL(Wait)(&none, MPI_STATUS_IGNORE);
    return result;
  }
}

/// Returns whether a request has a place, where there is one.
[[nodiscard]] bool is_there() { return true; }
[[nodiscard]] bool is_there(const MPI_Request* request) { return request != nullptr; }

template <class Real, class Count, class... Rest>
int send(MpiProcess& rank, const char* call, Real real, const void* buffer, Count count,
         MPI_Datatype type, int to, int tag, MPI_Comm comm, Rest... rest) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (communicator == nullptr || !communicator->has(to) || tag < 0 || !is_there(rest...)) {
    return real(buffer, count, type, to, tag, comm, rest...);
  }
  const int error = refusal(rank, real, buffer, count, type, tag, comm, rest...);
  if (error != MPI_SUCCESS) return error;
  if (ExploredProcess* const explored = rank.explored()) {
    auto copy = pack(buffer, count, type);
    if (!copy) return real(buffer, count, type, to, tag, comm, rest...);
    rank.sent(call, *communicator, to, tag);
    const int result = explored->send(std::move(*copy), *communicator, to, tag, comm);
    const SentMessage sent = explored->sent(call, *communicator, to, tag);
    if (sent.communicator != nullptr) {
      end_at_receive(rank, call, sent, rest...);
    } else {
      (make_over(comm, rest), ...);
    }
    return result;
  }
  rank.sent(call, *communicator, to, tag);
  const auto call_real = [&] { return real(buffer, count, type, to, tag, comm, rest...); };
  const bool waits = rank.unbuffered() || std::string_view(call).starts_with("MPI_Ssend");
  if (sizeof...(rest) != 0 || !waits) return call_real();
  return rank.waiting(call, *communicator, to, tag, call_real);
}

/// The call that waits for its receive, in place of a standard one.
template <class Real>
[[nodiscard]] Real synchronous() {
#if MPI_VERSION >= 4
  if constexpr (std::is_same_v<Real, decltype(&PMPI_Send_c)>) return LIGHTCONE_REAL(Ssend_c);
  if constexpr (std::is_same_v<Real, decltype(&PMPI_Isend_c)>) return LIGHTCONE_REAL(Issend_c);
#endif
  if constexpr (std::is_same_v<Real, decltype(&PMPI_Send)>) return LIGHTCONE_REAL(Ssend);
  if constexpr (std::is_same_v<Real, decltype(&PMPI_Isend)>) return LIGHTCONE_REAL(Issend);
}

/// A plain send, which a replay may tell to be slower.
template <class Real, class Count, class... Rest>
int send_standard(MpiProcess& rank, const char* call, Real real, const void* buffer, Count count,
                  MPI_Datatype type, int to, int tag, MPI_Comm comm, Rest... rest) {
  if (rank.replays() && rank.unbuffered()) {
    return send(rank, call, synchronous<Real>(), buffer, count, type, to, tag, comm, rest...);
  }
  Communicator* const communicator = rank.replays() ? rank.communicators().find(comm) : nullptr;
  if (communicator == nullptr || !communicator->has(to) || tag < 0 || !is_there(rest...) ||
      !rank.throttle().is_due(communicator->world_rank(to))) {
    return send(rank, call, real, buffer, count, type, to, tag, comm, rest...);
  }
  auto copy = pack(buffer, count, type);
  if (!copy) return send(rank, call, real, buffer, count, type, to, tag, comm, rest...);
  rank.sent(call, *communicator, to, tag);
  (make_over(comm, rest), ...);
  const GoesOn goes_on;
  return rank.throttle().send(std::move(*copy), communicator->world_rank(to), to, tag, comm);
}

template <class Real, class Count>
int make_send(MpiProcess& rank, const char* call, Real real, const void* buffer, Count count,
              MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = real(buffer, count, type, to, tag, comm, request);
  Communicator* const communicator = rank.communicators().find(comm);
  if (result != MPI_SUCCESS || communicator == nullptr || !communicator->has(to)) return result;
  Request made{.what = Request::What::send, .call = call, .communicator = communicator};
  made.persistent = true;
  made.active = false;
  made.rank = to;
  made.tag = tag;
  made.buffer = const_cast<void*>(buffer);
  made.count = count;
  made.type = type;
  made.comm = comm;
  rank.requests().add(*request, std::move(made));
  return result;
}

}  // namespace
}  // namespace lightcone::mpi

#define SEND_STANDARD(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::send_standard)
#define SEND(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::send)
#define MAKE_SEND(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::make_send)
LIGHTCONE_MPI_STANDARD_SENDS(SEND_STANDARD)
LIGHTCONE_MPI_OTHER_SENDS(SEND)
LIGHTCONE_MPI_BEGUN_STANDARD_SENDS(SEND_STANDARD)
LIGHTCONE_MPI_BEGUN_OTHER_SENDS(SEND)
LIGHTCONE_MPI_PERSISTENT_SENDS(MAKE_SEND)
