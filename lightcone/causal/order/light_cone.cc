// Walking along messages, backward and forward, each event at most once.
#include <lightcone/causality.h>

namespace lightcone {

std::vector<Rank> causal_past(const Computation& computation, EventIndex e) {
  return causal_past(computation, std::vector<EventIndex>{e});
}

std::vector<Rank> causal_past(const Computation& computation, std::vector<EventIndex> events) {
  std::vector<Rank> past(computation.process_count(), 0);
  std::vector<EventIndex>& found = events;  // known to be in the past, not all before them seen
  while (!found.empty()) {
    const EventIndex last = found.back();
    found.pop_back();
    const ProcessIndex p = computation.process_of(last);
    const Rank seen = past[p];
    if (computation.rank_of(last) <= seen) continue;
    past[p] = computation.rank_of(last);
    for (EventIndex f = last + 1; f > computation.first_event(p) + seen; --f) {
      for (const MessageIndex m : computation.takes(f - 1)) {
        const EventIndex send = computation.sent_by(m);
        if (computation.rank_of(send) > past[computation.process_of(send)]) found.push_back(send);
      }
    }
  }
  return past;
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
  for (const EventIndex f : computation.order()) {
    if (in_future(f)) continue;
    for (const MessageIndex m : computation.takes(f)) {
      if (!in_future(computation.sent_by(m))) continue;
      future[computation.process_of(f)] = computation.rank_of(f);
      break;
    }
  }
  return future;
}

}  // namespace lightcone
