// What recording and replaying cost MPI programs: 600,000 messages of 64 bytes, taken by wildcard,
// of 4 ranks; a stream of small messages between two ranks; what MPI_Waitsome says; and what
// digests of contents cost, also of messages of 64 kB.
#include "ratio.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "temporary_folder.h"

namespace lightcone::bench {
namespace {

constexpr int messages = 600'000, large_messages = 30'000, senders = 3;
constexpr int small = 64, large = 65'536;

/// What one run took, and in which order its messages came.
struct Run {
  double elapsed = 0;  ///< of the whole command
  double loop = 0;     ///< of the receives alone, as the program prints it
  double work = 0;     ///< processor seconds of all its processes
  std::string order;
};

/// More ranks than cores; as root if need be; no copies that containers forbid.
void set_up_mpi() {
  for (const char* variable : {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle",
                               "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                               "MPIR_CVAR_POLLS_BEFORE_YIELD"}) {
    ::setenv(variable, "1", 0);
  }
  ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "emulated", 0);
}

[[nodiscard]] std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) std::abort();
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  if (::pclose(pipe) != 0) std::abort();
  return text;
}

/// Processor seconds of all children that have ended.
[[nodiscard]] double work_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

/// A program, its arguments, and how many ranks it has.
struct Program {
  std::string name, arguments;
  int ranks = senders + 1;
};

[[nodiscard]] Program many_to_one_of(int bytes) {
  const int each = (bytes == small ? messages : large_messages) / senders;
  return {"many_to_one", fmt::format("{} {}", each, bytes)};
}

/// Runs it by one of Lightcone's commands, or without.
[[nodiscard]] Run run(const std::string& mpi, const std::string& lightcone,
                      const Program& program) {
  const std::string command =
      fmt::format("{} mpirun.{} -n {} {}/{}.{} {}", lightcone, mpi, program.ranks,
                  LIGHTCONE_MPI_PROGRAMS, program.name, mpi, program.arguments);
  Run run;
  std::string text;
  const double before = work_of_children();
  run.elapsed = seconds([&] { text = output_of(command); });
  run.work = work_of_children() - before;
  char order[32] = "";
  if (std::sscanf(text.c_str(), "%*d %*s %31s in %lf", order, &run.loop) != 2) std::abort();
  run.order = order;
  return run;
}

[[nodiscard]] double journal_bytes(const std::string& directory) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".journal") bytes += entry.file_size();
  }
  return static_cast<double>(bytes);
}

[[nodiscard]] double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// The limits of a case: of the run recorded and of the replay, against the plain run, and of the
/// journal per message.
struct Limits {
  double recorded = 0, bytes = 0;
  std::optional<double> replayed = {};  ///< nothing: it is not replayed
};

/// Pairs, recorded and not, which comes first in turns; each recording is then replayed.
void pairs(benchmark::State& state, const char* mpi, const Program& program, const char* options,
           const Limits& limits) {
  set_up_mpi();
  const TemporaryFolder folder;
  const std::string directory = folder.path() + "/rec", lightcone = LIGHTCONE_PROGRAM;
  const std::string record = fmt::format("{} record --out {} {} --", lightcone, directory, options);
  const std::string replay = fmt::format("{} replay {} --", lightcone, directory);
  std::vector<double> elapsed, loop, plain_elapsed, bytes, replayed;
  int same = 0;
  bool recorded_first = false;
  for (auto _ : state) {
    const Run first = run(mpi, recorded_first ? record : "", program),
              second = run(mpi, recorded_first ? "" : record, program);
    const Run& recorded = recorded_first ? first : second;
    const Run& plain = recorded_first ? second : first;
    recorded_first = !recorded_first;
    elapsed.push_back(recorded.elapsed / plain.elapsed);
    loop.push_back(recorded.loop / plain.loop);
    plain_elapsed.push_back(plain.elapsed);
    bytes.push_back(journal_bytes(directory) / messages);
    state.SetIterationTime(recorded.elapsed);
    if (!limits.replayed) continue;
    const Run again = run(mpi, replay, program);
    replayed.push_back(again.elapsed / plain.elapsed);
    if (again.order == recorded.order) ++same;
  }
  state.counters["plain_ms"] = median_of(plain_elapsed) * 1e3;
  state.counters["ratio"] = median_of(elapsed);
  state.counters["at_most"] = limits.recorded;
  state.counters["loop_ratio"] = median_of(loop);
  state.counters["bytes"] = median_of(bytes);  // a message
  state.counters["bytes_at_most"] = limits.bytes;
  if (!limits.replayed) return;
  state.counters["replay_ratio"] = median_of(replayed);
  state.counters["replay_at_most"] = *limits.replayed;
  state.counters["same_replays"] = same;  // of as many as there are pairs
}

