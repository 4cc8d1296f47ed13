// Possibly, on the fly: has there been a consistent global state in which every local predicate
// holds?
#pragma once

#include <lightcone/lattice/monitor/arrived_timestamps.h>
#include <lightcone/lattice/monitor/global_monitor.h>

#include <deque>
#include <vector>

namespace lightcone {

/// Finds the least such state as soon as its local states have arrived. Says no as soon as none is
/// possible. An event costs O(n) amortised. A state in which the predicate is true is kept until it
/// is known to be over in all that may follow: 8 bytes each, and 4n more if the process has
/// received something new since the state before.
class PossiblyMonitor {
 public:
  /// Returns whether each process's predicate holds in its initial state.
  explicit PossiblyMonitor(const std::vector<bool>& initial);

  [[nodiscard]] Expected<void> arrive(std::uint32_t process, std::span<const Rank> timestamp,
                                      bool holds);
  [[nodiscard]] Expected<void> end(std::uint32_t process);
  [[nodiscard]] const FoundState& finding() const { return finding_; }
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  /// A cut that is still to be found does not lie below.
  [[nodiscard]] const Cut& least() const { return least_; }

 private:
  struct Candidate {
    Rank rank;
    bool same_known;  // as the one before
  };
  struct Queue {
    std::deque<Candidate> candidates;  // states in which the predicate holds, from `least_` on
    std::deque<Cut> known;             // what they know of other processes, where it is new
  };

  void push(std::uint32_t process, std::span<const Rank> timestamp);
  void pop(std::uint32_t process);
  void advance();
  void raise_least(std::span<const Rank> known);
  void decide();

  ArrivedTimestamps timestamps_;
  std::vector<Queue> queues_;
  Cut least_;                         // no state that satisfies it lies below
  std::vector<std::uint32_t> moved_;  // processes with a new head, or none and a new timestamp
  std::uint32_t without_ = 0;         // how many processes have no candidate
  bool impossible_ = false;
  std::uint64_t kept_ = 0;
  FoundState finding_;
};

static_assert(GlobalMonitor<PossiblyMonitor, bool>);

}  // namespace lightcone
