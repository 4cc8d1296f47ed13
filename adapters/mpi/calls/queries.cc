// What programs ask about communicators, groups and the machine, and what cannot be answered alone.
#include <lightcone/recording.h>

#include <string>

#include "answers/answers.h"
#include "answers/stand_ins.h"
#include "calls/query_calls.h"
#include "calls/wrapping.h"

namespace lightcone::mpi {
namespace {

template <class Real>
int tell_name(MpiProcess& rank, const char* call, Real real, char* name, int* length) {
  if (name == nullptr || length == nullptr) return real(name, length);
  std::string text;
  const int result = rank.answers().tell(call, text, [&] {
    const int done = real(name, length);
    if (done == MPI_SUCCESS) text.assign(name, static_cast<std::size_t>(*length));
    return done;
  });
  const std::size_t size = text.copy(name, MPI_MAX_PROCESSOR_NAME - 1);
  name[size] = '\0';
  *length = static_cast<int>(size);
  return result;
}

/// Returns whether calls that an MPI makes inside of calls on files do not count. They do not where
/// contents are kept: a process that runs alone leaves files to its MPI.
[[nodiscard]] bool covers_files() {
  static const bool covers = [] {
    const auto orders = RunOrders::from_environment();
    if (!orders || !*orders) return false;
    if (const RecordOrders* const record = (*orders)->record()) return !record->contents.empty();
    if ((*orders)->replay() == nullptr) return false;
    const auto recording = Recording::read((*orders)->directory);
    return recording && !recording->contents.empty();
  }();
  return covers;
}

/// The MPI calls functions of the program, such as error handlers, inside of the program's calls.
/// They ask about the communicators of a process that runs alone. Null for the MPI's own calls.
[[nodiscard]] StandIns* stand_ins_of_callback(const void* returns_to) {
  MpiProcess* const alone = MpiProcess::alone_in_callback();
  return alone == nullptr || is_of_others(returns_to) ? nullptr : alone->answers().stand_ins();
}

template <class Real, class... Arguments>
int pass_unless_alone(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  rank.answers().note_not_alone(call);
  return real(arguments...);
}

}  // namespace
}  // namespace lightcone::mpi

LIGHTCONE_WRAP(Get_processor_name, 2, ::lightcone::mpi::tell_name)

#define QUERY(name, count)                                                                    \
  namespace lightcone::mpi {                                                                  \
  template <class Real, class... Arguments>                                                   \
  static int query_##name(MpiProcess& rank, const char*, Real real, Arguments... arguments) { \
    if (StandIns* const own = rank.answers().stand_ins()) return own->name(arguments...);     \
    return real(arguments...);                                                                \
  }                                                                                           \
  }                                                                                           \
  extern "C" int MPI_##name(LIGHTCONE_PARAMETERS_##count(name)) {                             \
    auto* const rank = ::lightcone::mpi::MpiProcess::of_this_call();                          \
    const void* const back = __builtin_return_address(0);                                     \
    if (rank == nullptr) {                                                                    \
      auto* const own = ::lightcone::mpi::stand_ins_of_callback(back);                        \
      if (own != nullptr) return own->name(LIGHTCONE_ARGUMENTS_##count);                      \
      return LIGHTCONE_REAL(name)(LIGHTCONE_ARGUMENTS_##count);                               \
    }                                                                                         \
    const ::lightcone::mpi::MpiProcess::Inside inside("MPI_" #name);                          \
    ::lightcone::mpi::call_returns_to = back;                                                 \
    return ::lightcone::mpi::query_##name(*rank, "MPI_" #name, LIGHTCONE_REAL(name),          \
                                          LIGHTCONE_ARGUMENTS_##count);                       \
  }                                                                                           \
  extern "C" decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));
#define USE_FILE(name, count)                                                                      \
  extern "C" int MPI_##name(LIGHTCONE_PARAMETERS_##count(name)) {                                  \
    auto* const rank =                                                                             \
        ::lightcone::mpi::covers_files() ? ::lightcone::mpi::MpiProcess::of_this_call() : nullptr; \
    if (rank == nullptr) return LIGHTCONE_REAL(name)(LIGHTCONE_ARGUMENTS_##count);                 \
    const ::lightcone::mpi::MpiProcess::Inside inside("MPI_" #name);                               \
    return LIGHTCONE_REAL(name)(LIGHTCONE_ARGUMENTS_##count);                                      \
  }                                                                                                \
  extern "C" decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));
#define NOT_ALONE(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::pass_unless_alone)
LIGHTCONE_MPI_QUERIES(QUERY)
LIGHTCONE_MPI_FILES(USE_FILE)
LIGHTCONE_MPI_NOT_ALONE(NOT_ALONE)
