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

/// A program in which no execution fails, and how many of its executions to run.
struct Explored {
  std::string command;
  int runs = 0;  ///< 0: all
};

/// Explores with so many jobs.
void explore_with(int jobs, const Explored& explored) {
  constexpr int others_remain = 3;
  const TemporaryFolder folder;
  const std::string line =
      fmt::format("{} explore --jobs {} --runs {} --out {}/out -- {} > /dev/null 2>&1",
                  LIGHTCONE_PROGRAM, jobs, explored.runs, folder.path(), explored.command);
  const int status = std::system(line.c_str());
  if (WEXITSTATUS(status) != (explored.runs == 0 ? 0 : others_remain)) std::abort();
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
void two_jobs(benchmark::State& state, const Explored& explored) {
  set_up_ranks();
  compare(
      state, [&] { explore_with(2, explored); }, [&] { explore_with(1, explored); }, 1.6, true);
}

/// The same, against one job on one core.
void two_cores(benchmark::State& state, const Explored& explored) {
  set_up_ranks();
  compare(
      state, [&] { explore_with(2, explored); },
      [&] {
        const OneCore one_core;
        explore_with(1, explored);
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
// 48 executions. The first waits 0.3 s for further processes.
LIGHTCONE_TWO_JOBS(zeromq, Explored{LIGHTCONE_EXAMPLE_PROGRAMS "/leader_election --processes"});
LIGHTCONE_TWO_JOBS(zeromq_longer,
                   (Explored{LIGHTCONE_EXAMPLE_PROGRAMS "/work_queue --processes", 200}));
#ifdef LIGHTCONE_HAS_OPENMPI
LIGHTCONE_TWO_JOBS(openmpi, Explored{ranks("openmpi")});  // 24 executions
#endif
#ifdef LIGHTCONE_HAS_MPICH
LIGHTCONE_TWO_JOBS(mpich, Explored{ranks("mpich")});
#endif
#undef LIGHTCONE_TWO_JOBS

}  // namespace
}  // namespace lightcone::bench
