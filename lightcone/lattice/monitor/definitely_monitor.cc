// The strong conjunctive algorithm (Garg and Waldecker), with ends that may still be missing.
#include <lightcone/lattice/monitor/definitely_monitor.h>

namespace lightcone {

// Every observation passes a state with all predicates true iff there are intervals, one per
// process, such that each ends after all others have begun: begin(i) is in the past of end(j). At
// the level of the changes, an interval is one local state, and that says that the state they make
// is inevitable (RR-2194, 3.2.1). An interval that begins with the process begins before all, one
// that does not end ends after all.
//
// If begin(i) is not in the past of end(j), the interval of j is out: later ones of i begin later
// still. So first intervals leave until all meet. Where a process has no interval, the next begins
// after its last event. Where the end of an interval has not arrived, it knows at least what the
// last event of its process knows. It may know nothing more, and that event may be the next; so yes
// is not certain while some begin is not known there. Nor is no, unless a process that has ended
// has no interval left: intervals still to begin may know all that has arrived, and to end may know
// them.
//
// An interval whose end knows the same of others as the end of the one before it meets no others
// than that one does, which begins earlier: it need not be kept.
//
// A comparison of one end with all begins, or one begin with all ends, is O(n); there is one for
// each event and one for each interval that leaves.

DefinitelyMonitor::DefinitelyMonitor(const std::vector<bool>& initial)
    : timestamps_(static_cast<std::uint32_t>(initial.size())),
      queues_(initial.size()),
      begins_(initial.size(), 0),
      ends_(initial.size(), nullptr),
      without_(static_cast<std::uint32_t>(initial.size())) {
  const Cut zeros(initial.size(), 0);
  for (std::uint32_t p = 0; p < initial.size(); ++p) {
    queues_[p].holds = initial[p];
    if (initial[p]) push(p, zeros);
  }
  for (std::uint32_t p = 0; p < initial.size(); ++p) moved_.push_back(p);
  advance();
}

Expected<void> DefinitelyMonitor::arrive(std::uint32_t process, std::span<const Rank> timestamp,
                                         bool holds) {
  if (auto possible = timestamps_.arrive(process, timestamp); !possible) return possible;
  if (finding_.found) return {};
  Queue& queue = queues_[process];
  const std::span<const Rank> full = timestamps_.last(process);
  const bool may_move = queue.intervals.empty() || is_open(process);
  if (holds && !queue.holds) push(process, full);
  if (!holds && queue.holds) close(process, full);
  queue.holds = holds;
  if (may_move) moved_.push_back(process);
  advance();
  return {};
}

Expected<void> DefinitelyMonitor::end(std::uint32_t process) {
  if (auto possible = timestamps_.end(process); !possible) return possible;
  if (finding_.found) return {};
  impossible_ |= queues_[process].intervals.empty();
  find_end(process);
  moved_.push_back(process);
  advance();
  return {};
}

void DefinitelyMonitor::push(std::uint32_t process, std::span<const Rank> timestamp) {
  auto& intervals = queues_[process].intervals;
  if (intervals.empty()) --without_;
  intervals.push_back({Cut(timestamp.begin(), timestamp.end()), {}});
  ++kept_;
  find_end(process);
}

/// The last interval ends; or is forgotten, if it is as good as the one before.
void DefinitelyMonitor::close(std::uint32_t process, std::span<const Rank> timestamp) {
  auto& intervals = queues_[process].intervals;
  if (intervals.size() > 1 &&
      know_the_same(intervals[intervals.size() - 2].end, timestamp, process)) {
    intervals.pop_back();
    --kept_;
    return;
  }
  intervals.back().end.assign(timestamp.begin(), timestamp.end());
  find_end(process);
}

/// Returns whether the first interval of a process may still go on.
bool DefinitelyMonitor::is_open(std::uint32_t process) const {
  const auto& intervals = queues_[process].intervals;
  return !intervals.empty() && intervals.front().end.empty();
}

void DefinitelyMonitor::find_end(std::uint32_t process) {
  const auto& intervals = queues_[process].intervals;
  if (intervals.empty() || (is_open(process) && timestamps_.has_ended(process))) {
    ends_[process] = nullptr;
  } else {
    ends_[process] =
        is_open(process) ? timestamps_.last(process).data() : intervals.front().end.data();
  }
}

/// Compares the end of the first interval of a process with all begins.
void DefinitelyMonitor::review(std::uint32_t process) {
  Queue& queue = queues_[process];
  queue.unmet = 0;
  const Rank* known = ends_[process];
  if (known == nullptr) return;
  const std::uint32_t unmet = entries_above(begins_.data(), known, begins_.size());
  if (is_open(process)) queue.unmet = unmet;
  if (is_open(process) || unmet == 0) return;
  queue.intervals.pop_front();
  --kept_;
  find_end(process);
  moved_.push_back(process);
  if (!queue.intervals.empty()) return;
  ++without_;
  impossible_ |= timestamps_.has_ended(process);
}

/// Compares the begin of the first interval of a process with all ends, if it is new.
void DefinitelyMonitor::set_begin(std::uint32_t process) {
  const auto& intervals = queues_[process].intervals;
  const Rank before = begins_[process];
  const Rank now =
      intervals.empty() ? timestamps_.arrived(process) + 1 : intervals.front().begin[process];
  if (now == before) return;
  begins_[process] = now;
  for (std::uint32_t p = 0; p < ends_.size(); ++p) {
    if (p == process || ends_[p] == nullptr) continue;
    const Rank known = ends_[p][process];
    if (known >= now || known < before) continue;  // what missed the one before is noted already
    if (is_open(p)) {
      ++queues_[p].unmet;
    } else {
      moved_.push_back(p);
    }
  }
}

void DefinitelyMonitor::advance() {
  while (!moved_.empty() && !impossible_) {
    const std::uint32_t process = moved_.back();
    moved_.pop_back();
    set_begin(process);
    review(process);
  }
  decide();
}

void DefinitelyMonitor::decide() {
  if (!impossible_) {
    if (without_ > 0) return;
    for (const Queue& queue : queues_) {
      if (queue.unmet > 0) return;
    }
    finding_.cut.assign(queues_.size(), 0);
    for (const Queue& queue : queues_) {
      finding_.cut = join(finding_.cut, queue.intervals.front().begin);
    }
  }
  finding_.found = !impossible_;
  queues_ = {};
  ends_ = {};
  moved_ = {};
  kept_ = 0;
}

}  // namespace lightcone
