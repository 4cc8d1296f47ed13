// Definitely, on the fly: does every observation pass a state in which every local predicate holds?
#pragma once

#include <lightcone/lattice/monitor/arrived_timestamps.h>
#include <lightcone/lattice/monitor/global_monitor.h>

#include <deque>
#include <vector>

namespace lightcone {

/// Says yes as soon as the states that have arrived decide it, and no as soon as it is impossible.
/// The cut that it finds is the first one in which all intervals that meet have begun. If only
/// changes of the predicates are relevant, it is an inevitable state. An event costs O(n)
/// amortised. An interval in which the predicate is true is kept by the timestamps of its two ends,
/// until it cannot meet the others. It is kept only if the process received something new since the
/// interval before.
class DefinitelyMonitor {
 public:
  /// Returns whether each process's predicate holds in its initial state.
  explicit DefinitelyMonitor(const std::vector<bool>& initial);
  DefinitelyMonitor(const DefinitelyMonitor&) = delete;
  DefinitelyMonitor& operator=(const DefinitelyMonitor&) = delete;

  [[nodiscard]] Expected<void> arrive(std::uint32_t process, std::span<const Rank> timestamp,
                                      bool holds);
  [[nodiscard]] Expected<void> end(std::uint32_t process);
  [[nodiscard]] const FoundState& finding() const { return finding_; }
  /// One for each interval.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  /// A cut that is still to be found does not lie below.
  [[nodiscard]] const Cut& least() const { return begins_; }

 private:
  /// States of a process, one after the other, in which its predicate holds.
  struct TrueInterval {
    Cut begin;  // the timestamp of its first event
    Cut end;    // that of the event that ends it; empty: not yet
  };
  struct Queue {
    std::deque<TrueInterval> intervals;
    bool holds = false;       // in the last state that has arrived
    std::uint32_t unmet = 0;  // of an interval without an end: whose begin it does not know of yet
  };

  void push(std::uint32_t process, std::span<const Rank> timestamp);
  void close(std::uint32_t process, std::span<const Rank> timestamp);
  [[nodiscard]] bool is_open(std::uint32_t process) const;
  void find_end(std::uint32_t process);
  void review(std::uint32_t process);
  void set_begin(std::uint32_t process);
  void advance();
  void decide();

  ArrivedTimestamps timestamps_;
  std::vector<Queue> queues_;
  Cut begins_;  // the rank of each first interval's begin; where there is none, the least it can be
  // What the end of each first interval knows at least; null if there is no interval or no end.
  std::vector<const Rank*> ends_;
  std::vector<std::uint32_t> moved_;  // whose first interval may have changed
  std::uint32_t without_ = 0;         // how many processes have no interval
  bool impossible_ = false;
  std::uint64_t kept_ = 0;
  FoundState finding_;
};

static_assert(GlobalMonitor<DefinitelyMonitor, bool>);

}  // namespace lightcone
