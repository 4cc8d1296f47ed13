// The order that vector clocks describe: each host's events by rank, and what each event covers.
#pragma once

#include <lightcone/error.h>
#include <lightcone/progress.h>
#include <lightcone/trace/clocks/clock_log.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// Checks the clocks of a log against each other and finds the covering relation.
class ClockOrder {
 public:
  explicit ClockOrder(ClockedEvents& events) : log_(events) {}

  /// Puts each host's events in the order of their own entries, which must be 1, 2, 3, ...
  [[nodiscard]] Expected<void> order_hosts();
  /// Every entry must name an event of the log.
  [[nodiscard]] Expected<void> check_references() const;
  /// Cuts entries down to the events that the log has. This keeps the order among those, because
  /// they are a prefix of each host. Returns the events that name one that is missing and that
  /// their predecessor does not name, once for each entry.
  [[nodiscard]] std::vector<LogPosition> cut_references();
  /// For each event those of other hosts that it covers.
  [[nodiscard]] Expected<void> cover(const Progress& progress);

  [[nodiscard]] Rank last_rank(HostIndex h) const { return first_[h + 1] - first_[h]; }
  /// Returns the event of rank `k >= 1`.
  [[nodiscard]] LogPosition event(HostIndex h, Rank k) const { return by_rank_[first_[h] + k - 1]; }
  /// What the event covers on other hosts.
  [[nodiscard]] std::span<const LogPosition> covered(LogPosition e) const {
    return {covered_.data() + covered_begin_[e], covered_begin_[e + 1] - covered_begin_[e]};
  }

 private:
  using Entry = ClockedEvents::Entry;

  [[nodiscard]] Expected<void> check_ranks(HostIndex h) const;
  void sum_clocks();
  [[nodiscard]] Expected<void> find_news(LogPosition e);
  [[nodiscard]] Expected<void> check_news(LogPosition e);
  [[nodiscard]] Error contradiction(LogPosition e, LogPosition f, Entry known) const;
  [[nodiscard]] std::string host(HostIndex h) const;
  [[nodiscard]] std::string described(HostIndex h, Rank k) const;
  [[nodiscard]] Error at(LogPosition e, std::string what, std::string hint) const;

  ClockedEvents& log_;
  std::vector<std::uint32_t> first_;  // where each host begins in by_rank_
  std::vector<LogPosition> by_rank_;
  std::vector<std::uint64_t> sums_;  // of the clocks, own entries included
  std::vector<std::size_t> covered_begin_;
  std::vector<LogPosition> covered_;

  // Indexed by host, all zero between events: the clock of the event and of its predecessor, and
  // the greatest sum of a clock in the news that knows the event named here (of hosts with events).
  std::vector<Rank> now_;
  std::vector<Rank> before_;
  std::vector<std::uint64_t> known_by_;
  std::vector<LogPosition> news_;  // the events that this event names and its predecessor did not
};

}  // namespace lightcone
