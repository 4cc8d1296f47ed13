// Sends: each is an event, at the call.
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "receives.h"
#include "wrapping.h"

namespace lightcone::mpi {
namespace {

/// Whoever begins a send of which a copy is sent gets a request that is over.
void make_over(MPI_Comm comm, MPI_Request* request) {
  LIGHTCONE_REAL(Isend)(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
}

/// Where the process is explored: waits for the receive, or makes a request that does.
void end_at_receive(Rank& rank, const char* call, SentMessage sent) {
  static_cast<void>(rank.explored()->await_receive(call, sent, false));
}
void end_at_receive(Rank& rank, const char* call, SentMessage sent, MPI_Request* handle) {
  Request made{.what = Request::What::send, .call = call, .communicator = sent.communicator};
  made.sent = sent;
  name_only(made, handle);
  rank.requests().add(*handle, std::move(made));
}

template <class Real, class Count, class... Rest>
int send(Rank& rank, const char* call, Real real, const void* buffer, Count count,
         MPI_Datatype type, int to, int tag, MPI_Comm comm, Rest... rest) {
  if (to == MPI_PROC_NULL) return real(buffer, count, type, to, tag, comm, rest...);
  rank.sent(call, rank.communicators().of(comm), to, tag);
  if (Explored* const explored = rank.explored()) {
    const int result = explored->send(buffer, count, type, to, tag, comm);
    const SentMessage sent = explored->sent(call, rank.communicators().of(comm), to, tag);
    if (sent.communicator != nullptr) {
      end_at_receive(rank, call, sent, rest...);
    } else {
      (make_over(comm, rest), ...);
    }
    return result;
  }
  const auto call_real = [&] { return real(buffer, count, type, to, tag, comm, rest...); };
  const bool waits = rank.unbuffered() || std::string_view(call).starts_with("MPI_Ssend");
  if (sizeof...(rest) != 0 || !waits) return call_real();
  return rank.waiting(call, rank.communicators().of(comm), to, tag, call_real);
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
int send_standard(Rank& rank, const char* call, Real real, const void* buffer, Count count,
                  MPI_Datatype type, int to, int tag, MPI_Comm comm, Rest... rest) {
  if (rank.replays() && rank.unbuffered()) {
    return send(rank, call, synchronous<Real>(), buffer, count, type, to, tag, comm, rest...);
  }
  if (rank.replays() && to != MPI_PROC_NULL) {
    Communicator& communicator = rank.communicators().of(comm);
    const int in_world = communicator.world_rank(to);
    if (count <= std::numeric_limits<int>::max() && rank.throttle().is_due(in_world)) {
      rank.sent(call, communicator, to, tag);
      (make_over(comm, rest), ...);
      const GoesOn goes_on;
      return rank.throttle().send(buffer, static_cast<int>(count), type, in_world, to, tag, comm);
    }
  }
  return send(rank, call, real, buffer, count, type, to, tag, comm, rest...);
}

template <class Real, class Count>
int make_send(Rank& rank, const char* call, Real real, const void* buffer, Count count,
              MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = real(buffer, count, type, to, tag, comm, request);
  if (result != MPI_SUCCESS || to == MPI_PROC_NULL) return result;
  Request made{.what = Request::What::send, .call = call};
  made.communicator = &rank.communicators().of(comm);
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
