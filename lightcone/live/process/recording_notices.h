// What the process of a recorded program tells `record` while it runs.
#pragma once

#include <lightcone/error.h>
#include <lightcone/live/process/live_trace.h>
#include <lightcone/live/process/run_door.h>
#include <lightcone/process.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// Tells each thing once: files that could not be written further, and that the process receives
/// what it has not asked for. The process is locked in all calls.
class RecordingNotices {
 public:
  /// All of this belongs to the process and outlives it.
  RecordingNotices(const ProcessOptions& options, const std::vector<LiveTrace>& traces,
                   const std::optional<RunDoor>& door)
      : options_(options), traces_(traces), door_(door) {}

  /// Returns whether a failure to write is new: a file that cannot be written gives its error again
  /// and again.
  [[nodiscard]] bool is_new(const Error& error);
  /// Tells which files could not be written further.
  void tell_of_lost_writes();
  /// The process received a message that it has not asked for: such a process cannot be replayed.
  void tell_of_unasked_receive(std::uint64_t event);
  /// Returns whether a file belongs to the recording. Then its errors are not the program's.
  [[nodiscard]] bool is_recorded(const std::string& path) const;

 private:
  const ProcessOptions& options_;
  const std::vector<LiveTrace>& traces_;
  const std::optional<RunDoor>& door_;
  std::set<std::string> errors_, lost_writes_;
  bool told_of_unasked_ = false;
};

}  // namespace lightcone
