// Counting, and measuring depth, width and concurrency.
#include <lightcone/causal/measures.h>

#include <lightcone/causal/timestamps.h>

#include <algorithm>
#include <vector>

namespace lightcone {

Counts counts(const Computation& computation) {
  Counts result;
  std::vector<bool> received(computation.message_count(), false);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    switch (computation.kind(e)) {
      case Kind::send:
        ++result.sends;
        break;
      case Kind::receive:
        ++result.receives;
        break;
      default:
        ++result.internal;
        break;
    }
    for (const MessageIndex m : computation.takes(e)) received[m] = true;
  }
  result.received = computation.edge_count();
  result.in_transit =
      static_cast<std::uint64_t>(std::count(received.begin(), received.end(), false));
  return result;
}

Shape shape(const Computation& computation) {
  std::vector<std::uint32_t> depth(computation.event_count(), 0);
  std::vector<std::uint32_t> at_depth;
  for (const EventIndex e : computation.order()) {
    std::uint32_t below =
        e == computation.first_event(computation.process_of(e)) ? 0 : depth[e - 1];
    for (const MessageIndex m : computation.takes(e)) {
      below = std::max(below, depth[computation.sent_by(m)]);
    }
    depth[e] = below + 1;
    if (at_depth.size() < depth[e]) at_depth.push_back(0);
    ++at_depth[below];
  }
  Shape result;
  result.depth = static_cast<std::uint32_t>(at_depth.size());
  for (const std::uint32_t events : at_depth) {
    result.width_at_least = std::max(result.width_at_least, events);
  }
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (computation.last_rank(p) > 0) ++result.width_at_most;
  }
  return result;
}

std::uint64_t concurrent_pairs(const Computation& computation, const Progress& progress) {
  const std::uint64_t events = computation.event_count();
  std::uint64_t past = 0;  // summed over all events, each counted in its own past
  for_each_column_range(
      computation,
      [&](const Timestamps& known) {
        for (EventIndex e = 0; e < events; ++e) {
          for (const std::uint32_t entry : known.of(e)) past += entry;
        }
      },
      progress);
  const std::uint64_t ordered = past - events;
  return events * (events - (events > 0 ? 1 : 0)) / 2 - ordered;
}

double concurrency(const Computation& computation, const Progress& progress) {
  const auto events = static_cast<double>(computation.event_count());
  if (events < 2) return 0;
  return static_cast<double>(concurrent_pairs(computation, progress)) / (events * (events - 1) / 2);
}

}  // namespace lightcone
