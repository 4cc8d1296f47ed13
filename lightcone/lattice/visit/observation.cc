// Observations are linear extensions: one at random.
#include <lightcone/lattice/visit/observation.h>

#include <lightcone/causal/order/linear_extension.h>

namespace lightcone {

std::vector<EventIndex> random_observation(const Level& level, std::uint64_t seed) {
  std::vector<EventIndex> observation;
  Cut reached(level.chains(), 0);
  for (const EventIndex e : random_linear_extension(level.computation(), seed)) {
    const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
    if (chain == none || reached[chain] == level.top()[chain]) continue;
    if (level.event(chain, reached[chain] + 1) != e) continue;
    if (++reached[chain] > level.bottom()[chain]) observation.push_back(e);
  }
  return observation;
}

}  // namespace lightcone
