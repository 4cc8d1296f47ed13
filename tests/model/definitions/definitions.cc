// Brute force, as close to the words of the papers as C++ allows.
#include "model/definitions/definitions.h"

#include <algorithm>

namespace lightcone::definition {

HappenedBefore::HappenedBefore(const Computation& computation)
    : matrix_(computation.event_count(), std::vector<bool>(computation.event_count(), false)) {
  const EventIndex events = computation.event_count();
  for (EventIndex e = 0; e < events; ++e) {
    for (EventIndex f = 0; f < events; ++f) {
      const bool local_step = computation.process_of(e) == computation.process_of(f) &&
                              computation.rank_of(e) + 1 == computation.rank_of(f);
      const auto takes = computation.takes(f);
      const bool message = std::any_of(takes.begin(), takes.end(),
                                       [&](MessageIndex m) { return computation.sent_by(m) == e; });
      matrix_[e][f] = local_step || message;
    }
  }
  for (EventIndex g = 0; g < events; ++g) {
    for (EventIndex e = 0; e < events; ++e) {
      if (!matrix_[e][g]) continue;
      for (EventIndex f = 0; f < events; ++f) {
        if (matrix_[g][f]) matrix_[e][f] = true;
      }
    }
  }
}

namespace {

/// The chosen events of each process, in order.
std::vector<EventIndex> chosen(const Computation& computation, const Selection& selection,
                               ProcessIndex p) {
  std::vector<EventIndex> events;
  for (Rank k = 1; k <= computation.last_rank(p); ++k) {
    if (selection.contains(computation.event(p, k))) events.push_back(computation.event(p, k));
  }
  return events;
}

/// Whether the fictitious event that starts i precedes f: it precedes all of i's events.
bool start_precedes(const Computation& computation, const HappenedBefore& before, ProcessIndex i,
                    EventIndex f) {
  if (computation.process_of(f) == i) return true;
  for (Rank k = 1; k <= computation.last_rank(i); ++k) {
    if (before(computation.event(i, k), f)) return true;
  }
  return false;
}

}  // namespace

bool strongly_precedes(const Computation& computation, const HappenedBefore& before,
                       const Selection& relevant, LocalState s, LocalState t) {
  if (s.process == t.process && t.index == s.index + 1) return true;
  const auto of_i = chosen(computation, relevant, s.process);
  const auto of_j = chosen(computation, relevant, t.process);
  if (s.index + 1 > of_i.size() || t.index == 0) return false;
  return before(of_i[s.index], of_j[t.index - 1]);
}

bool weakly_precedes(const Computation& computation, const HappenedBefore& before,
                     const Selection& relevant, LocalState s, LocalState t) {
  const auto of_i = chosen(computation, relevant, s.process);
  const auto of_j = chosen(computation, relevant, t.process);
  if (t.index == 0) return false;
  if (s.index == 0) return start_precedes(computation, before, s.process, of_j[t.index - 1]);
  return before(of_i[s.index - 1], of_j[t.index - 1]);
}

bool covers(const Computation& computation, const HappenedBefore& before, const Selection& observed,
            EventIndex f, EventIndex e) {
  if (!observed.contains(e) || !observed.contains(f) || !before(e, f)) return false;
  for (EventIndex g = 0; g < computation.event_count(); ++g) {
    if (observed.contains(g) && before(e, g) && before(g, f)) return false;
  }
  return true;
}

std::vector<Reception> traced_receptions(const Computation& computation,
                                         const HappenedBefore& before) {
  std::vector<Reception> traced;
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    EventIndex previous = none;
    for (EventIndex f = computation.first_event(computation.process_of(e)); f < e; ++f) {
      if (!computation.takes(f).empty()) previous = f;
    }
    for (const MessageIndex m : computation.takes(e)) {
      const EventIndex send = computation.sent_by(m);
      const bool forced = previous == none || previous == send || before(previous, send);
      if (!forced) traced.push_back({e, m});
    }
  }
  return traced;
}

std::vector<std::pair<Reception, Reception>> racing_pairs(const Computation& computation,
                                                          const HappenedBefore& before) {
  std::vector<std::pair<Reception, Reception>> pairs;
  for (EventIndex second = 0; second < computation.event_count(); ++second) {
    for (const MessageIndex n : computation.takes(second)) {
      const ProcessIndex p = computation.process_of(second);
      for (EventIndex first = computation.first_event(p); first < second; ++first) {
        for (const MessageIndex m : computation.takes(first)) {
          const EventIndex send = computation.sent_by(n);
          if (m != n && first != send && !before(first, send)) {
            pairs.push_back({{first, m}, {second, n}});
          }
        }
      }
    }
  }
  return pairs;
}

std::uint32_t depth(const Computation& computation, const HappenedBefore& before) {
  // Longest chains by repeated relaxation, in no clever order.
  std::vector<std::uint32_t> longest(computation.event_count(), 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (EventIndex e = 0; e < computation.event_count(); ++e) {
      for (EventIndex f = 0; f < computation.event_count(); ++f) {
        if (before(e, f) && longest[f] < longest[e] + 1) {
          longest[f] = longest[e] + 1;
          changed = true;
        }
      }
    }
  }
  return longest.empty() ? 0 : *std::max_element(longest.begin(), longest.end());
}

}  // namespace lightcone::definition
