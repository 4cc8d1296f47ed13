// Inevitable states: time an event beside the monitor of RR-2194, which finds the same ones.
#include "ratio.h"

#include <fmt/format.h>
#include <lightcone/causal/random_computation.h>
#include <lightcone/lattice/inevitable.h>

#include <cstdlib>

#include "property/papers_monitor.h"

namespace lightcone::bench {
namespace {

constexpr std::uint32_t events = 400'000;

/// Executions with few inevitable states, and with a fair number of them: with a barrier for all
/// every so often, or with next to nothing that happens side by side.
enum Form : std::int64_t { few, barriers };

[[nodiscard]] Computation computation_of(std::uint32_t processes, Form form, std::uint32_t length) {
  RandomShape shape;
  shape.processes = processes;
  shape.events = length;
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

void inevitable_states_of(benchmark::State& state) {
  const auto processes = static_cast<std::uint32_t>(state.range(0));
  const auto form = static_cast<Form>(state.range(1));
  // The monitor takes minutes for all events of many processes, and gets fewer of them.
  const std::uint32_t fewer = processes > 64 ? events / 10 : events;
  const Computation all = computation_of(processes, form, events);
  const Computation part = computation_of(processes, form, fewer);
  const Level level(all, Selection::all(all));
  const Level part_level(part, Selection::all(part));
  if (inevitable_states(part_level).count() != count_by_monitor(part_level)) std::abort();
  std::size_t count = 0;
  compare(
      state, [&] { count = inevitable_states(level).count(); },
      [&] { benchmark::DoNotOptimize(count_by_monitor(part_level)); }, 1, true);
  const double ours = state.counters["ours_ms"] * 1e6 / events;
  const double monitor = state.counters["rival_ms"] * 1e6 / fewer;
  state.counters["ns_an_event"] = ours;
  state.counters["monitor_ns_an_event"] = monitor;
  state.counters["ratio"] = monitor / ours;
  state.counters["inevitable"] = static_cast<double>(count);
  state.SetLabel(
      fmt::format("{}, monitor on {} events", form == few ? "few inevitable" : "barriers", fewer));
}
BENCHMARK(inevitable_states_of)
    ->ArgsProduct({{4, 16, 64, 256}, {few, barriers}})
    ->ArgNames({"processes", "barriers"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.2);

}  // namespace
}  // namespace lightcone::bench
