// Explores a program: runs it through all its executions, judges them, keeps those that fail, makes
// them simple, and reports.
#pragma once

#include <lightcone/error.h>
#include <lightcone/explore/explorable_program.h>
#include <lightcone/progress.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

/// Where recordings are, in the directory for them, until the number of their execution is known.
inline constexpr const char* unnumbered_recordings = ".unnumbered";

struct DriverOptions {
  ExplorationOptions exploration = {};
  NamedGuide first = {};  ///< the first execution follows it
  std::uint64_t most_runs = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_failures = std::numeric_limits<std::uint64_t>::max();  ///< that are kept
  std::uint64_t most_shrinking_runs = 0;  ///< of each kind of failure; 0: they are left as they are
  std::string out = {};                   ///< where recordings go; empty: there are none
  std::function<bool()> is_over = {};     ///< true ends the exploration; asked by several threads
  Progress progress = {};
};

/// Several programs that are the same, one for each execution at a time. Each explores a part of
/// the executions, and gives a part of that away when another has nothing to do. What is reported
/// does not depend on that: executions have the numbers that they would have with one program.
class ExplorationDriver {
 public:
  ExplorationDriver(DriverOptions options, std::vector<ExplorableProgram*> programs)
      : options_(std::move(options)), programs_(std::move(programs)) {}

  [[nodiscard]] Expected<ExplorationReport> run();

  /// A run, and what is to be said of it.
  struct JudgedRun {
    ProgramRun run;
    RunVerdict verdict = {};
    /// Returns whether it is an execution of the exploration.
    [[nodiscard]] bool counts() const {
      return !run.report && run.end != ProgramRun::End::interrupted &&
             run.end != ProgramRun::End::starts_over;
    }
  };
  /// Runs a program once, and judges it. The exploration has begun an execution, and has ended it
  /// after this if it counts.
  [[nodiscard]] static Expected<JudgedRun> run_once(ExplorableProgram& program,
                                                    NamedExploration& exploration,
                                                    const std::function<bool()>& is_over = {});
  /// Makes a failure simple, with at most so many runs of the program. The last run of the program
  /// is that of the result.
  [[nodiscard]] static Expected<ShrunkFailure> shrink(ExplorableProgram& program,
                                                      const NamedGuide& guide,
                                                      const ExplorationOptions& options,
                                                      std::uint64_t most_runs,
                                                      const std::function<bool()>& is_over = {});

 private:
  /// An execution among all: its part, and its number there.
  using ExecutionPlace = std::pair<NamedExploration::PartPlace, std::uint64_t>;
  /// A failing execution, and the directory of its recording until it has a number.
  struct KeptFailure {
    FailedExecution failure;
    std::string directory;
  };
  /// What the executions have shown so far. All of it is forgotten if the program starts over.
  struct Findings {
    std::uint64_t begun = 0, ended = 0, failed = 0;
    std::map<NamedExploration::PartPlace, std::uint64_t> ended_of = {};  // each part
    std::map<ExecutionPlace, KeptFailure> failures = {};
    std::set<std::string> left_out = {};
    std::map<ProgramOutcome, std::uint64_t> outcomes = {};  // how many executions had each
    bool incomplete = false, limited_polls = false;
  };

  [[nodiscard]] Expected<ExplorationReport> explore_and_report();
  void explore_all();
  void work(ExplorableProgram& program);
  [[nodiscard]] std::optional<NamedExploration> next_part();
  void leave_part(const NamedExploration& part);
  [[nodiscard]] bool begin(NamedExploration& part);
  void share(NamedExploration& part);
  /// Returns whether the exploration goes on.
  [[nodiscard]] Expected<bool> explore_one(ExplorableProgram& program, NamedExploration& part);
  [[nodiscard]] Expected<void> keep(ExplorableProgram& program, const NamedExploration& part,
                                    const std::string& why);
  [[nodiscard]] std::string new_directory();
  void remove(const KeptFailure& kept) const;
  void make_simple();
  void make_simple(ExplorableProgram& program, KeptFailure& kept);
  [[nodiscard]] Expected<ExplorationReport> report();
  void for_each_program(const std::function<void(ExplorableProgram&)>& work);
  void note_last(ProgramRun run);
  void stop(std::optional<Error> error);
  [[nodiscard]] bool is_over();

  DriverOptions options_;
  std::vector<ExplorableProgram*> programs_;

  std::mutex mutex_;  // for all that follows
  std::condition_variable news_;
  std::vector<NamedExploration> parts_;  // that no one explores yet
  std::size_t busy_ = 0;                 // programs that explore one
  Findings found_;
  std::uint64_t directories_ = 0;
  bool interrupted_ = false, starts_over_ = false;
  std::optional<ExplorationReport> own_report_;  // of a program that explores itself
  std::optional<Error> error_;
  std::atomic<bool> stops_ = false;
};

}  // namespace lightcone
