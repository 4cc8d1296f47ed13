// The door of a live process that is recorded, replayed or explored: who answers it, what is kept
// of that, and what its events are compared with.
#pragma once

#include <lightcone/error.h>
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/live/process/live_trace.h>
#include <lightcone/process.h>
#include <lightcone/recording.h>
#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/answers/recorder.h>
#include <lightcone/run/report/run_keeper.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace lightcone {

/// What such a run needs. Without a prompter the surroundings answer.
struct RunDoor : RunKeeper {
  std::optional<Recorder> recorder = {};
  std::unique_ptr<Prompter> prompter = {};
  std::optional<CheckpointFile> checkpoints = {};  ///< where a recording keeps them
  std::optional<Beginning> from = {};              ///< the checkpoint that a replay begins at

  /// Opens the files of a process, whose options have its identity as the name.
  [[nodiscard]] static Expected<RunDoor> open(const RunOrders& orders,
                                              const ProcessOptions& options);

  /// The process has made an event, the last of so many. One that differs from the recorded one is
  /// a standstill. Returns whether the journal could be written.
  [[nodiscard]] Expected<void> made(const LiveTrace::Row& row, std::uint64_t events);
  /// The process ends: whether it did so when it was recorded.
  [[nodiscard]] Prompted<void> end();

 private:
  void add_to_digest(const LiveTrace::Row& row);
  void compare(const LiveTrace::Row& row, std::uint64_t events);
};

}  // namespace lightcone
