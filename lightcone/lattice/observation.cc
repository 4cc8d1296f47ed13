// Observations are linear extensions: the computation's own, and one at random.
#include <lightcone/lattice/observation.h>

#include <lightcone/causal/linear_extension.h>

namespace lightcone {
namespace {

/// Of the events in this order, those of the level from its least cut up to `cut`.
[[nodiscard]] std::vector<EventIndex> events_to(const Level& level, std::span<const Rank> cut,
                                                std::span<const EventIndex> order) {
  std::vector<EventIndex> observation;
  Cut reached(level.chains(), 0);
  for (const EventIndex e : order) {
    const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
    if (chain == none || reached[chain] == cut[chain]) continue;
    if (level.event(chain, reached[chain] + 1) != e) continue;
    if (++reached[chain] > level.bottom()[chain]) observation.push_back(e);
  }
  return observation;
}

}  // namespace

std::vector<EventIndex> observation_to(const Level& level, std::span<const Rank> cut) {
  return events_to(level, cut, level.computation().order());
}

std::vector<EventIndex> random_observation(const Level& level, std::uint64_t seed) {
  return events_to(level, level.top(), random_linear_extension(level.computation(), seed));
}

}  // namespace lightcone
