// The checkpoints of one process in a recording, and which of them all processes have.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/live/process/checkpoint.h>
#include <lightcone/live/snapshot/snapshot_part.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// The file of one process: parts of snapshots, one after the other (docs/formats/checkpoints.md).
/// A part is in it completely or not at all. A killed process leaves all that was added before.
class CheckpointFile {
 public:
  /// Replaces a file of this name.
  [[nodiscard]] static Expected<CheckpointFile> create(const std::string& path);
  /// After an error nothing more is written, so that the file stays what it was.
  [[nodiscard]] Expected<void> add(const SnapshotPart& part);

  /// Calls with each whole part, in their order. A file that is not there has none.
  [[nodiscard]] static Expected<void> read(const std::string& path,
                                           const std::function<void(SnapshotPart)>& each);

 private:
  explicit CheckpointFile(AppendedFile file) : file_(std::move(file)) {}

  AppendedFile file_;
  std::uint64_t size_ = 0, checksum_ = 0;
  std::optional<Error> error_;
};

/// What a process begins with that goes on from a checkpoint.
struct Beginning {
  Checkpoint checkpoint;
  bool ended = false;                          ///< the process had come to its end before
  std::vector<InTransitPart> in_transit = {};  ///< messages that are not sent again
};

/// The checkpoint of this number of a process.
[[nodiscard]] Expected<Beginning> read_beginning(const std::string& directory,
                                                 std::string_view process, std::uint64_t number);

/// Returns the checkpoints from which a recording can be replayed, in ascending order. Every
/// process has its part of them, or ended before, and the parts do not contradict each other. A
/// message that was in transit and never taken is not needed. At most the first 65,536 are
/// returned.
[[nodiscard]] Expected<std::vector<std::uint64_t>> complete_checkpoints(
    const std::string& directory);
/// Numbers in ascending order, for people: `1 to 4, 6`.
[[nodiscard]] std::string ranges_of(const std::vector<std::uint64_t>& numbers);
/// Says what is wrong with a checkpoint from which a recording cannot be replayed, and which can.
[[nodiscard]] Expected<void> must_be_complete(const std::string& directory, std::uint64_t number);

}  // namespace lightcone
