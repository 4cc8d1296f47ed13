// What exploring costs: an execution that is explored beside one that is only simulated.
#include "ratio.h"

#include <lightcone/simulation.h>

#include <cstdlib>
#include <string>

namespace lightcone::bench {
namespace {

/// A token goes around; in the end six processes say so to one.
void ring(SimulatedNetwork& network) {
  constexpr int count = 8, rounds = 4;
  for (int i = 0; i < count; ++i) {
    network.spawn("p" + std::to_string(i), [&network, i] {
      const std::string self = "p" + std::to_string(i);
      const std::string next = "p" + std::to_string((i + 1) % count);
      if (i == 0) network.send(next, {self, "token", ""});
      for (int round = 0; round < rounds; ++round) {
        const auto token = network.receive(self);
        if (i == 0 && round + 1 == rounds) break;
        network.send(next, {self, token->content, ""});
      }
      if (i < 6) network.send("remarks", {self, "done", ""});
    });
  }
  network.spawn("remarks", [&network] {
    for (int i = 0; i < 6; ++i) static_cast<void>(network.receive("remarks"));
  });
}

/// A master gives tasks to workers, the next one to whoever has answered.
void master_worker(SimulatedNetwork& network) {
  constexpr int workers = 3, tasks = 9;
  network.spawn("master", [&network] {
    int given = 0;
    for (; given < workers; ++given) {
      network.send("w" + std::to_string(given), {"master", std::to_string(given), ""});
    }
    for (int answered = 0; answered < tasks; ++answered) {
      const auto answer = network.receive("master");
      const bool more = given < tasks;
      network.send(answer->from, {"master", more ? std::to_string(given++) : "", ""});
    }
  });
  for (int i = 0; i < workers; ++i) {
    network.spawn("w" + std::to_string(i), [&network, i] {
      const std::string self = "w" + std::to_string(i);
      for (;;) {
        const auto task = network.receive(self);
        if (task->content.empty()) return;
        network.send("master", {self, task->content, ""});
      }
    });
  }
}

/// All send to one.
void many_to_one(SimulatedNetwork& network) {
  constexpr int senders = 8;
  network.spawn("one", [&network] {
    for (int i = 0; i < senders; ++i) static_cast<void>(network.receive("one"));
  });
  for (int i = 0; i < senders; ++i) {
    network.spawn("s" + std::to_string(i), [&network, i] {
      network.send("one", {"s" + std::to_string(i), "", ""});
    });
  }
}

void exploration(benchmark::State& state, void (*set_up)(SimulatedNetwork&)) {
  SimulatedExplorationOptions options;
  options.runs = 5000;
  std::uint64_t executions = 0;
  const auto explored = [&] {
    const auto found = explore({set_up}, options);
    if (!found || !found->failures.empty()) std::abort();
    executions = found->executions;
  };
  explored();
  const auto simulated = [&] {
    for (std::uint64_t i = 0; i < executions; ++i) {
      SimulatedNetwork network({.seed = i});
      set_up(network);
      if (network.run().end != SimulationOutcome::End::finished) std::abort();
    }
  };
  compare(state, explored, simulated, 2);
  state.counters["executions"] = static_cast<double>(executions);
  state.counters["a_second"] =
      static_cast<double>(executions) / (state.counters["ours_ms"].value / 1e3);
}

#define LIGHTCONE_EXPLORATION(program)             \
  BENCHMARK_CAPTURE(exploration, program, program) \
      ->UseManualTime()                            \
      ->Unit(benchmark::kMillisecond)              \
      ->MinTime(1)
LIGHTCONE_EXPLORATION(ring);
LIGHTCONE_EXPLORATION(master_worker);
LIGHTCONE_EXPLORATION(many_to_one);
#undef LIGHTCONE_EXPLORATION

}  // namespace
}  // namespace lightcone::bench
