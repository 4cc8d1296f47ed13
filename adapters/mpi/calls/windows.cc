// Processes of a window come together to make it, to free it and at fences, as at collective
// operations. Post and start, complete and wait are messages. What locks decide is not explored.
#include "calls/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "calls/fetches.h"
#include "calls/receives.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

constexpr const char* left_out =
    "one-sided synchronisation: who gets a lock first, and who sees what was written";

/// A window as one of its processes sees it.
struct Window {
  std::string name;
  std::vector<int> others = {};      ///< its processes, by their ranks in the world
  std::int32_t meetings = 0;         ///< of all of them
  std::vector<int> accessed = {};    ///< the ranks of `MPI_Win_start`
  std::vector<int> exposed_to = {};  ///< the ranks of `MPI_Win_post`
  std::map<std::pair<std::string, int>, std::int32_t> told = {}, heard = {};  ///< so often
};
std::map<std::uint64_t, Window> windows;
std::map<const Communicator*, std::int32_t> made;

[[nodiscard]] std::vector<int> world_ranks(MPI_Group group) {
  int size = 0;
  LIGHTCONE_REAL(Group_size)(group, &size);
  MPI_Group world = MPI_GROUP_NULL;
  LIGHTCONE_REAL(Comm_group)(MPI_COMM_WORLD, &world);
  std::vector<int> ranks(static_cast<std::size_t>(size)), in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  LIGHTCONE_REAL(Group_translate_ranks)(group, size, ranks.data(), world, in_world.data());
  LIGHTCONE_REAL(Group_free)(&world);
  return in_world;
}

[[nodiscard]] Window* find(MPI_Win window) {
  const auto place = windows.find(key_of(window));
  return place == windows.end() ? nullptr : &place->second;
}

[[nodiscard]] Meeting meeting_at(Window& window, std::string_view call) {
  return {window.name, ++window.meetings, window.others, std::string(call), window.name};
}

/// Tells each of these processes, or waits until each has told.
void tell_each(ExploredProcess& explored, Window& window, const std::string& what,
               const std::vector<int>& ranks) {
  for (const int rank : ranks) {
    explored.tell({window.name + what, ++window.told[{what, rank}], {rank}, {}, {}});
  }
}
/// Takes those that have told out of `ranks`; a poll may leave some there.
void hear_each(ExploredProcess& explored, Window& window, const std::string& what, const char* call,
               std::vector<int>& ranks, bool polls) {
  while (!ranks.empty()) {
    const int rank = ranks.front();
    std::int32_t& heard = window.heard[{what, rank}];
    const Meeting told{window.name + what, heard + 1, {rank}, call, window.name};
    if (!explored.hear_from(told, rank, polls)) return;
    ++heard;
    ranks.erase(ranks.begin());
  }
}

template <int comm_at, class Real, class... Arguments>
int make_window(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  ExploredProcess* const explored = rank.explored();
  const std::tuple<Arguments...> all(arguments...);
  const Communicator* const communicator =
      explored == nullptr ? nullptr : rank.communicators().find(std::get<comm_at>(all));
  if (communicator == nullptr) return real(arguments...);
  Window window{fmt::format("{}#window{}", communicator->name(), ++made[communicator])};
  window.others = communicator->members();
  std::erase(window.others, rank.number());
  explored->leave_out(left_out);
  const int result = explored->meet(meeting_at(window, call), [&] { return real(arguments...); });
  if (result != MPI_SUCCESS) return result;
  const MPI_Win handle = *std::get<sizeof...(arguments) - 1>(all);
  windows.insert_or_assign(key_of(handle), std::move(window));
  return result;
}

template <int comm_at, class Real, class... Arguments>
int make_shared_window(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  refuse_unrecorded(rank, call);
  return make_window<comm_at>(rank, call, real, arguments...);
}

template <class Real>
int free_window(MpiProcess& rank, const char* call, Real real, MPI_Win* handle) {
  Window* const window = rank.explored() == nullptr || handle == nullptr ? nullptr : find(*handle);
  if (window == nullptr) return real(handle);
  const std::uint64_t key = key_of(*handle);
  const int result = rank.explored()->meet(meeting_at(*window, call), [&] { return real(handle); });
  windows.erase(key);
  return result;
}

