// Inevitable global states on the fly: reported as soon as the states that have arrived decide
// them.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/lattice/order/cut.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// It is told about each relevant event (RR-2194, section 4): in the order of each process, and in
/// any order between processes. An event costs O(log n). Only the size of its past is kept, and
/// only as long as an event with no greater past may still arrive: 8 bytes per event, and about 700
/// per process.
class InevitableMonitor {
 public:
  /// Called with how many events of each process have happened at an inevitable state.
  using StateListener = std::function<void(std::span<const Rank>)>;

  /// Reports the initial state at once, since it is always inevitable.
  InevitableMonitor(std::uint32_t processes, StateListener listener);

  /// The next event of a process, with the number of relevant events in its past, itself included.
  /// It is refused, without effect, if no execution could continue with it. If it shows that
  /// earlier events were not true, all later calls give an error.
  [[nodiscard]] Expected<void> arrive(std::uint32_t process, std::uint64_t past_size);
  /// The same from a vector timestamp that counts relevant events.
  [[nodiscard]] Expected<void> arrive(std::uint32_t process, std::span<const Rank> timestamp);
  /// The process has no further events.
  [[nodiscard]] Expected<void> end(std::uint32_t process);

  /// Returns how many events of each process every state contains that is still to be reported.
  [[nodiscard]] std::span<const Rank> settled() const { return settled_; }
  /// Returns how many events are kept.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }

 private:
  struct Queue {
    std::deque<std::uint64_t> before;  // of each event kept: how many events happened before it
    std::uint64_t next_at_least = 0;   // of the next event to arrive, the same
    std::uint64_t arrived = 0;
    bool ended = false;
  };

  [[nodiscard]] Expected<void> check_open(std::uint32_t process) const;
  [[nodiscard]] Expected<void> advance();
  [[nodiscard]] std::uint64_t least_next(std::uint32_t process) const;
  void update_tree(std::uint32_t process);

  StateListener listener_;
  std::vector<Queue> queues_;
  std::vector<std::uint32_t> tree_;  // at each node, the process below it whose next is least
  Cut settled_;                      // the events that have left their queues, and
  std::uint64_t settled_count_ = 0;  // their number
  std::uint64_t reported_ = 0;       // events at the state that was reported last
  std::uint64_t kept_ = 0;
  std::optional<Error> broken_;
};

}  // namespace lightcone
