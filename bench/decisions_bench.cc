// Global properties of a large trace, from the trace in memory to the answer, beside timestamps.
#include "ratio.h"

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/property/language/parser.h>

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

/// Decides a question; reading what it asks for is part of it.
[[nodiscard]] Decision decision_of(const Properties& properties) {
  const auto& global = std::get<Global>(properties.properties[0].question);
  const GlobalPredicate predicate(sample(), properties, global.expression);
  Budget budget({});
  return decide(global.modality, predicate, sample(), {budget});
}

[[nodiscard]] Properties asking(const std::string& question) {
  auto properties = parse_property_syntax("watch it : " + question + "\n", "bench.prop");
  if (!properties) std::abort();
  return std::move(*properties);
}

void compare_with_timestamps(benchmark::State& state, const std::string& question, double limit) {
  const Properties properties = asking(question);
  Decision decision;
  compare(
      state, [&] { decision = decision_of(properties); },
      [&] { benchmark::DoNotOptimize(timestamps(sample()).bytes()); }, limit);
  state.counters["found"] = decision.found.has_value() ? (*decision.found ? 1 : 0) : -1;
  state.SetLabel(decision.method);
}

void decide_beside_timestamps(benchmark::State& state, const std::string& question, double limit) {
  compare_with_timestamps(state, question, limit);
}

/// With the least bound that no sum reaches: nothing can be found early.
void decide_a_sum_beside_timestamps(benchmark::State& state) {
  const auto with = [](std::int64_t bound) {
    return "possibly sum(load) >= " + std::to_string(bound);
  };
  std::int64_t reached = 0;
  std::int64_t missed = 1 << 20;
  while (missed - reached > 1) {
    const std::int64_t middle = (reached + missed) / 2;
    (*decision_of(asking(with(middle))).found ? reached : missed) = middle;
  }
  compare_with_timestamps(state, with(missed), 6);
  state.counters["bound"] = static_cast<double>(missed);
}
BENCHMARK(decide_a_sum_beside_timestamps)
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

#define LIGHTCONE_DECISION(name, question, limit)                    \
  BENCHMARK_CAPTURE(decide_beside_timestamps, name, question, limit) \
      ->Iterations(5)                                                \
      ->UseManualTime()                                              \
      ->Unit(benchmark::kMillisecond)
LIGHTCONE_DECISION(possibly_all, "possibly all(load >= 1)", 2);
LIGHTCONE_DECISION(possibly_all_found, "possibly all(load >= -3)", 2);
LIGHTCONE_DECISION(possibly_all_events, "possibly all(event == \"enter\")", 2);
LIGHTCONE_DECISION(definitely_all, "definitely all(load >= 1)", 2);
LIGHTCONE_DECISION(definitely_all_events, "definitely all(event == \"enter\")", 2);
LIGHTCONE_DECISION(properly_sum, "properly sum(load) == 100", 2);
LIGHTCONE_DECISION(possibly_count, "possibly count(on) >= 55", 6);
#undef LIGHTCONE_DECISION

}  // namespace
}  // namespace lightcone::bench
