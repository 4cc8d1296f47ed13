// Adds the causes that are missing, or removes the effects that lack a cause.
#include <lightcone/view/nearest_cut.h>

#include <lightcone/causality.h>
#include <lightcone/error.h>

namespace lightcone {

std::vector<Rank> least_consistent_above(const Computation& computation,
                                         std::span<const Rank> ranks) {
  LIGHTCONE_ASSERT(ranks.size() == computation.process_count());
  std::vector<EventIndex> last;
  for (ProcessIndex p = 0; p < ranks.size(); ++p) {
    LIGHTCONE_ASSERT(ranks[p] <= computation.last_rank(p));
    if (ranks[p] > 0) last.push_back(computation.event(p, ranks[p]));
  }
  return causal_past(computation, std::move(last));
}

// A process is cut before its first event that takes a message from outside. In the linear order a
// cause comes before its effects, so that what is outside is known when an event is reached.
std::vector<Rank> greatest_consistent_below(const Computation& computation,
                                            std::span<const Rank> ranks) {
  LIGHTCONE_ASSERT(ranks.size() == computation.process_count());
  std::vector<Rank> cut(ranks.begin(), ranks.end());
  const auto is_inside = [&](EventIndex e) {
    return computation.rank_of(e) <= cut[computation.process_of(e)];
  };
  for (const EventIndex e : computation.order()) {
    if (!is_inside(e)) continue;
    for (const MessageIndex m : computation.takes(e)) {
      if (is_inside(computation.sent_by(m))) continue;
      cut[computation.process_of(e)] = computation.rank_of(e) - 1;
      break;
    }
  }
  return cut;
}

}  // namespace lightcone
