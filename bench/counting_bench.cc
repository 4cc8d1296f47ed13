// Counting global states without a visit: beside a visit of them, and beside the timestamps it
// needs.
#include "ratio.h"

#include <lightcone/causal/builder.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/visit/enumeration.h>
#include <lightcone/trace.h>

#include <cstdlib>
#include <random>
#include <string>

namespace lightcone::bench {
namespace {

struct KnownPoset {
  const char* name;
  std::uint64_t states;
};
/// Chang and Garg's posets.
constexpr KnownPoset known_posets[] = {
    {"d-50.txt", 590'976}, {"d-100.txt", 1'177'996}, {"d-300.txt", 42'695'907}};

/// How states were counted before: whole ranges of the last process, one after the other.
[[nodiscard]] std::uint64_t visited(const Futures& futures) {
  std::uint64_t states = 0;
  for_each_cut_range(futures, all_of(futures.level()), [&](const CutRange& range) {
    states += std::uint64_t{range.to - range.from} + 1;
    return true;
  });
  return states;
}

void counting_a_poset(benchmark::State& state) {
  const KnownPoset& poset = known_posets[state.range(0)];
  auto reading =
      read_trace(std::string(LIGHTCONE_TEST_DATA "/data/posets/") + poset.name, Format::clocks);
  if (!reading) std::abort();
  const Level level(reading->computation, Selection::all(reading->computation));
  const Futures futures(level);
  Count counted;
  std::uint64_t seen = 0;
  compare(
      state, [&] { counted = count_cuts(futures, all_of(level)); },
      [&] { seen = visited(futures); }, 4, true);
  if (counted.number != poset.states || seen != poset.states) std::abort();
  state.SetLabel(poset.name);
}
BENCHMARK(counting_a_poset)->DenseRange(0, 2)->UseManualTime()->Unit(benchmark::kMillisecond);

/// Messages between random processes and their parents in a binary tree.
[[nodiscard]] Computation tree(std::uint32_t processes, std::uint32_t events) {
  Builder builder;
  std::mt19937_64 random(1);
  for (std::uint32_t p = 0; p < processes; ++p) (void)builder.process("p" + std::to_string(p));
  const NameIndex prefix = builder.name("m");
  for (std::uint32_t i = 0; i < events / 2; ++i) {
    ProcessIndex from = 1 + static_cast<ProcessIndex>(random() % (processes - 1));
    ProcessIndex to = (from - 1) / 2;
    if (random() % 2 == 0) std::swap(from, to);
    const MessageIndex message = builder.fresh_message(prefix, i);
    builder.add({.process = from, .kind = Kind::send, .sends = message});
    builder.add({.process = to, .kind = Kind::receive, .takes = {&message, 1}});
  }
  auto built = builder.build();
  if (!built) std::abort();
  return std::move(*built);
}

[[nodiscard]] Computation generated(Topology topology, std::uint32_t processes,
                                    std::uint32_t events) {
  auto made = random_computation({.processes = processes, .events = events, .topology = topology});
  if (!made) std::abort();
  return std::move(*made);
}

/// Beside the timestamps, which a count needs in any case.
void count_beside_timestamps(benchmark::State& state, const Computation& computation,
                             double limit) {
  const Level level(computation, Selection::all(computation));
  const Futures futures(level);
  Count counted;
  compare(
      state, [&] { counted = count_cuts(futures, all_of(level)); },
      [&] { const Futures again(Level(computation, Selection::all(computation))); }, limit);
  if (!counted.exact || counted.method != CountMethod::elimination) std::abort();
  state.counters["digits"] = double(counted.decimal.size());
  state.counters["width"] = counted.width;
}

void counting_a_star(benchmark::State& state) {
  count_beside_timestamps(state, generated(Topology::star, 64, 100'000), 10);
}
BENCHMARK(counting_a_star)->UseManualTime()->Unit(benchmark::kMillisecond);

void counting_a_ring(benchmark::State& state) {
  count_beside_timestamps(state, generated(Topology::ring, 16, 2'000), 50);
}
BENCHMARK(counting_a_ring)->UseManualTime()->Unit(benchmark::kMillisecond);

void counting_a_tree(benchmark::State& state) {
  count_beside_timestamps(state, tree(255, 50'000), 10);
}
BENCHMARK(counting_a_tree)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lightcone::bench
