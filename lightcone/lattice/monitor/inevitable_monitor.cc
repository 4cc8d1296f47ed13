// Merging what arrives by the sizes of pasts, as far as it is certain what comes next.
#include <lightcone/lattice/monitor/inevitable_monitor.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint64_t never = UINT64_MAX;

}  // namespace

// The state after m events is inevitable iff exactly m events have p(e) < m (see inevitable.cc). An
// event of process q that is still to come has a p of at least one more than q's last one, or 0.
// So events leave their queues in the order of p, until the least is one that has not arrived. When
// m events have left and none of the others, arrived or not, has a p below m, their state is
// certain.
//
// It could not be told earlier. Say that all of a state's m events have arrived, but q's next event
// may have a smaller p than m. Whatever the execution, change it so that this event receives
// nothing, if there is one, and what followed it hears from its former causes directly; or else,
// add it as a last event of q. All that has arrived stays true, and p of this event is below m.
//
// Never is p > m where m events have left and the least p of all others is p: the strict past of
// such an event has m + 1 events, of which the first m + 1 in any causal order have p <= m, and
// would all have left. So a queue's head with a greater p shows that something was not true.

InevitableMonitor::InevitableMonitor(std::uint32_t processes, StateListener listener)
    : listener_(std::move(listener)),
      queues_(processes),
      tree_(2 * std::size_t{processes}),
      settled_(processes, 0) {
  for (std::uint32_t p = 0; p < processes; ++p) tree_[processes + p] = p;
  for (std::uint32_t p = 0; p < processes; ++p) update_tree(p);
  listener_(settled_);
}

Expected<void> InevitableMonitor::check_open(std::uint32_t process) const {
  if (broken_) return failure(*broken_);
  if (process >= queues_.size()) {
    return failure(fmt::format("process {} of {} processes", process, queues_.size()));
  }
  if (queues_[process].ended) return failure(fmt::format("process {} has ended", process));
  return {};
}

Expected<void> InevitableMonitor::arrive(std::uint32_t process, std::uint64_t past_size) {
  if (auto open = check_open(process); !open) return open;
  Queue& queue = queues_[process];
  if (past_size <= queue.next_at_least || past_size >= none) {
    return failure(fmt::format(
        "event {} of process {} cannot have {} events in its past: at least {}, fewer than {}",
        queue.arrived + 1, process, past_size, queue.next_at_least + 1, none));
  }
  queue.before.push_back(past_size - 1);
  queue.next_at_least = past_size;
  ++queue.arrived;
  ++kept_;
  update_tree(process);
  return advance();
}

Expected<void> InevitableMonitor::arrive(std::uint32_t process, std::span<const Rank> timestamp) {
  if (auto open = check_open(process); !open) return open;
  const std::uint64_t own = queues_[process].arrived + 1;
  if (timestamp.size() > queues_.size() || process >= timestamp.size() ||
      timestamp[process] != own) {
    return failure(fmt::format(
        "the timestamp of event {} of process {} must say so, and have at most {} entries", own,
        process, queues_.size()));
  }
  return arrive(process, size_of(timestamp));
}

Expected<void> InevitableMonitor::end(std::uint32_t process) {
  if (auto open = check_open(process); !open) return open;
  queues_[process].ended = true;
  update_tree(process);
  return advance();
}

/// The least p that the next event of a process can have.
std::uint64_t InevitableMonitor::least_next(std::uint32_t process) const {
  const Queue& queue = queues_[process];
  if (!queue.before.empty()) return queue.before.front();
  return queue.ended ? never : queue.next_at_least;
}

/// Plays the matches of this process again: the root is the process with the least of all.
void InevitableMonitor::update_tree(std::uint32_t process) {
  for (std::size_t node = (queues_.size() + process) / 2; node > 0; node /= 2) {
    const std::uint32_t left = tree_[2 * node], right = tree_[2 * node + 1];
    tree_[node] = least_next(right) < least_next(left) ? right : left;
  }
}

Expected<void> InevitableMonitor::advance() {
  for (;;) {
    const std::uint32_t first = tree_[1];
    Queue& queue = queues_[first];
    const std::uint64_t before = least_next(first);
    if (!queue.before.empty() && before > settled_count_) {
      broken_ = Error{fmt::format("event {} of process {} has {} events in its past, but only {} "
                                  "can be: not all timestamps are true",
                                  settled_[first] + 1, first, before + 1, settled_count_ + 1),
                      {},
                      0,
                      {}};
      return failure(*broken_);
    }
    if (before >= settled_count_ && reported_ < settled_count_) {
      reported_ = settled_count_;
      listener_(settled_);
    }
    if (queue.before.empty()) return {};
    queue.before.pop_front();
    --kept_;
    ++settled_[first];
    ++settled_count_;
    update_tree(first);
  }
}

}  // namespace lightcone