void many_to_one(benchmark::State& state, const char* mpi, const char* options, double limit) {
  pairs(state, mpi, many_to_one_of(small), options, {limit, 0.03, 2});
}

/// `tags`: each message has its own.
void stream(benchmark::State& state, const char* mpi, const char* tags, const char* options,
            double limit) {
  const Program program{"stream", fmt::format("{} {}", messages, tags), 2};
  pairs(state, mpi, program, options, {limit, 0.03, {}});
}

void waitsome(benchmark::State& state, const char* mpi) {
  const Program program{"some_of_many", fmt::format("{}", messages / senders)};
  pairs(state, mpi, program, "--journal-only", {1.5, 0.05, {}});
}

/// Pairs: with digests, and without them or without recording.
void digests(benchmark::State& state, const char* mpi, int bytes, bool beside_recording,
             double limit) {
  set_up_mpi();
  const TemporaryFolder folder;
  const std::string record =
      fmt::format("{} record --out {}/rec", LIGHTCONE_PROGRAM, folder.path());
  const std::string with = record + " --digests --";
  const std::string without = beside_recording ? record + " --" : "";
  std::vector<double> elapsed, loop, work;
  bool with_first = false;
  for (auto _ : state) {
    const Run first = run(mpi, with_first ? with : without, many_to_one_of(bytes)),
              second = run(mpi, with_first ? without : with, many_to_one_of(bytes));
    const Run& one = with_first ? first : second;
    const Run& other = with_first ? second : first;
    with_first = !with_first;
    elapsed.push_back(one.elapsed / other.elapsed);
    loop.push_back(one.loop / other.loop);
    work.push_back(one.work / other.work);
    state.SetIterationTime(one.elapsed);
  }
  state.counters["ratio"] = median_of(elapsed);
  state.counters["loop_ratio"] = median_of(loop);
  state.counters["work_ratio"] = median_of(work);  // of user and system time
  state.counters["at_most"] = limit;
}

#define LIGHTCONE_CASE(function, name, ...)      \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__) \
      ->UseManualTime()                          \
      ->Unit(benchmark::kMillisecond)            \
      ->Iterations(7)
#define LIGHTCONE_EACH_KIND(mpi)                                                         \
  LIGHTCONE_CASE(many_to_one, mpi##_journal, #mpi, "--journal-only", 1.25);              \
  LIGHTCONE_CASE(many_to_one, mpi##_journal_and_trace, #mpi, "", 1.6);                   \
  LIGHTCONE_CASE(stream, mpi##_journal, #mpi, "", "--journal-only", 1.3);                \
  LIGHTCONE_CASE(stream, mpi##_journal_and_trace, #mpi, "", "", 2);                      \
  LIGHTCONE_CASE(stream, mpi##_a_tag_each_journal, #mpi, "tags", "--journal-only", 1.3); \
  LIGHTCONE_CASE(stream, mpi##_a_tag_each_journal_and_trace, #mpi, "tags", "", 2);       \
  LIGHTCONE_CASE(waitsome, mpi, #mpi);                                                   \
  LIGHTCONE_CASE(digests, mpi##_beside_recording, #mpi, small, true, 1.3);               \
  LIGHTCONE_CASE(digests, mpi##_of_64_kB, #mpi, large, false, 1.5)
#ifdef LIGHTCONE_HAS_OPENMPI
LIGHTCONE_EACH_KIND(openmpi);
#endif
#ifdef LIGHTCONE_HAS_MPICH
LIGHTCONE_EACH_KIND(mpich);
#endif
#undef LIGHTCONE_EACH_KIND
#undef LIGHTCONE_CASE

}  // namespace
}  // namespace lightcone::bench
