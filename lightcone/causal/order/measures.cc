// Counting, and measuring depth, width and concurrency.
#include <lightcone/causal/order/measures.h>

#include <lightcone/causal/order/past_survey.h>

#include <algorithm>
#include <vector>

namespace lightcone {

Counts counts(const Computation& computation) {
  Counts result;
  std::vector<bool> received(computation.message_count(), false);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    switch (computation.kind(e)) {
      case Kind::send: ++result.sends; break;
      case Kind::receive: ++result.receives; break;
      default: ++result.internal; break;
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

std::vector<std::uint32_t> past_sizes(const Computation& computation, const Progress& progress) {
  const auto processes = all_processes(computation);
  return survey_pasts(computation, {.processes = processes, .sizes = true}, progress).sizes;
}

std::uint64_t concurrent_pairs(std::span<const std::uint32_t> past_sizes) {
  std::uint64_t pairs = 0;
  for (std::size_t e = 0; e < past_sizes.size(); ++e) {
    pairs += e;                  // with those before it in the array, and
    pairs -= past_sizes[e] - 1;  // all but those that happened before it
  }
  return pairs;
}

}  // namespace lightcone
