// How much faster launched programs are explored with two executions at a time than with one.
#include "ratio.h"

#include <fmt/format.h>

#include <sched.h>

#include <cstdlib>
#include <string>

#include "temporary_folder.h"

namespace lightcone::bench {
namespace {

/// More ranks than cores; as root if need be.
void set_up_ranks() {
  for (const char* variable : {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle",
                               "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                               "MPIR_CVAR_POLLS_BEFORE_YIELD"}) {
    ::setenv(variable, "1", 0);
  }
}

/// Explores a program in which no execution fails, with so many jobs.
void explore_with(int jobs, const std::string& command) {
  const TemporaryFolder folder;
  const std::string line = fmt::format("{} explore --jobs {} --out {}/out -- {} > /dev/null 2>&1",
                                       LIGHTCONE_PROGRAM, jobs, folder.path(), command);
  if (std::system(line.c_str()) != 0) std::abort();
}

/// While one lives, what this program starts runs on one core.
class OneCore {
 public:
  OneCore() {
    ::sched_getaffinity(0, sizeof all_, &all_);
    int core = 0;
    while (core + 1 < CPU_SETSIZE && !CPU_ISSET(core, &all_)) ++core;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;
  ~OneCore() { ::sched_setaffinity(0, sizeof all_, &all_); }

 private:
  cpu_set_t all_ = {};
};

/// Two jobs on two cores, against one job that has both: processes of one execution start at a
/// time, so that it has some use for the second core.
void two_jobs(benchmark::State& state, const std::string& command) {
  set_up_ranks();
  compare(
      state, [&] { explore_with(2, command); }, [&] { explore_with(1, command); }, 1.6, true);
}

/// The same, against one job on one core.
void two_cores(benchmark::State& state, const std::string& command) {
  set_up_ranks();
  compare(
      state, [&] { explore_with(2, command); },
      [&] {
        const OneCore one_core;
        explore_with(1, command);
      },
      1.6, true);
}

[[nodiscard]] std::string ranks(const std::string& mpi) {
#ifdef LIGHTCONE_MPI_PROGRAMS
  return fmt::format("mpirun.{} -n 5 {}/many_to_one.{} 1", mpi, LIGHTCONE_MPI_PROGRAMS, mpi);
#else
  return mpi;
#endif
}

#define LIGHTCONE_TWO_JOBS(name, command)     \
  BENCHMARK_CAPTURE(two_jobs, name, command)  \
      ->UseManualTime()                       \
      ->Unit(benchmark::kMillisecond)         \
      ->Iterations(3);                        \
  BENCHMARK_CAPTURE(two_cores, name, command) \
      ->UseManualTime()                       \
      ->Unit(benchmark::kMillisecond)         \
      ->Iterations(3)
LIGHTCONE_TWO_JOBS(zeromq, std::string(LIGHTCONE_EXAMPLE_PROGRAMS) +
                               "/leader_election --processes");  // 48 executions
#ifdef LIGHTCONE_HAS_OPENMPI
LIGHTCONE_TWO_JOBS(openmpi, ranks("openmpi"));  // 24 executions
#endif
#ifdef LIGHTCONE_HAS_MPICH
LIGHTCONE_TWO_JOBS(mpich, ranks("mpich"));
#endif
#undef LIGHTCONE_TWO_JOBS

}  // namespace
}  // namespace lightcone::bench
