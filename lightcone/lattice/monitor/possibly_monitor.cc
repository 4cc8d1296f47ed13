// The weak conjunctive algorithm (Garg and Waldecker), as an ascent to the least cut.
#include <lightcone/lattice/monitor/possibly_monitor.h>

#include <algorithm>

namespace lightcone {

// The cuts that satisfy a conjunction are closed under meet, so there is a least one. No such cut
// has process i before its first candidate; and it contains whatever that candidate knows, or,
// where none has arrived, what the last event of i knows, since each later one does. `least_` is
// the join of these bounds. Bounds only grow, so a candidate below `least_` is out for good, and
// when no more are out and all processes have a candidate, `least_` has them all: it is the least
// cut.
//
// It is certain that there is none when a process has ended and has no candidate. Before, it is
// not: let each process without a candidate go on without hearing of anything, as far as others
// know of it and by one event at least, to a state in which its predicate holds. All that has
// arrived stays true, and these states together with the first candidates of the others are
// consistent.
//
// A process's bound changes when it gets another first candidate, or when it has none and an event
// arrives: O(n) for each event in all.

PossiblyMonitor::PossiblyMonitor(const std::vector<bool>& initial)
    : timestamps_(static_cast<std::uint32_t>(initial.size())),
      queues_(initial.size()),
      least_(initial.size(), 0),
      without_(static_cast<std::uint32_t>(initial.size())) {
  for (std::uint32_t p = 0; p < initial.size(); ++p) {
    if (initial[p]) push(p, least_);
  }
  decide();
}

Expected<void> PossiblyMonitor::arrive(std::uint32_t process, std::span<const Rank> timestamp,
                                       bool holds) {
  if (auto possible = timestamps_.arrive(process, timestamp); !possible) return possible;
  if (finding_.found) return {};
  const bool had_none = queues_[process].candidates.empty();
  const std::span<const Rank> full = timestamps_.last(process);
  if (holds && full[process] >= least_[process]) push(process, full);
  if (had_none) moved_.push_back(process);
  advance();
  return {};
}

Expected<void> PossiblyMonitor::end(std::uint32_t process) {
  if (auto possible = timestamps_.end(process); !possible) return possible;
  if (finding_.found) return {};
  impossible_ |= queues_[process].candidates.empty();
  decide();
  return {};
}

void PossiblyMonitor::push(std::uint32_t process, std::span<const Rank> timestamp) {
  Queue& queue = queues_[process];
  if (queue.candidates.empty()) --without_;
  const bool same = !queue.known.empty() && know_the_same(queue.known.back(), timestamp, process);
  if (!same) queue.known.emplace_back(timestamp.begin(), timestamp.end());
  queue.candidates.push_back({timestamp[process], same});
  ++kept_;
}

void PossiblyMonitor::pop(std::uint32_t process) {
  Queue& queue = queues_[process];
  queue.candidates.pop_front();
  --kept_;
  if (queue.candidates.empty() || !queue.candidates.front().same_known) queue.known.pop_front();
  if (!queue.candidates.empty()) return;
  ++without_;
  impossible_ |= timestamps_.has_ended(process);
}

/// Raises the bounds of all that moved, until nothing more is out.
void PossiblyMonitor::advance() {
  while (!moved_.empty() && !impossible_) {
    const std::uint32_t process = moved_.back();
    moved_.pop_back();
    const Queue& queue = queues_[process];
    if (queue.candidates.empty()) {
      raise_least(timestamps_.last(process));
    } else {
      least_[process] = std::max(least_[process], queue.candidates.front().rank);
      raise_least(queue.known.front());
    }
  }
  decide();
}

void PossiblyMonitor::raise_least(std::span<const Rank> known) {
  for (std::uint32_t p = 0; p < known.size(); ++p) {
    if (known[p] <= least_[p]) continue;
    least_[p] = known[p];
    const auto& candidates = queues_[p].candidates;
    if (candidates.empty() || candidates.front().rank >= least_[p]) continue;
    while (!candidates.empty() && candidates.front().rank < least_[p]) pop(p);
    moved_.push_back(p);
  }
}

void PossiblyMonitor::decide() {
  if (!impossible_ && without_ > 0) return;
  finding_.found = !impossible_;
  if (!impossible_) finding_.cut = std::move(least_);
  queues_ = {};
  moved_ = {};
  kept_ = 0;
}

}  // namespace lightcone
