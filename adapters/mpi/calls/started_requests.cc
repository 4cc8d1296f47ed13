// Persistent requests, which are started several times, and requests that are given up.
#include "answers/answers.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

template <class Real>
int start(MpiProcess& rank, const char* name, Real real, MPI_Request* handle) {
  Request* const request = handle == nullptr ? nullptr : rank.requests().find(*handle);
  if (request == nullptr || !request->persistent) return real(handle);
  if (request->active) return rank.answers().start_again(*request, [&] { return real(handle); });
  if (request->what == Request::What::receive) {
    return rank.answers().start_receive(*request, handle);
  }
  return rank.answers().start_send(name, *request, handle);
}

template <class Real>
int start_all(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* handles) {
  if (count < 0 || handles == nullptr) return real(count, handles);
  for (int i = 0; i < count; ++i) {
    const int result = start(rank, name, LIGHTCONE_REAL(Start), &handles[i]);
    if (result != MPI_SUCCESS) return result;
  }
  return MPI_SUCCESS;
}

template <class Real>
int cancel(MpiProcess& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = handle == nullptr ? nullptr : rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  return rank.answers().cancel(*request, [&] { return real(handle); });
}

template <class Real>
int free_request(MpiProcess& rank, const char*, Real real, MPI_Request* handle) {
  Request* const request = handle == nullptr ? nullptr : rank.requests().find(*handle);
  if (request == nullptr) return real(handle);
  return rank.answers().free_request(*request, handle, [&] { return real(handle); });
}

}  // namespace
}  // namespace lightcone::mpi

#define STARTED(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_STARTED(STARTED)
