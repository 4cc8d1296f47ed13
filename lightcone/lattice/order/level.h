// The user's level of a computation: its relevant events, and which of them happened before which.
#pragma once

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causality.h>
#include <lightcone/computation.h>
#include <lightcone/lattice/order/cut.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// The relevant events (RR-2194, 2.2.2) as chains, one for each process that has any. All global
/// states of the level are consistent cuts of these chains; processes without a relevant event
/// stay in one local state and take no part.
class Level {
 public:
  /// What the rows of irrelevant events may take while those of relevant ones are found.
  static constexpr std::size_t default_working_bytes = std::size_t{2} << 30;

  /// The computation must outlive the level.
  Level(const Computation& computation, const Selection& relevant,
        std::size_t working_bytes = default_working_bytes);

  /// A slice of a level: only some of its cuts, those between `bottom` and `top` that contain, with
  /// each event, all that its row of `pasts` (by index) says. Events of one chain may then have the
  /// same past: they happen at once, and the chain cannot be cut between them.
  Level(const Level& whole, TimestampTable pasts, Cut bottom, Cut top);

  /// The part of a level between two of its consistent cuts, as a level of its own: the same
  /// chains, but ranks count from the lower cut on.
  Level(const Level& whole, const Cut& lower, const Cut& upper);

  /// Chains of these lengths with these pasts, one row per event, without a computation: it cannot
  /// be asked for, nor for events.
  Level(std::span<const Rank> lengths, TimestampTable pasts, Cut bottom, Cut top);

  [[nodiscard]] std::uint32_t chains() const {
    return static_cast<std::uint32_t>(processes_.size());
  }
  /// The number of events, of all chains or of one.
  [[nodiscard]] std::uint32_t events() const { return first_.back(); }
  [[nodiscard]] Rank length(std::uint32_t chain) const { return first_[chain + 1] - first_[chain]; }

  /// Returns how many events of each chain are in the past of the k-th event (k >= 1) of a chain;
  /// that event belongs to it.
  [[nodiscard]] std::span<const Rank> past(std::uint32_t chain, Rank k) const {
    return {row(chain, k), chains()};
  }
  /// Past which `past` may be read, with zeros: a multiple of TimestampTable::lanes.
  [[nodiscard]] std::size_t stride() const { return table_.stride(); }

  /// The event itself. Events of one chain are numbered in a row, from `index(chain, 1)` on.
  [[nodiscard]] EventIndex event(std::uint32_t chain, Rank k) const {
    return events_[index(chain, k)];
  }
  [[nodiscard]] std::uint32_t index(std::uint32_t chain, Rank k) const {
    return first_[chain] + k - 1;
  }
  [[nodiscard]] ProcessIndex process(std::uint32_t chain) const { return processes_[chain]; }
  /// The chain of a process, or `none`.
  [[nodiscard]] std::uint32_t chain_of(ProcessIndex process) const { return chain_of_[process]; }

  /// The least and the greatest cut.
  [[nodiscard]] const Cut& bottom() const { return bottom_; }
  [[nodiscard]] const Cut& top() const { return top_; }

  [[nodiscard]] const Computation& computation() const { return *computation_; }
  /// What it takes in memory.
  [[nodiscard]] std::size_t bytes() const { return table_.bytes() + events_.size() * 4; }

 private:
  [[nodiscard]] const std::uint32_t* row(std::uint32_t chain, Rank k) const {
    const std::uint32_t i = index(chain, k);
    return table_.row(row_an_event_ ? events_[i] : i);
  }
  void fill(const Selection& relevant, std::size_t working_bytes);

  const Computation* computation_ = nullptr;
  std::vector<ProcessIndex> processes_;  // of each chain
  std::vector<std::uint32_t> chain_of_;  // of each process
  std::vector<std::uint32_t> first_{0};  // index of each chain's first event, and of the end
  std::vector<EventIndex> events_;
  TimestampTable table_{0, 0};
  bool row_an_event_ = false;  // the table has a row for irrelevant events, too
  Cut bottom_, top_;
};

/// What a level of these events would take in memory.
[[nodiscard]] std::size_t bytes_of_level(const Computation& computation, const Selection& relevant);

}  // namespace lightcone
