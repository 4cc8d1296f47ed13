// Finding linear extensions, or the cycle that forbids them.
#include <lightcone/causal/order/linear_extension.h>

#include <lightcone/error.h>

#include <random>

namespace lightcone {
namespace {

/// Emits events process by process; a receive whose send is not out yet makes its process wait,
/// on a stack, until the sender has come that far. A sender that is itself waiting closes a cycle.
class CausalSorter {
 public:
  CausalSorter(const CausalRelation& relation, std::size_t events)
      : relation_(relation),
        next_(relation.first.begin(), relation.first.end() - 1),
        waiting_(next_.size(), false) {
    result_.order.reserve(events);
  }

  /// Emits all events of e's process up to e; false when that closes a cycle.
  bool emit_through(EventIndex e) {
    wait_for(e);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      EventIndex& next = next_[top.process];
      if (next > top.target) {
        waiting_[top.process] = false;
        stack_.pop_back();
        continue;
      }
      const EventIndex missing = missing_send(next, top.next_take);
      if (missing == none) {
        result_.order.push_back(next++);
        top.next_take = 0;
      } else if (waiting_[relation_.process_of[missing]]) {
        report_cycle(relation_.process_of[missing]);
        return false;
      } else {
        wait_for(missing);
      }
    }
    return true;
  }

  [[nodiscard]] bool is_out(EventIndex e) const { return e < next_[relation_.process_of[e]]; }
  [[nodiscard]] OrderOrCycle take_result() { return std::move(result_); }

 private:
  struct Frame {
    ProcessIndex process;
    EventIndex target;
    std::uint32_t next_take;  // the receptions of the next event before this one are out
  };

  void wait_for(EventIndex e) {
    const ProcessIndex p = relation_.process_of[e];
    waiting_[p] = true;
    stack_.push_back({p, e, 0});
  }

  [[nodiscard]] EventIndex missing_send(EventIndex e, std::uint32_t& next_take) const {
    const std::uint32_t begin = relation_.takes_begin[e];
    const std::uint32_t count = relation_.takes_begin[e + 1] - begin;
    for (; next_take < count; ++next_take) {
      const EventIndex send = relation_.sent_by[relation_.takes[begin + next_take]];
      if (!is_out(send)) return send;
    }
    return none;
  }

  void report_cycle(ProcessIndex closing) {
    bool inside = false;
    for (const Frame& frame : stack_) {
      inside = inside || frame.process == closing;
      if (inside) result_.cycle.push_back(next_[frame.process]);
    }
  }

  const CausalRelation& relation_;
  std::vector<EventIndex> next_;  // indexed by process: its first event that is not out yet
  std::vector<bool> waiting_;     // indexed by process
  std::vector<Frame> stack_;
  OrderOrCycle result_;
};

}  // namespace

OrderOrCycle order_causally(const CausalRelation& relation, std::span<const EventIndex> preferred) {
  CausalSorter sorter(relation, preferred.size());
  for (const EventIndex e : preferred) {
    if (!sorter.is_out(e) && !sorter.emit_through(e)) break;
  }
  return sorter.take_result();
}

std::vector<EventIndex> random_linear_extension(const Computation& computation,
                                                std::uint64_t seed) {
  const std::uint32_t n = computation.process_count();
  std::mt19937_64 random(seed);
  std::vector<EventIndex> order;
  order.reserve(computation.event_count());
  std::vector<Rank> done(n, 0);
  std::vector<std::vector<ProcessIndex>> waiters(computation.message_count());
  std::vector<ProcessIndex> ready;

  // Puts p among the ready, or among those who wait for the first send that p still lacks.
  const auto settle = [&](ProcessIndex p) {
    if (done[p] == computation.last_rank(p)) return;
    for (const MessageIndex m : computation.takes(computation.event(p, done[p] + 1))) {
      const EventIndex send = computation.sent_by(m);
      if (computation.rank_of(send) > done[computation.process_of(send)]) {
        waiters[m].push_back(p);
        return;
      }
    }
    ready.push_back(p);
  };

  for (ProcessIndex p = 0; p < n; ++p) settle(p);
  while (!ready.empty()) {
    const std::size_t chosen = random() % ready.size();
    const ProcessIndex p = ready[chosen];
    ready[chosen] = ready.back();
    ready.pop_back();
    const EventIndex e = computation.event(p, ++done[p]);
    order.push_back(e);
    settle(p);
    if (const MessageIndex m = computation.sends(e); m != none) {
      for (const ProcessIndex waiter : std::exchange(waiters[m], {})) settle(waiter);
    }
  }
  LIGHTCONE_ASSERT(order.size() == computation.event_count());
  return order;
}

bool is_linear_extension(const Computation& computation, std::span<const EventIndex> order) {
  if (order.size() != computation.event_count()) return false;
  std::vector<Rank> done(computation.process_count(), 0);
  for (const EventIndex e : order) {
    if (e >= computation.event_count()) return false;
    if (computation.rank_of(e) != ++done[computation.process_of(e)]) return false;
    for (const MessageIndex m : computation.takes(e)) {
      const EventIndex send = computation.sent_by(m);
      if (send == e || computation.rank_of(send) > done[computation.process_of(send)]) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace lightcone
