// Inevitable states: time per event, compared with the monitor of RR-2194, which finds the same
// ones.
#include "ratio.h"

#include <lightcone/causal/order/measures.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/monitor/inevitable_monitor.h>
#include <lightcone/lattice/visit/inevitable.h>

#include <cstdlib>

#include "model/programs/papers_monitor.h"

namespace lightcone::bench {
namespace {

constexpr std::uint32_t events = 400'000;

/// Executions with few inevitable states, the first and the last; and with a fair number of them,
/// since all processes meet at a barrier every so often.
enum Form : std::int64_t { few, barriers };

[[nodiscard]] Computation computation_of(std::uint32_t processes, Form form) {
  RandomShape shape;
  shape.processes = processes;
  shape.events = events;
  if (form == barriers) {
    shape.topology = Topology::phases;
    shape.phase_length = 4;
  }
  return *random_computation(shape);
}

/// The monitor on a level's timestamps, with H⁰ and Hˡᵃˢᵗ.
[[nodiscard]] std::size_t count_by_monitor(const Level& level) {
  const Cut& last = level.top();
  std::size_t found = 0;
  definition::papers_monitor(
      last,
      [&](std::uint32_t i, Rank x, std::uint32_t j, Rank y) {
        if (i == j) return x < y;
        if (x > last[i]) return false;
        return x == 0 || y > last[j] || level.past(j, y)[i] >= x;
      },
      [&](std::span<const Rank>) { ++found; });
  return found;
}

/// The same on the fly: events arrive in causal order, with the sizes of their pasts.
[[nodiscard]] std::size_t count_on_the_fly(const Computation& computation,
                                           std::span<const std::uint32_t> sizes) {
  std::size_t found = 0;
  InevitableMonitor monitor(computation.process_count(), [&](std::span<const Rank>) { ++found; });
  for (const EventIndex e : computation.order()) {
    if (!monitor.arrive(computation.process_of(e), sizes[e])) std::abort();
  }
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (!monitor.end(p)) std::abort();
  }
  return found;
}

void inevitable_states_of(benchmark::State& state) {
  const auto form = static_cast<Form>(state.range(1));
  const Computation computation = computation_of(static_cast<std::uint32_t>(state.range(0)), form);
  const Level level(computation, Selection::all(computation));
  const std::vector<std::uint32_t> sizes = past_sizes(computation);
  const std::size_t count = inevitable_states(level).count();
  std::size_t on_the_fly = 0;
  const double fly_time = seconds([&] { on_the_fly = count_on_the_fly(computation, sizes); });
  if (count != count_by_monitor(level) || count != on_the_fly) std::abort();
  compare(
      state, [&] { benchmark::DoNotOptimize(inevitable_states(level).count()); },
      [&] { benchmark::DoNotOptimize(count_by_monitor(level)); }, 1, true);
  state.counters["ns_an_event"] = state.counters["ours_ms"] * 1e6 / events;
  state.counters["fly_ns_an_event"] = fly_time * 1e9 / events;
  state.counters["rival_ns_an_event"] = state.counters["rival_ms"] * 1e6 / events;
  state.counters["inevitable"] = static_cast<double>(count);
  state.SetLabel(form == few ? "few inevitable" : "barriers");
}
BENCHMARK(inevitable_states_of)
    ->ArgsProduct({{4, 16, 64, 256}, {few, barriers}})
    ->ArgNames({"processes", "barriers"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.2);

}  // namespace
}  // namespace lightcone::bench
