// Beginning and end of a process, its communicators' own calls, clocks, and labels of the program.

#include <cstdarg>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "answers/answers.h"
#include "calls/wrapping.h"
#include "end/last_words.h"

namespace lightcone::mpi {
namespace {

template <class Real, class... Arguments>
int begin_making(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const std::tuple<Arguments...> all(arguments...);
  constexpr std::size_t count = sizeof...(arguments);
  Communicator* const parent = rank.communicators().find(std::get<0>(all));
  const int result = real(arguments...);
  if (result != MPI_SUCCESS || parent == nullptr) return result;
  Request duplicate{.what = Request::What::communicator, .call = call, .communicator = parent};
  duplicate.made = std::get<count - 2>(all);
  duplicate.name = parent->name() + '.' + std::to_string(++parent->creations);
  rank.answers().begin_making(duplicate);
  rank.requests().add(*std::get<count - 1>(all), std::move(duplicate));
  return result;
}

/// `group5` or `inter:TEXT`, after the call and its tag.
template <class Tag>
[[nodiscard]] std::string origin(std::string_view call, Tag tag) {
  const std::string how = call.starts_with("MPI_Inter") ? "inter" : "group";
  if constexpr (std::is_integral_v<Tag>) {
    return how + std::to_string(tag);
  } else {
    return how + ':' + tag;
  }
}

template <std::size_t tag_at, class Real, class... Arguments>
int make_of_members(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const std::tuple<Arguments...> all(arguments...);
  MPI_Comm* const made = std::get<sizeof...(arguments) - 1>(all);
  CommunicatorFacts facts;
  const int result = rank.answers().make(nullptr, call, MPI_COMM_SELF, made, facts,
                                         [&] { return real(arguments...); });
  if (result == MPI_SUCCESS) {
    rank.communicators().made_by_members(origin(call, std::get<tag_at>(all)), *made,
                                         std::move(facts));
  }
  return result;
}

template <class Real>
int free_communicator(MpiProcess& rank, const char*, Real real, MPI_Comm* comm) {
  const MPI_Comm handle = comm == nullptr ? MPI_COMM_NULL : *comm;
  rank.answers().will_free(handle);
  const int result = real(comm);
  if (result == MPI_SUCCESS) rank.communicators().forget(handle);
  return result;
}

template <class Real>
int set_error_handler(MpiProcess& rank, const char*, Real real, MPI_Comm comm,
                      MPI_Errhandler handler) {
  if (handler != MPI_ERRORS_ARE_FATAL) rank.let_errors_return();
  return real(comm, handler);
}

template <class Real, class... Arguments>
int refuse_processes(MpiProcess&, const char* call, Real, Arguments...) {
  const std::string what = std::string(call) + ": processes that are started later, or elsewhere";
  MpiProcess::refuse_exploration(what);
  say_why_it_ends(what + ", cannot be recorded");
  MpiProcess::end(false);
  return LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
}

template <class Real>
int abort_all(MpiProcess&, const char*, Real real, MPI_Comm comm, int code) {
  MpiProcess::abort(code);
  return real(comm, code);
}

}  // namespace
}  // namespace lightcone::mpi

#define OTHER(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
#define BEGUN_MAKER(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::begin_making)
#define GROUP_MAKER(name, count, tag_at) \
  LIGHTCONE_WRAP(name, count, (::lightcone::mpi::make_of_members<tag_at>))
LIGHTCONE_MPI_OTHERS(OTHER)
LIGHTCONE_MPI_BEGUN_MAKERS(BEGUN_MAKER)
LIGHTCONE_MPI_GROUP_MAKERS(GROUP_MAKER)

using lightcone::mpi::MpiProcess;

extern "C" {

int MPI_Init(int* count, char*** words) {
  const int result = LIGHTCONE_REAL(Init)(count, words);
  if (result == MPI_SUCCESS) MpiProcess::begin(MPI_THREAD_SINGLE);
  return result;
}

int MPI_Init_thread(int* count, char*** words, int required, int* provided) {
  const int result = LIGHTCONE_REAL(Init_thread)(count, words, required, provided);
  if (result == MPI_SUCCESS) MpiProcess::begin(required);
  return result;
}

int MPI_Finalize(void) {
  if (MpiProcess* const rank = MpiProcess::of_this_call()) {
    const MpiProcess::Inside inside;
    MpiProcess::end(true);
  }
  return LIGHTCONE_REAL(Finalize)();
}

#if MPI_VERSION >= 4
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
  if (const auto orders = lightcone::RunOrders::from_environment(); orders && *orders) {
    MpiProcess::refuse_exploration("MPI_Session_init, and what the program does then");
    lightcone::mpi::say_why_it_ends(
        "this program uses MPI_Session_init, and what it does then is not recorded: use MPI_Init");
    std::_Exit(1);
  }
  return LIGHTCONE_REAL(Session_init)(info, handler, session);
}
decltype(MPI_Session_init) PMPI_Session_init __attribute__((alias("MPI_Session_init")));
#endif

double MPI_Wtime(void) {
  MpiProcess* const rank = MpiProcess::of_this_call();
  if (rank == nullptr) return LIGHTCONE_REAL(Wtime)();
  const MpiProcess::Inside inside;
  return rank->answers().seconds();
}

int MPI_Pcontrol(const int level, ...) {
  if (MpiProcess* const rank = MpiProcess::of_this_call()) {
    const MpiProcess::Inside inside;
    lightcone::mpi::MpiEvent event{.labels = {"MPI_Pcontrol"}};
    event.own.labels.push_back("pcontrol:" + std::to_string(level));
    rank->add(std::move(event));
  }
  return MPI_SUCCESS;
}

// What lightcone/mpi.h looks for in the programs that include it.
void lightcone_mpi_add_event(const char* label) {
  MpiProcess* const rank = MpiProcess::of_this_call();
  if (rank == nullptr || label == nullptr) return;
  const MpiProcess::Inside inside;
  lightcone::mpi::MpiEvent event;
  event.own.labels.emplace_back(label);
  rank->add(std::move(event));
}

void lightcone_mpi_add_value(const char* variable, long long value) {
  MpiProcess* const rank = MpiProcess::of_this_call();
  if (rank == nullptr || variable == nullptr) return;
  const MpiProcess::Inside inside;
  lightcone::mpi::MpiEvent event;
  event.own.variables.emplace_back(variable, value);
  rank->add(std::move(event));
}

// The names that programs look for which were compiled with an older lightcone/mpi.h.
void lightcone_mpi_event(const char* label) __attribute__((alias("lightcone_mpi_add_event")));
void lightcone_mpi_set(const char* variable, long long value)
    __attribute__((alias("lightcone_mpi_add_value")));

decltype(MPI_Init) PMPI_Init __attribute__((alias("MPI_Init")));
decltype(MPI_Init_thread) PMPI_Init_thread __attribute__((alias("MPI_Init_thread")));
decltype(MPI_Finalize) PMPI_Finalize __attribute__((alias("MPI_Finalize")));
decltype(MPI_Wtime) PMPI_Wtime __attribute__((alias("MPI_Wtime")));
decltype(MPI_Pcontrol) PMPI_Pcontrol __attribute__((alias("MPI_Pcontrol")));

}  // extern "C"
