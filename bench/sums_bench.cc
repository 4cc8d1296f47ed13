// Sums over all global states: what their greatest value costs beside the timestamps.
#include "ratio.h"

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/greatest_sum.h>

#include <cstdlib>
#include <random>

namespace lightcone::bench {
namespace {

using Sum = std::vector<Condition::Summand>;

/// What a variable does at the events that change it.
enum class Change { jump, walk, flip };

[[nodiscard]] Sum random_sum(const Level& level, Change change) {
  std::mt19937_64 random(1);
  Sum sum;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    Condition::Summand& summand = sum.emplace_back();
    summand.process = level.process(c);
    summand.chain = c;
    std::int64_t value = 0;
    for (Rank k = 0; k <= level.length(c); ++k) {
      summand.values.push_back(value);
      if (change == Change::jump) value = std::int64_t(random() % 101);
      if (change == Change::walk) value += random() % 2 == 0 ? 1 : -1;
      if (change == Change::flip) value = 1 - value;
    }
  }
  return sum;
}

/// A million events of 64 processes, so many percent of which change the variable. The bound is
/// just beyond the greatest sum, so that all is gone through.
void greatest_sum_of_a_million(benchmark::State& state, Topology topology, Change change) {
  RandomShape shape;
  shape.processes = 64;
  shape.events = 1'000'000;
  shape.topology = topology;
  const auto made = random_computation(shape);
  if (!made) std::abort();
  std::mt19937_64 random(2);
  const auto percent = static_cast<std::uint64_t>(state.range(0));
  const Level level(*made, Selection(*made, [&](EventIndex) { return random() % 100 < percent; }));
  const Sum sum = random_sum(level, change);
  const std::int64_t beyond = greatest_sum(level, sum).value + 1;
  compare(
      state, [&] { benchmark::DoNotOptimize(greatest_sum(level, sum, beyond).value); },
      [&] { benchmark::DoNotOptimize(timestamps(*made).bytes()); }, 5);
}

#define LIGHTCONE_SUMS(topology, change)                                                \
  BENCHMARK_CAPTURE(greatest_sum_of_a_million, topology##_##change, Topology::topology, \
                    Change::change)                                                     \
      ->Arg(20)                                                                         \
      ->Arg(100)                                                                        \
      ->UseManualTime()                                                                 \
      ->Unit(benchmark::kMillisecond)                                                   \
      ->MinTime(1)
LIGHTCONE_SUMS(uniform, jump);
LIGHTCONE_SUMS(uniform, walk);
LIGHTCONE_SUMS(ring, jump);
LIGHTCONE_SUMS(pairs, walk);
LIGHTCONE_SUMS(phases, flip);
#undef LIGHTCONE_SUMS

}  // namespace
}  // namespace lightcone::bench
