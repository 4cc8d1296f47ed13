// Observations that avoid a condition, looked for by all workers: each holds some of the cuts.
#pragma once

#include <lightcone/lattice/decide/avoidance.h>
#include <lightcone/lattice/visit/cut_set.h>
#include <lightcone/lattice/workers/worker_post.h>

#include <cstdint>
#include <vector>

namespace lightcone {

// As `avoid_by_level`, with each cut held by one worker, which its hash says: time and memory are
// shared. To go on from the cuts of m events to those of m + 1, each worker sends the successors of
// its cuts to those who own them, and takes what the others send to it.

/// What a step may take in a worker.
struct StepLimits {
  double seconds = 0;
  std::size_t bytes = 0;
};

/// What a step of a worker came to.
struct StepReport {
  std::uint64_t cuts = 0;  ///< that it holds now, of the new size
  bool in_time = true, has_room = true;
  bool keeps_all = true;  ///< those of all sizes are still held
};

/// The cuts that one worker owns.
class OwnedCuts {
 public:
  /// Those without events. The level and the condition, placed on it, must outlive this.
  OwnedCuts(WorkerPost& post, const Level& level, const Condition& condition);
  OwnedCuts(const OwnedCuts&) = delete;
  OwnedCuts& operator=(const OwnedCuts&) = delete;

  /// Goes on to cuts with one event more, together with the other workers.
  [[nodiscard]] StepReport step(const StepLimits& limits);
  /// Returns whether a cut was reached after so many steps, if it is one of this worker's.
  [[nodiscard]] bool has_reached(std::uint64_t steps, const Cut& cut) const;
  /// Whose it is.
  [[nodiscard]] std::size_t owner(const Cut& cut) const;

 private:
  void expand(const StepLimits& limits, std::vector<CutSet>& next, StepReport& report);
  void exchange(std::vector<CutSet>& next);
  [[nodiscard]] std::size_t bytes_held() const;

  WorkerPost& post_;
  const Level& level_;
  const Condition& condition_;
  CutPacking packing_;
  std::vector<CutSet> reached_;  // by steps; emptied, but for the last, when there is no room
  bool keeps_all_ = true;
};

void write(WireWriter& writer, const StepLimits& limits);
void write(WireWriter& writer, const StepReport& report);
[[nodiscard]] StepLimits read_step_limits(WireReader& reader);
[[nodiscard]] StepReport read_step_report(WireReader& reader);

/// On worker 0: what `avoid_by_level` answers. The budget's memory is that of each worker.
[[nodiscard]] Avoidance avoid_on_workers(Workers& workers, const Level& level,
                                         const Condition& condition, Budget& budget);

}  // namespace lightcone
