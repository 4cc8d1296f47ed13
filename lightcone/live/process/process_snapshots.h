// The part of a live process in snapshots that its program begins, and in the checkpoints of its
// recording.
#pragma once

#include <lightcone/live/process/checkpoint.h>
#include <lightcone/live/process/live_trace.h>
#include <lightcone/live/process/process_inbox.h>
#include <lightcone/live/process/run_door.h>
#include <lightcone/live/snapshot/snapshot_maker.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/process.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Saves the state of a process where a snapshot or a checkpoint asks for it. Both are counted
/// apart: a replay makes the first again, and not the second. The process is locked in all calls.
class ProcessSnapshots {
 public:
  /// What is saved, and who is told.
  struct Subject {
    const ProcessOptions& options;
    Watcher& watcher;
    std::vector<LiveTrace>& traces;
    std::optional<RunDoor>& door;
    ProcessCounts& counts;
    ProcessInbox& inbox;
    std::function<void(const Expected<void>&)> note;                    ///< what was written
    std::function<void(std::string_view what, std::string hint)> warn;  ///< what cannot be done
    std::function<void(const SnapshotPart&)> report;                    ///< to a monitor
  };
  explicit ProcessSnapshots(Subject subject);
  ProcessSnapshots(const ProcessSnapshots&) = delete;
  ProcessSnapshots& operator=(const ProcessSnapshots&) = delete;

  /// Where the program does not say how to save its state, checkpoints are only passed on.
  void begin_checkpoints();
  /// Goes on from the checkpoint that the process begins at. What was taken is what was received,
  /// and what the program held. Returns the latter.
  [[nodiscard]] std::vector<OpenedMessage> resume();

  /// What messages say of the snapshots that the process has saved its state for.
  [[nodiscard]] Colours colours() const;
  /// The message that the watcher has just made leaves.
  void sent();
  /// The same of a marker.
  void sent_marker();
  [[nodiscard]] bool makes_checkpoints() const { return checkpoints_.has_value(); }
  /// Makes a checkpoint if it is time for it. All processes count from the same moment, so that
  /// they save their states at about the same time.
  void save_if_due();
  /// A message is about to be taken. Returns whether for the first time, where anyone asks.
  [[nodiscard]] bool pass(const OpenedMessage& opened,
                          const std::function<std::string()>& contents);
  /// Begins a snapshot and returns its number. 0: there is none left.
  [[nodiscard]] std::uint64_t begin() { return snapshots_.begin(); }
  /// Takes part in this snapshot, if it has not yet.
  void reach(std::uint64_t snapshot) { snapshots_.reach(snapshot); }
  /// Returns whether all its messages could be counted, so that it has a part in snapshots.
  [[nodiscard]] bool makes_parts() const { return snapshots_.makes_parts(); }
  /// The last state stands for the process in all snapshots to come.
  void end();

  /// What is to be handed to the program: parts of snapshots as bytes.
  [[nodiscard]] std::vector<std::string>& parts() { return parts_; }

 private:
  [[nodiscard]] SnapshotMaker make_snapshots();
  [[nodiscard]] Checkpoint checkpoint();

  Subject of_;
  std::vector<std::string> parts_;
  SnapshotMaker snapshots_;  // of the program
  std::optional<SnapshotMaker> checkpoints_;
  std::uint64_t began_ = 0;           // when, for checkpoints
  const Envelope* passes_ = nullptr;  // is opened while the state before it is saved
};

}  // namespace lightcone
