// Requests: if a call does not wait for all its requests, which of them are complete is a choice.
#include "answers/answers.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

/// Whether all that a call is to fill in has a place. What has none goes to the MPI as it is.
template <class... Pointers>
[[nodiscard]] bool are_there(Pointers... pointers) {
  return ((pointers != nullptr) && ...);
}
[[nodiscard]] bool has_place(const MPI_Status* status) {
  return status != nullptr || MPI_STATUS_IGNORE == nullptr;
}
[[nodiscard]] bool has_requests(int count, const MPI_Request* requests,
                                const MPI_Status* statuses) {
  return count == 0 || (count > 0 && requests != nullptr && has_place(statuses));
}

template <class Real>
int wait(MpiProcess& rank, const char* name, Real real, MPI_Request* request, MPI_Status* status) {
  if (request == nullptr || !has_place(status)) return real(request, status);
  return rank.answers().wait(name, request, status);
}

template <class Real>
int wait_all(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses)) return real(count, requests, statuses);
  return rank.answers().wait_all(name, count, requests, statuses);
}

template <class Real>
int wait_any(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             int* index, MPI_Status* status) {
  if (!has_requests(count, requests, status) || !are_there(index)) {
    return real(count, requests, index, status);
  }
  return rank.answers().wait_any(name, count, requests, index, status);
}

template <class Real>
int wait_some(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
              int* outcount, int* indices, MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses) || !are_there(outcount, indices)) {
    return real(count, requests, outcount, indices, statuses);
  }
  return rank.answers().wait_some(name, count, requests, outcount, indices, statuses);
}

template <class Real>
int test(MpiProcess& rank, const char* name, Real real, MPI_Request* request, int* flag,
         MPI_Status* status) {
  if (!are_there(request, flag) || !has_place(status) || *request == MPI_REQUEST_NULL) {
    return real(request, flag, status);
  }
  return rank.answers().test(name, request, flag, status);
}

template <class Real>
int test_all(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             int* flag, MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses) || !are_there(flag)) {
    return real(count, requests, flag, statuses);
  }
  return rank.answers().test_all(name, count, requests, flag, statuses);
}

template <class Real>
int test_any(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
             int* index, int* flag, MPI_Status* status) {
  if (!has_requests(count, requests, status) || !are_there(index, flag)) {
    return real(count, requests, index, flag, status);
  }
  return rank.answers().test_any(name, count, requests, index, flag, status);
}

template <class Real>
int test_some(MpiProcess& rank, const char* name, Real real, int count, MPI_Request* requests,
              int* outcount, int* indices, MPI_Status* statuses) {
  if (!has_requests(count, requests, statuses) || !are_there(outcount, indices)) {
    return real(count, requests, outcount, indices, statuses);
  }
  return rank.answers().test_some(name, count, requests, outcount, indices, statuses);
}

template <class Real>
int get_status(MpiProcess& rank, const char* name, Real real, MPI_Request handle, int* flag,
               MPI_Status* status) {
  if (handle == MPI_REQUEST_NULL || !are_there(flag) || !has_place(status)) {
    return real(handle, flag, status);
  }
  return rank.answers().get_status(name, handle, flag, status);
}

}  // namespace
}  // namespace lightcone::mpi

#define COMPLETION(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_COMPLETIONS(COMPLETION)
