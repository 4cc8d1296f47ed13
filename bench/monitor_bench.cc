// Monitors of global predicates: time an event beside the timestamps that they are fed with.
#include "ratio.h"

#include <lightcone/causal/random_computation.h>
#include <lightcone/lattice/definitely_monitor.h>
#include <lightcone/lattice/level.h>
#include <lightcone/lattice/possibly_monitor.h>
#include <lightcone/lattice/properly_monitor.h>
#include <lightcone/riders/ride.h>
#include <lightcone/riders/vector_clock_rider.h>

#include <cstdlib>

namespace lightcone::bench {
namespace {

constexpr std::uint32_t events = 200'000;

enum Modality : std::int64_t { possibly, definitely, properly };

/// All processes meet at a barrier every so often, so that much can be forgotten.
[[nodiscard]] Computation computation_of(std::uint32_t processes) {
  RandomShape shape;
  shape.processes = processes;
  shape.events = events;
  shape.topology = Topology::phases;
  shape.phase_length = 10;
  return *random_computation(shape);
}

/// Feeds the monitor in causal order; the answer is no, and known at the end only. The most that it
/// kept on the way.
template <class Monitor, class ValueOf>
[[nodiscard]] std::uint64_t feed(Monitor& monitor, const Level& level, const ValueOf& value_of) {
  std::uint64_t most = 0;
  std::uint32_t arrived = 0;
  Cut ranks = level.bottom();
  for (const EventIndex e : level.computation().order()) {
    const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
    const Rank k = ++ranks[chain];
    if (!monitor.arrive(chain, level.past(chain, k), value_of(chain, k))) std::abort();
    if (++arrived % 64 == 0) most = std::max(most, monitor.kept());
  }
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    if (!monitor.end(c)) std::abort();
  }
  if (monitor.finding().found != false) std::abort();
  return most;
}

[[nodiscard]] std::uint64_t most_kept(Modality modality, const Level& level) {
  // Each predicate holds in every second state, but in one process in none.
  const auto holds = [](std::uint32_t c, Rank k) { return c != 0 && (k + c) % 2 == 0; };
  const std::vector<bool> initial(level.chains(), false);
  if (modality == possibly) {
    PossiblyMonitor monitor(initial);
    return feed(monitor, level, holds);
  }
  if (modality == definitely) {
    DefinitelyMonitor monitor(initial);
    return feed(monitor, level, holds);
  }
  ProperlyMonitor<Rank> monitor(Cut(level.chains(), 0), [](std::span<const Rank> state) {
    return state[0] > size_of(state);
  });
  return feed(monitor, level, [](std::uint32_t, Rank k) { return k; });
}

/// Clocks that ride on all messages, and a copy of each event's to send.
void ride_clocks(const Computation& computation) {
  const std::vector<Scene> scenes(computation.event_count() + computation.process_count(), 0);
  std::vector<VectorClockRider> riders;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) riders.emplace_back(p);
  ride(computation, scenes, riders,
       [&](Row, const VectorClockRider& rider) { benchmark::DoNotOptimize(rider.tag().data()); });
}

void monitor_an_event(benchmark::State& state) {
  const Computation computation = computation_of(static_cast<std::uint32_t>(state.range(0)));
  const Level level(computation, Selection::all(computation));
  const auto modality = static_cast<Modality>(state.range(1));
  std::uint64_t most = 0;
  compare(
      state, [&] { most = most_kept(modality, level); }, [&] { ride_clocks(computation); }, 2);
  state.counters["ns_an_event"] = state.counters["ours_ms"] * 1e6 / events;
  state.counters["clock_ns_an_event"] = state.counters["rival_ms"] * 1e6 / events;
  state.counters["kept"] = static_cast<double>(most);
  state.SetLabel(modality == possibly     ? "possibly"
                 : modality == definitely ? "definitely"
                                          : "properly");
}
BENCHMARK(monitor_an_event)
    ->ArgsProduct({{4, 16, 64, 256}, {possibly, definitely, properly}})
    ->ArgNames({"processes", "modality"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.2);

}  // namespace
}  // namespace lightcone::bench
