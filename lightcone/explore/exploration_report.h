// What an exploration found; a program that explores itself leaves it in a file.
#pragma once

#include <lightcone/error.h>
#include <lightcone/guide.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// What a program printed, and how it ended, in some executions.
struct ProgramOutcome {
  int status = 0;            ///< as a shell tells it
  std::string printed = {};  ///< its lines in order, since processes print in any; the first ones
  std::uint64_t digest = 0;  ///< of all lines
  std::uint64_t executions = 0;  ///< that had it
  friend auto operator<=>(const ProgramOutcome&, const ProgramOutcome&) = default;
};

/// An exploration, as whoever made it tells of it.
struct ExplorationReport {
  std::uint64_t executions = 0;
  std::uint64_t failed =
      0;  ///< the first ones are in `failures`; their recordings have their numbers
  bool complete = false;
  bool limited_polls = false;  ///< executions with more empty polls in a row are not explored
  bool interrupted = false;    ///< whether it was interrupted
  std::vector<std::string> not_explored = {};  ///< why there may be others, if that is known
  std::string error = {};                      ///< why it could not continue
  std::vector<FailedExecution> failures = {};  ///< the file has no guides
  /// Of executions that ended by themselves, those of most executions first; not in the file.
  std::vector<ProgramOutcome> outcomes = {};

  /// Returns the report in a directory, or nothing if there is none.
  [[nodiscard]] static std::optional<ExplorationReport> read(const std::string& directory);
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
};

}  // namespace lightcone
