// What became of a process in a replay, told to whoever runs it.
#pragma once

#include <lightcone/causal/error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// The last word of a process that was replayed.
struct RunReport {
  enum class Why : std::uint8_t {
    ended,            ///< it came to its end
    diverged,         ///< it did not do what was recorded
    waits,            ///< it waits for a message that does not come
    recording_ended,  ///< it did all that was recorded, and was cut off there
    until,            ///< it stands where it was told to stop
    stopped,          ///< whoever prompts it wanted no more
  };
  std::string process;
  Why why = Why::ended;
  std::uint64_t event = 0;  ///< how many events it has made
  std::string text = {};    ///< what was recorded, and what came instead
  std::int64_t pid = 0;     ///< its number in the operating system

  /// Leaves the report in a directory, where a later one of the same process replaces it.
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
  /// All reports in a directory, by the name of the process.
  [[nodiscard]] static std::vector<RunReport> read_all(const std::string& directory);
};

}  // namespace lightcone
