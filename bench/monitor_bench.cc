// Monitors of global predicates: time per event, compared with the timestamps that they are fed
// with.
#include "ratio.h"

#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/monitor/definitely_monitor.h>
#include <lightcone/lattice/monitor/possibly_monitor.h>
#include <lightcone/lattice/monitor/properly_monitor.h>
#include <lightcone/riders/clocks/vector_clock_rider.h>
#include <lightcone/riders/ride.h>

#include <algorithm>
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

/// Lets clocks ride on all messages, and shows each event's clock.
template <class Visit>
void ride_clocks(const Computation& computation, const Visit& visit) {
  const std::vector<Scene> scenes(computation.event_count() + computation.process_count(), 0);
  std::vector<VectorClockRider> riders;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) riders.emplace_back(p);
  ride(computation, scenes, riders, [&](Row row, const VectorClockRider& rider) {
    if (row < computation.event_count()) visit(computation.process_of(row), rider);
  });
}

/// The same with a monitor that is fed with them; the answer is no, and known at the end only.
/// Returns the most that it kept.
template <class Monitor, class ValueOf>
[[nodiscard]] std::uint64_t feed(Monitor& monitor, const Computation& computation,
                                 const ValueOf& value_of) {
  std::uint64_t most = 0;
  ride_clocks(computation, [&](ProcessIndex p, const VectorClockRider& rider) {
    const auto& clock = rider.clock();
    if (!monitor.arrive(p, clock, value_of(p, clock[p]))) std::abort();
    most = std::max(most, monitor.kept());
  });
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (!monitor.end(p)) std::abort();
  }
  if (monitor.finding().found != false) std::abort();
  return most;
}

[[nodiscard]] std::uint64_t most_kept(Modality modality, const Computation& computation) {
  // Each predicate holds in every second state, but in one process in none.
  const auto holds = [](ProcessIndex p, Rank k) { return p != 0 && (k + p) % 2 == 0; };
  const std::vector<bool> initial(computation.process_count(), false);
  if (modality == possibly) {
    PossiblyMonitor monitor(initial);
    return feed(monitor, computation, holds);
  }
  if (modality == definitely) {
    DefinitelyMonitor monitor(initial);
    return feed(monitor, computation, holds);
  }
  ProperlyMonitor<Rank> monitor(Cut(initial.size(), 0), [](std::span<const Rank> state) {
    return state[0] > size_of(state);
  });
  return feed(monitor, computation, [](ProcessIndex, Rank k) { return k; });
}

void monitor_an_event(benchmark::State& state) {
  const Computation computation = computation_of(static_cast<std::uint32_t>(state.range(0)));
  const auto modality = static_cast<Modality>(state.range(1));
  std::uint64_t most = 0;
  compare(
      state, [&] { most = most_kept(modality, computation); },
      [&] {
        ride_clocks(computation, [](ProcessIndex, const VectorClockRider& rider) {
          benchmark::DoNotOptimize(rider.tag().data());
        });
      },
      12);
  state.counters["clock_ns_an_event"] = state.counters["rival_ms"] * 1e6 / events;
  state.counters["with_monitor_ns_an_event"] = state.counters["ours_ms"] * 1e6 / events;
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