template <class Real>
int post_window(MpiProcess& rank, const char*, Real real, MPI_Group group, int hints,
                MPI_Win handle) {
  const int result = real(group, hints, handle);
  Window* const window = rank.explored() == nullptr ? nullptr : find(handle);
  if (window == nullptr || result != MPI_SUCCESS) return result;
  window->exposed_to = world_ranks(group);
  tell_each(*rank.explored(), *window, "#post", window->exposed_to);
  return result;
}

template <class Real>
int start_window(MpiProcess& rank, const char* call, Real real, MPI_Group group, int hints,
                 MPI_Win handle) {
  Window* const window = rank.explored() == nullptr ? nullptr : find(handle);
  if (window != nullptr && group != MPI_GROUP_NULL) {
    std::vector<int> awaited = window->accessed = world_ranks(group);
    hear_each(*rank.explored(), *window, "#post", call, awaited, false);
  }
  return real(group, hints, handle);
}

template <class Real>
int wait_for_window(MpiProcess& rank, const char* call, Real real, MPI_Win handle) {
  Window* const window = rank.explored() == nullptr ? nullptr : find(handle);
  if (window != nullptr) {
    hear_each(*rank.explored(), *window, "#complete", call, window->exposed_to, false);
  }
  return real(handle);
}

/// In an exploration: waits for a window that all processes have reported.
template <class Real>
int test_explored_window(ExploredProcess& explored, Window& window, const char* call, Real real,
                         MPI_Win handle, int* flag) {
  *flag = 0;
  hear_each(explored, window, "#complete", call, window.exposed_to, true);
  int result = MPI_SUCCESS;
  if (!window.exposed_to.empty()) return result;
  while (*flag == 0 && result == MPI_SUCCESS) result = real(handle, flag);
  return result;
}

template <class Real>
int test_window(MpiProcess& rank, const char* call, Real real, MPI_Win handle, int* flag) {
  if (flag == nullptr || !rank.keeps_more()) return real(handle, flag);
  if (rank.replays()) {
    if (rank.recorded_refusal()) return real(handle, flag);
    *flag = rank.recorded_poll(call) ? 1 : 0;
    return *flag == 0 ? pass_poll() : LIGHTCONE_REAL(Win_wait)(handle);
  }
  ExploredProcess* const explored = rank.explored();
  Window* const window = explored == nullptr ? nullptr : find(handle);
  const int result = window == nullptr
                         ? real(handle, flag)
                         : test_explored_window(*explored, *window, call, real, handle, flag);
  if (result == MPI_SUCCESS) {
    rank.enter_poll(*flag != 0);
  } else {
    rank.enter_refusal();
  }
  return result;
}

template <class Real, class... Arguments>
int let_through(MpiProcess& rank, const char*, Real real, Arguments... arguments) {
  if (rank.explored() != nullptr) rank.explored()->leave_out_and_yield(left_out);
  return real(arguments...);
}

}  // namespace

std::optional<Meeting> begin_synchronisation(ExploredProcess& explored, std::string_view call,
                                             MPI_Win handle) {
  Window* const window = find(handle);
  if (call == "MPI_Win_fence" && window != nullptr) return meeting_at(*window, call);
  explored.leave_out_and_yield(left_out);
  return std::nullopt;
}

void end_synchronisation(ExploredProcess& explored, std::string_view call, MPI_Win handle) {
  Window* const window = find(handle);
  if (call != "MPI_Win_complete" || window == nullptr) return;
  tell_each(explored, *window, "#complete", std::exchange(window->accessed, {}));
}

}  // namespace lightcone::mpi

#define WINDOW_MAKER(name, count, comm_at, handler) \
  LIGHTCONE_WRAP(name, count, (::lightcone::mpi::handler<comm_at>))
#define WINDOW_CALL(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
LIGHTCONE_MPI_WINDOW_MAKERS(WINDOW_MAKER)
LIGHTCONE_MPI_WINDOW_CALLS(WINDOW_CALL)
