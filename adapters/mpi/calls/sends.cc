// Sends: each is an event, at the call.
#include <type_traits>
#include <utility>

#include "answers/answers.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

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

[[nodiscard]] MPI_Request* request_of() { return nullptr; }
[[nodiscard]] MPI_Request* request_of(MPI_Request* request) { return request; }

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

template <bool standard, class Real, class Count, class... Rest>
int send(MpiProcess& rank, const char* call, Real real, const void* buffer, Count count,
         MPI_Datatype type, int to, int tag, MPI_Comm comm, Rest... rest) {
  Communicator* const communicator = rank.communicators().find(comm);
  if (communicator == nullptr || !communicator->has(to) || tag < 0 || !is_there(rest...)) {
    return real(buffer, count, type, to, tag, comm, rest...);
  }
  const int error = refusal(rank, real, buffer, count, type, tag, comm, rest...);
  if (error != MPI_SUCCESS) return error;
  Sending sending{call, communicator, comm, to, tag};
  sending.data = {const_cast<void*>(buffer), static_cast<MPI_Count>(count), type};
  sending.standard = standard;
  const auto by = [&](Real function) {
    return function(buffer, count, type, to, tag, comm, rest...);
  };
  return rank.answers().send(
      sending, request_of(rest...), [&] { return by(real); },
      [&] { return by(synchronous<Real>()); });
}

template <class Real, class Count>
int make_send(MpiProcess& rank, const char* call, Real real, const void* buffer, Count count,
              MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  Communicator* const communicator = rank.communicators().find(comm);
  const bool is_known = communicator != nullptr && communicator->has(to);
  const int peer = is_known ? rank.answers().peer_of_made(to) : to;
  const int result = real(buffer, count, type, peer, tag, comm, request);
  if (result != MPI_SUCCESS || !is_known) return result;
  Request made{.what = Request::What::send, .call = call, .communicator = communicator};
  made.persistent = true;
  made.active = false;
  made.rank = to;
  made.tag = tag;
  made.buffer = const_cast<void*>(buffer);
  made.count = count;
  // The program may give the type up before the request.
  made.places = std::make_shared<KeptPlaces>(
      std::vector<Buffer>{{const_cast<void*>(buffer), static_cast<MPI_Count>(count), type}});
  made.type = made.places->buffers.front().type;
  made.comm = comm;
  rank.requests().add(*request, std::move(made));
  return result;
}

}  // namespace
}  // namespace lightcone::mpi

#define SEND_STANDARD(name, count) LIGHTCONE_WRAP(name, count, (::lightcone::mpi::send<true>))
#define SEND(name, count) LIGHTCONE_WRAP(name, count, (::lightcone::mpi::send<false>))
#define MAKE_SEND(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::make_send)
LIGHTCONE_MPI_STANDARD_SENDS(SEND_STANDARD)
LIGHTCONE_MPI_OTHER_SENDS(SEND)
LIGHTCONE_MPI_BEGUN_STANDARD_SENDS(SEND_STANDARD)
LIGHTCONE_MPI_BEGUN_OTHER_SENDS(SEND)
LIGHTCONE_MPI_PERSISTENT_SENDS(MAKE_SEND)
