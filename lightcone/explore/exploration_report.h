// What an exploration found; a program that explores itself leaves it in a file.
#pragma once

#include <lightcone/error.h>
#include <lightcone/guide.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// An exploration, as whoever made it tells of it.
struct ExplorationReport {
  std::uint64_t executions = 0;
  std::uint64_t failed =
      0;  ///< the first ones are in `failures`; their recordings have their numbers
  bool complete = false;
  bool interrupted = false;                    ///< whether it was interrupted
  std::vector<std::string> not_explored = {};  ///< why there may be others, if that is known
  std::string error = {};                      ///< why it could not continue
  std::vector<FailedExecution> failures = {};  ///< the file has no guides

  /// Returns the report in a directory, or nothing if there is none.
  [[nodiscard]] static std::optional<ExplorationReport> read(const std::string& directory);
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
};

}  // namespace lightcone
