// Global properties of a large trace, from the trace in memory to the answer, beside timestamps.
#include "ratio.h"

#include <lightcone/causal/random_computation.h>
#include <lightcone/causal/timestamps.h>
#include <lightcone/lattice/decision.h>
#include <lightcone/property/parser.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lightcone::bench {
namespace {

/// A million events of 64 processes; `load` is assigned by one in five, `on` by one in twenty.
[[nodiscard]] const Computation& sample() {
  static const Computation computation = [] {
    RandomShape shape;
    shape.processes = 64;
    shape.events = 1'000'000;
    shape.labels = {{"enter", 0.1}};
    shape.variables = {{"load", 0.2, VariableRate::Type::integer},
                       {"on", 0.05, VariableRate::Type::boolean}};
    auto made = random_computation(shape);
    if (!made) std::abort();
    return std::move(*made);
  }();
  return computation;
}

void decide_beside_timestamps(benchmark::State& state, const std::string& question, double limit) {
  const Computation& computation = sample();
  const auto properties = parse_properties("watch it : " + question + "\n", "bench.prop");
  if (!properties) std::abort();
  const auto& global = std::get<Global>(properties->properties[0].question);
  Decision decision;
  const auto ours = [&] {
    const GlobalPredicate predicate(computation, *properties, global.expression);
    Budget budget({});
    decision = decide(global.modality, predicate, computation, {budget});
  };
  compare(
      state, ours, [&] { benchmark::DoNotOptimize(timestamps(computation).bytes()); }, limit);
  state.counters["found"] = decision.found.has_value() ? (*decision.found ? 1 : 0) : -1;
  state.SetLabel(decision.method);
}

#define LIGHTCONE_DECISION(name, question, limit)                    \
  BENCHMARK_CAPTURE(decide_beside_timestamps, name, question, limit) \
      ->Iterations(5)                                                \
      ->UseManualTime()                                              \
      ->Unit(benchmark::kMillisecond)
LIGHTCONE_DECISION(possibly_all, "possibly all(load > 200)", 2);
LIGHTCONE_DECISION(possibly_all_easy, "possibly all(load > -3)", 2);
LIGHTCONE_DECISION(definitely_all, "definitely all(load > 0)", 2);
LIGHTCONE_DECISION(possibly_all_booleans, "possibly all(on)", 2);
LIGHTCONE_DECISION(definitely_all_booleans, "definitely all(on)", 2);
LIGHTCONE_DECISION(possibly_all_events, "possibly all(event == \"enter\")", 2);
LIGHTCONE_DECISION(definitely_all_events, "definitely all(event == \"enter\")", 2);
LIGHTCONE_DECISION(properly_sum, "properly sum(load) == 100000", 2);
LIGHTCONE_DECISION(possibly_sum, "possibly sum(load) >= 100000", 6);
LIGHTCONE_DECISION(possibly_count, "possibly count(on) >= 55", 6);
#undef LIGHTCONE_DECISION

}  // namespace
}  // namespace lightcone::bench
