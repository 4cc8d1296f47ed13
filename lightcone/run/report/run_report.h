// How a process ended in a replay, as a report to the replay.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// The latest word of a process that is replayed.
struct RunReport {
  enum class Why : std::uint8_t {
    ended,            ///< it came to its end
    diverged,         ///< it did not do what was recorded
    waits,            ///< it waits for a message that has not come so far
    recording_ended,  ///< it did all that was recorded, and was cut off there
    until,            ///< it stands where it was told to stop
    stopped,          ///< its prompter ended it
    runs,             ///< it has begun, and said nothing else yet
    breaks_off,       ///< it ends all processes, or crashes, where its recording breaks off, too
  };
  std::string process;
  Why why = Why::ended;
  std::uint64_t event = 0;  ///< how many events it has made: of one that runs, until now
  std::string text = {};    ///< what was recorded, and what came instead
  std::int64_t pid = 0;     ///< its number in the operating system

  /// As in `recording ended`.
  [[nodiscard]] static std::string_view name_of(Why why);
  /// Leaves the report in a directory, where a later one of the same process replaces it.
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
  /// All reports in a directory, by the name of the process.
  [[nodiscard]] static std::vector<RunReport> read_all(const std::string& directory);
};

}  // namespace lightcone
