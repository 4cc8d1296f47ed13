// How the processes of a recording ended: whether its traces may lack the last events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace lightcone {

/// What journals say about the traces beside them.
struct RecordedEnd {
  bool cut_off = false;         ///< a process did not end its journal, or left no trace
  bool lost_processes = false;  ///< a process left a journal and no trace
  /// How many events each process had when it last wrote its journal.
  std::map<std::string, std::uint64_t, std::less<>> events = {};
};

/// Nothing if the directory is no recording.
[[nodiscard]] std::optional<RecordedEnd> recorded_end(const std::string& directory);

}  // namespace lightcone
