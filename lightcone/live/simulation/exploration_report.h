// What `lightcone explore` reads of an exploration that went on inside the program.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// An exploration, as the program that made it tells of it.
struct ExplorationReport {
  struct Failure {
    std::uint64_t execution = 0;  ///< counted from 1; its recording has this name
    std::string why;
    std::optional<std::uint64_t> flips = {};  ///< how many choices make it fail, if that is known
  };
  std::uint64_t executions = 0;
  std::uint64_t failed = 0;  ///< the first ones are in `failures`
  bool complete = false;
  bool interrupted = false;                    ///< whether it was interrupted
  std::vector<std::string> not_explored = {};  ///< why there may be others, if that is known
  std::string error = {};                      ///< why it could not continue
  std::vector<Failure> failures = {};

  /// Returns the report in a directory, or nothing if there is none.
  [[nodiscard]] static std::optional<ExplorationReport> read(const std::string& directory);
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
};

/// This many failing executions are kept as recordings.
inline constexpr std::uint64_t most_recordings = 100;

}  // namespace lightcone
