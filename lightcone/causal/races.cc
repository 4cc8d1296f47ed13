// Races, by comparing one entry of the send's timestamp with the rank of an earlier receive.
#include <lightcone/causal/races.h>

#include <lightcone/causal/earlier_receptions.h>
#include <lightcone/causal/timestamps.h>

namespace lightcone {
namespace {

/// Calls `visit(receiver, timestamps)` for each process, with timestamps that have its column.
void for_each_receiver(const Computation& computation, const Progress& progress,
                       const std::function<void(ProcessIndex, const Timestamps&)>& visit) {
  for_each_column_range(
      computation,
      [&](const Timestamps& known) {
        for (ProcessIndex i = 0; i < known.columns().count; ++i) {
          visit(known.columns().first + i, known);
        }
      },
      progress);
}

}  // namespace

std::vector<Reception> traced_receptions(const Computation& computation, const Timestamps& known) {
  const Admission admission(computation);
  std::vector<Reception> traced;
  const ProcessRange receivers = known.columns();
  for (ProcessIndex p = receivers.first; p < receivers.first + receivers.count; ++p) {
    EarlierReceptions earlier(computation, admission);
    Rank previous_receive = 0;  // the first receive has none, and races with none before it
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      const auto takes = computation.takes(e);
      if (takes.empty()) continue;
      for (const MessageIndex m : takes) {
        if (admission.selects()) previous_receive = earlier.last_admitting(m);
        if (known.at(computation.sent_by(m), p) < previous_receive) traced.push_back({e, m});
      }
      previous_receive = computation.rank_of(e);
      if (admission.selects()) earlier.add(e);
    }
  }
  return traced;
}

std::vector<Reception> traced_receptions(const Computation& computation, const Progress& progress) {
  std::vector<Reception> traced;
  for_each_column_range(
      computation,
      [&](const Timestamps& known) {
        const auto some = traced_receptions(computation, known);
        traced.insert(traced.end(), some.begin(), some.end());
      },
      progress);
  return traced;
}

bool for_each_racing_pair(const Computation& computation,
                          const std::function<bool(Reception, Reception)>& visit,
                          const Progress& progress) {
  bool going_on = true;
  const Admission admission(computation);
  for_each_receiver(computation, progress, [&](ProcessIndex p, const Timestamps& known) {
    EarlierReceptions earlier(computation, admission);
    for (EventIndex e = computation.first_event(p); going_on && e < computation.end_event(p); ++e) {
      for (const MessageIndex m : computation.takes(e)) {
        // Those received after what the sender of m knew of p.
        const Rank known_rank = known.at(computation.sent_by(m), p);
        going_on = going_on && earlier.for_each_admitting({e, m}, known_rank, visit);
      }
      earlier.add(e);
    }
  });
  return going_on;
}

}  // namespace lightcone
