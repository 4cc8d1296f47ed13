// Light cones of events, found in causal order until every process is reached.
#include <lightcone/causality.h>

#include <algorithm>

namespace lightcone {
namespace {

/// The processes that a cone has not reached yet.
class Unreached {
 public:
  explicit Unreached(ProcessIndex processes) : left_(processes), reached_(processes, false) {}
  void reach(ProcessIndex p) {
    if (!reached_[p]) --left_;
    reached_[p] = true;
  }
  [[nodiscard]] bool empty() const { return left_ == 0; }

 private:
  ProcessIndex left_;
  std::vector<bool> reached_;
};

/// Backward through a part of the causal order, which ends with the last event of the past. An
/// effect comes before its causes, so an event that is reached is known to be in the past or not.
/// The first one of a process that is in the past is its last one there. Nothing is left to find
/// once there is one of each process.
[[nodiscard]] std::vector<Rank> past_through(const Computation& computation,
                                             std::span<const EventIndex> order,
                                             std::vector<Rank> past) {
  Unreached unreached(computation.process_count());
  for (std::size_t i = order.size(); i-- > 0 && !unreached.empty();) {
    const EventIndex f = order[i];
    const ProcessIndex p = computation.process_of(f);
    if (computation.rank_of(f) > past[p]) continue;
    unreached.reach(p);
    for (const MessageIndex m : computation.takes(f)) {
      const EventIndex send = computation.sent_by(m);
      Rank& last = past[computation.process_of(send)];
      last = std::max(last, computation.rank_of(send));
    }
  }
  return past;
}

[[nodiscard]] std::size_t place_in_order(const Computation& computation, EventIndex e) {
  const auto order = computation.order();
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), e) - order.begin());
}

}  // namespace

std::vector<Rank> causal_past(const Computation& computation, EventIndex e) {
  std::vector<Rank> past(computation.process_count(), 0);
  past[computation.process_of(e)] = computation.rank_of(e);
  return past_through(computation, computation.order().first(place_in_order(computation, e) + 1),
                      std::move(past));
}

std::vector<Rank> causal_past(const Computation& computation, std::vector<EventIndex> events) {
  std::vector<Rank> past(computation.process_count(), 0);
  for (const EventIndex e : events) {
    Rank& last = past[computation.process_of(e)];
    last = std::max(last, computation.rank_of(e));
  }
  return past_through(computation, computation.order(), std::move(past));
}

std::vector<Rank> causal_future(const Computation& computation, EventIndex e) {
  std::vector<Rank> future(computation.process_count());
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    future[p] = computation.last_rank(p) + 1;
  }
  future[computation.process_of(e)] = computation.rank_of(e);
  // In causal order an event is in the future once its process is, or once one of the sends that
  // it takes from is.
  const auto in_future = [&](EventIndex f) {
    return computation.rank_of(f) >= future[computation.process_of(f)];
  };
  Unreached unreached(computation.process_count());
  unreached.reach(computation.process_of(e));
  for (const EventIndex f : computation.order().subspan(place_in_order(computation, e))) {
    if (unreached.empty()) break;
    if (in_future(f)) continue;
    for (const MessageIndex m : computation.takes(f)) {
      if (!in_future(computation.sent_by(m))) continue;
      future[computation.process_of(f)] = computation.rank_of(f);
      unreached.reach(computation.process_of(f));
      break;
    }
  }
  return future;
}

}  // namespace lightcone
