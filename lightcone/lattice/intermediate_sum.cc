// Walks from one cut over the join of both to another, event by event. A sum that changes by at
// most 1 with each passes by every value between those at the ends.
#include <lightcone/lattice/intermediate_sum.h>

#include <lightcone/lattice/level.h>

#include <algorithm>

namespace lightcone {
namespace {

using Summand = Condition::Summand;

/// Which summands read each chain.
using Readers = std::vector<std::vector<const Summand*>>;

[[nodiscard]] Readers readers_of(const Level& level, std::span<const Summand> sum) {
  Readers readers(level.chains());
  for (const Summand& summand : sum) {
    if (summand.chain != none) readers[summand.chain].push_back(&summand);
  }
  return readers;
}

[[nodiscard]] std::int64_t at(const std::vector<const Summand*>& readers, Rank k) {
  std::int64_t value = 0;
  for (const Summand* summand : readers) value += summand->values[k];
  return value;
}

/// Goes up to `end` until the sum has this value, in an order that respects causality: then the
/// past of an event adds that event to a cut, or all that comes with it in a slice.
[[nodiscard]] std::optional<Cut> walk(const Level& level, std::span<const Summand> sum,
                                      std::int64_t value, Cut cut, const Cut& end) {
  const Readers readers = readers_of(level, sum);
  std::int64_t now = sum_at(sum, cut);
  Cut seen = level.bottom();
  for (const EventIndex e : level.computation().order()) {
    if (now == value) return cut;
    const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
    if (chain == none || seen[chain] >= end[chain]) continue;
    const Rank k = seen[chain] + 1;
    if (level.event(chain, k) != e) continue;
    seen[chain] = k;
    if (k <= cut[chain]) continue;
    const auto past = level.past(chain, k);
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      if (past[c] <= cut[c]) continue;
      now += at(readers[c], past[c]) - at(readers[c], cut[c]);
      cut[c] = past[c];
    }
  }
  if (now == value) return cut;
  return {};
}

}  // namespace

std::uint64_t greatest_step(const Level& level, std::span<const Summand> sum) {
  const Readers readers = readers_of(level, sum);
  std::uint64_t greatest = 0;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = level.bottom()[c] + 1; k <= level.top()[c]; ++k) {
      const std::int64_t before = at(readers[c], k - 1);
      const std::int64_t after = at(readers[c], k);
      const auto up = static_cast<std::uint64_t>(after) - static_cast<std::uint64_t>(before);
      greatest = std::max(greatest, after > before ? up : -up);
    }
  }
  return greatest;
}

std::optional<Cut> intermediate_sum(const Level& level, std::span<const Summand> sum,
                                    std::int64_t value, const Cut& low, const Cut& high) {
  const Cut both = join(low, high);
  if (auto found = walk(level, sum, value, low, both)) return found;
  return walk(level, sum, value, high, both);
}

}  // namespace lightcone
