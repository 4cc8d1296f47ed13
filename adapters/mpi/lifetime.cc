// Beginning and end of a process, its communicators' own calls, clocks, and labels of the program.
#include <lightcone/mpi.h>

#include <cstdarg>
#include <cstdio>

#include "windows.h"
#include "wrapping.h"

namespace lightcone::mpi {
namespace {

template <class Real>
int begin_duplicate(Rank& rank, const char* call, Real real, MPI_Comm comm, MPI_Comm* made,
                    MPI_Request* request) {
  Communicator& parent = rank.communicators().of(comm);
  const int result = real(comm, made, request);
  if (result != MPI_SUCCESS) return result;
  Request duplicate{.what = Request::What::communicator, .call = call, .communicator = &parent};
  duplicate.made = made;
  duplicate.name = parent.name() + '.' + std::to_string(++parent.creations);
  if (Explored* const explored = rank.explored()) {
    duplicate.collective = {call, &parent, Flow::all, 0, parent.creations, 0, "#dup"};
    explored->begin_meeting(duplicate.collective);
  }
  rank.requests().add(*request, std::move(duplicate));
  return result;
}

template <class Real>
int create_group(Rank& rank, const char*, Real real, MPI_Comm comm, MPI_Group group, int tag,
                 MPI_Comm* made) {
  const int result = real(comm, group, tag, made);
  if (result == MPI_SUCCESS) {
    rank.communicators().made_by_members("group" + std::to_string(tag), *made);
  }
  return result;
}

template <class Real>
int create_intercommunicator(Rank& rank, const char*, Real real, MPI_Comm comm, int leader,
                             MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made) {
  const int result = real(comm, leader, peer, remote_leader, tag, made);
  if (result == MPI_SUCCESS) {
    rank.communicators().made_by_members("inter" + std::to_string(tag), *made);
  }
  return result;
}

template <class Real>
int free_communicator(Rank& rank, const char*, Real real, MPI_Comm* comm) {
  rank.communicators().forget(*comm);
  return real(comm);
}

template <class Real, class... Arguments>
int refuse_spawn(Rank&, const char* call, Real, Arguments...) {
  Rank::refuse_exploration(std::string(call) + ": processes that are started later");
  std::fprintf(stderr, "lightcone: %s: processes that are started later cannot be recorded\n",
               call);
  Rank::end(false);
  return LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
}

template <class Real>
int abort_all(Rank&, const char*, Real real, MPI_Comm comm, int code) {
  Rank::end(false);
  return real(comm, code);
}

/// What is fetched from windows is there when the operations on the window are complete.
struct Fetch {
  void* to = nullptr;
  std::size_t size = 0;
};
tsl::robin_map<std::uint64_t, std::vector<Fetch>> fetches;  // by window

void expect_fetch(MPI_Win window, void* to, MPI_Datatype type, int count) {
  int size = 0;
  LIGHTCONE_REAL(Type_size)(type, &size);
  fetches[key_of(window)].push_back(
      {to, static_cast<std::size_t>(size) * static_cast<unsigned>(count)});
}

template <class Real>
int fetch_and_op(Rank&, const char*, Real real, const void* from, void* to, MPI_Datatype type,
                 int target, MPI_Aint at, MPI_Op operation, MPI_Win window) {
  if (target != MPI_PROC_NULL) expect_fetch(window, to, type, 1);
  return real(from, to, type, target, at, operation, window);
}

template <class Real>
int compare_and_swap(Rank&, const char*, Real real, const void* from, const void* compared,
                     void* to, MPI_Datatype type, int target, MPI_Aint at, MPI_Win window) {
  if (target != MPI_PROC_NULL) expect_fetch(window, to, type, 1);
  return real(from, compared, to, type, target, at, window);
}

template <class Real>
int get_accumulate(Rank&, const char*, Real real, const void* from, int from_count,
                   MPI_Datatype from_type, void* to, int count, MPI_Datatype type, int target,
                   MPI_Aint at, int target_count, MPI_Datatype target_type, MPI_Op operation,
                   MPI_Win window) {
  if (target != MPI_PROC_NULL) expect_fetch(window, to, type, count);
  return real(from, from_count, from_type, to, count, type, target, at, target_count, target_type,
              operation, window);
}

/// The window is the last parameter of all calls that complete operations.
template <class Real, class... Arguments>
int complete_fetches(Rank& rank, const char* call, Real real, Arguments... arguments) {
  const MPI_Win window = std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
  const int result = synchronise(rank, call, window, [&] { return real(arguments...); });
  const auto place = fetches.find(key_of(window));
  if (place == fetches.end()) return result;
  const auto expected = std::move(place.value());
  fetches.erase(place);
  for (const Fetch& fetch : expected) rank.fetched(fetch.to, fetch.size);
  return result;
}

}  // namespace
}  // namespace lightcone::mpi

#define OTHER(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_OTHERS(OTHER)

using lightcone::mpi::Rank;

extern "C" {

int MPI_Init(int* count, char*** words) {
  const int result = LIGHTCONE_REAL(Init)(count, words);
  if (result == MPI_SUCCESS) Rank::begin(false);
  return result;
}

int MPI_Init_thread(int* count, char*** words, int required, int* provided) {
  const int result = LIGHTCONE_REAL(Init_thread)(count, words, required, provided);
  if (result == MPI_SUCCESS) Rank::begin(required == MPI_THREAD_MULTIPLE);
  return result;
}

int MPI_Finalize(void) {
  if (Rank* const rank = Rank::of_this_call()) {
    const Rank::Inside inside;
    Rank::end(true);
  }
  return LIGHTCONE_REAL(Finalize)();
}

double MPI_Wtime(void) {
  Rank* const rank = Rank::of_this_call();
  if (rank == nullptr) return LIGHTCONE_REAL(Wtime)();
  const Rank::Inside inside;
  return rank->clock();
}

int MPI_Pcontrol(const int level, ...) {
  if (Rank* const rank = Rank::of_this_call()) {
    const Rank::Inside inside;
    lightcone::mpi::RankEvent event{.labels = {"MPI_Pcontrol"}};
    event.own.labels.push_back("pcontrol:" + std::to_string(level));
    rank->add(std::move(event));
  }
  return MPI_SUCCESS;
}

void lightcone_mpi_event(const char* label) {
  Rank* const rank = Rank::of_this_call();
  if (rank == nullptr || label == nullptr) return;
  const Rank::Inside inside;
  lightcone::mpi::RankEvent event;
  event.own.labels.emplace_back(label);
  rank->add(std::move(event));
}

void lightcone_mpi_set(const char* variable, long long value) {
  Rank* const rank = Rank::of_this_call();
  if (rank == nullptr || variable == nullptr) return;
  const Rank::Inside inside;
  lightcone::mpi::RankEvent event;
  event.own.variables.emplace_back(variable, value);
  rank->add(std::move(event));
}

decltype(MPI_Init) PMPI_Init __attribute__((alias("MPI_Init")));
decltype(MPI_Init_thread) PMPI_Init_thread __attribute__((alias("MPI_Init_thread")));
decltype(MPI_Finalize) PMPI_Finalize __attribute__((alias("MPI_Finalize")));
decltype(MPI_Wtime) PMPI_Wtime __attribute__((alias("MPI_Wtime")));
decltype(MPI_Pcontrol) PMPI_Pcontrol __attribute__((alias("MPI_Pcontrol")));

}  // extern "C"
