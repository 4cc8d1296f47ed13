// A program that can be run again and again, each time as an exploration says.
#pragma once

#include <lightcone/error.h>
#include <lightcone/explore/exploration_report.h>
#include <lightcone/explore/search/named_exploration.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// How one run of a program ended.
struct ProgramRun {
  enum class End : std::uint8_t {
    ended,        ///< well, as far as the run itself shows
    failed,       ///< `text` says why
    unknown,      ///< it was stopped, and `text` says why
    interrupted,  ///< from outside
    starts_over,  ///< all executions are to be explored anew: the program will do more of what is
                  ///< explored
  };
  End end = End::ended;
  std::string text = {};
  bool cut_short = false;                        ///< what would follow is not explored
  std::vector<std::string> left_out = {};        ///< what it did that is not explored
  std::optional<ExplorationReport> report = {};  ///< the program has explored itself
  std::optional<ProgramOutcome> outcome = {};    ///< if it ended by itself and that is known
};

/// What is to be said of a run that ended well.
struct RunVerdict {
  std::optional<std::string> why = {};  ///< it failed
  bool unknown = false;                 ///< some of it is not known
};

/// A simulated program, or one that is started as processes of the operating system. One run at a
/// time.
class ExplorableProgram {
 public:
  virtual ~ExplorableProgram() = default;

  /// Runs the program once. The exploration has begun an execution, and guides it; it is not ended.
  /// `is_over`: the run is to be interrupted.
  [[nodiscard]] virtual Expected<ProgramRun> run(NamedExploration& exploration,
                                                 const std::function<bool()>& is_over) = 0;
  /// Judges the last run, which ended well.
  [[nodiscard]] virtual Expected<RunVerdict> verdict() = 0;
  /// Leaves a recording of the last run, which failed and had this guide, in a directory.
  [[nodiscard]] virtual Expected<void> keep(const NamedGuide& guide, const std::string& why,
                                            const std::string& directory) = 0;
};

}  // namespace lightcone
