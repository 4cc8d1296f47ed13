// Windows of memory: what makes and frees them, and what synchronises processes by them.
#include <array>
#include <tuple>

#include "answers/answers.h"
#include "calls/fetches.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

template <int comm_at, class Real, class... Arguments>
int make_window(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const std::tuple<Arguments...> all(arguments...);
  MPI_Win* const window = std::get<sizeof...(arguments) - 1>(all);
  if (window == nullptr) return real(arguments...);
  return rank.answers().make_window(call, std::get<comm_at>(all), window,
                                    [&] { return real(arguments...); });
}

template <int comm_at, class Real, class... Arguments>
int make_shared_window(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  refuse_unrecorded(rank, call);
  return make_window<comm_at>(rank, call, real, arguments...);
}

template <class Real>
int free_window(MpiProcess& rank, const char* call, Real real, MPI_Win* window) {
  if (window == nullptr) return real(window);
  return rank.answers().free_window(call, window, [&] { return real(window); });
}

template <class Real>
int synchronise_group(MpiProcess& rank, const char* call, Real real, MPI_Group group, int hints,
                      MPI_Win window) {
  return rank.answers().synchronise(call, window, group,
                                    [&] { return real(group, hints, window); });
}

/// The window is the last parameter.
template <class Real, class... Arguments>
int synchronise_by(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const MPI_Win window = std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
  return rank.answers().synchronise(call, window, MPI_GROUP_NULL,
                                    [&] { return real(arguments...); });
}

template <class Real>
int test_window(MpiProcess& rank, const char* call, Real real, MPI_Win window, int* flag) {
  if (flag == nullptr || !rank.answers().keeps_more()) return real(window, flag);
  return rank.answers().test_window(call, window, flag);
}

/// What is put comes first: an address, a count and a type; then the rank that it goes to.
template <class... Arguments>
int note_put(MpiProcess& rank, const char* call, int result, const std::tuple<Arguments...>& all) {
  if (result != MPI_SUCCESS || std::get<3>(all) == MPI_PROC_NULL) return result;
  note_access(rank, call,
              std::array{Buffer{const_cast<void*>(std::get<0>(all)),
                                static_cast<MPI_Count>(std::get<1>(all)), std::get<2>(all)}});
  return result;
}

template <class Real, class... Arguments>
int put(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const int result = rank.answers().access([&] { return real(arguments...); });
  return note_put(rank, call, result, std::tuple(arguments...));
}

template <class Real, class... Arguments>
int begin_put(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  MPI_Request* const request = std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
  const int result = rank.answers().begin_access(request, [&] { return real(arguments...); });
  return note_put(rank, call, result, std::tuple(arguments...));
}

}  // namespace
}  // namespace lightcone::mpi

#define WINDOW_MAKER(name, count, comm_at, handler) \
  LIGHTCONE_WRAP(name, count, (::lightcone::mpi::handler<comm_at>))
#define WINDOW_CALL(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_WINDOW_MAKERS(WINDOW_MAKER)
LIGHTCONE_MPI_WINDOW_CALLS(WINDOW_CALL)
LIGHTCONE_MPI_PUTS(WINDOW_CALL)
LIGHTCONE_MPI_BEGUN_PUTS(WINDOW_CALL)
