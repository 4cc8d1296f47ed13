// How large journals become: bytes per message, full and races, and the share of messages that
// race.
#include <benchmark/benchmark.h>

#include <lightcone/causal/races/races.h>
#include <lightcone/live/simulation/process_random.h>
#include <lightcone/network.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/simulation.h>
#include <lightcone/trace/directory.h>

#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace lightcone::bench {
namespace {

constexpr std::uint64_t messages = 100'000;

/// One process of a program: what its part may use.
struct Actor {
  SimulatedNetwork& network;
  Process& process;
  std::size_t index;
  const std::vector<std::string>& names;

  void send(std::size_t to, std::string text = "") {
    lightcone::send(network, process, names[to], std::move(text));
  }
  [[nodiscard]] TakenParcel receive_parcel() {
    auto parcel = lightcone::receive(network, process);
    if (!parcel) throw std::runtime_error("no one sends any more");
    return std::move(*parcel);
  }
  /// Who sent it.
  std::size_t receive() { return std::stoul(receive_parcel().from.substr(1)); }
  /// Works for a while, 1 millisecond on average: as long as a message travels.
  void work() {
    const std::chrono::nanoseconds mean = std::chrono::milliseconds(1);
    network.sleep(mean * random_of(network).exponential() / 65536);
  }
};
using Part = void (*)(Actor&);

/// Each works, sends to anyone and takes a message. No two send their i-th message to the same
/// one, so that there is one to take for everyone.
void uniform(Actor& actor) {
  const std::size_t count = actor.names.size();
  std::mt19937_64 random(1);  // the same for all
  for (std::uint64_t i = 0; i < messages / count; ++i) {
    actor.work();
    actor.send((actor.index + 1 + random() % (count - 1)) % count);
    actor.receive();
  }
}

/// A token goes round.
void ring(Actor& actor) {
  const std::size_t count = actor.names.size();
  for (std::uint64_t i = actor.index; i <= messages; i += count) {
    if (i != 0) actor.receive();
    if (i != messages) actor.send((actor.index + 1) % count);
  }
}

/// All others ask the first whenever they like, and wait for its answer.
void star(Actor& actor) {
  const std::size_t others = actor.names.size() - 1;
  const std::uint64_t questions = messages / 2 / others;
  for (std::uint64_t i = 0; i < questions && actor.index != 0; ++i) {
    actor.work();
    actor.send(0);
    actor.receive();
  }
  for (std::uint64_t i = 0; i < questions * others && actor.index == 0; ++i) {
    actor.send(actor.receive());
  }
}

/// The first gives tasks to the others, the next one to whoever has answered.
void master_worker(Actor& actor) {
  const std::uint64_t tasks = messages / 2;
  if (actor.index == 0) {
    std::uint64_t given = 1;
    for (; given < actor.names.size(); ++given) actor.send(given, "task");
    for (std::uint64_t answered = 0; answered < tasks; ++answered) {
      actor.send(actor.receive(), given++ <= tasks ? "task" : "");
    }
    return;
  }
  while (!actor.receive_parcel().content.empty()) {
    actor.work();
    actor.send(0);
  }
}

struct Recorded {
  std::uint64_t received = 0;
  std::uint64_t bytes = 0, blocks = 0, entries = 0;  ///< of all journals
  std::uint64_t traced = 0;                          ///< if there is a trace
};

void measure_journal(const std::string& path, Recorded& recorded) {
  recorded.bytes += std::filesystem::file_size(path);
  auto journal = Journal::open(path);
  if (!journal) throw std::runtime_error(journal.error().text());
  for (; journal->next_block().value(); ++recorded.blocks) {
    for (; journal->peek() != nullptr; journal->pop()) ++recorded.entries;
  }
}

/// Runs a program as it is recorded.
[[nodiscard]] Recorded record(Part part, std::size_t processes, bool fifo, JournalKind kind,
                              bool journal_only) {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < processes; ++i) names.push_back("p" + std::to_string(i));
  SimulatedNetwork network(
      {.fifo = fifo,
       .action_limit = 100 * messages,
       .run =
           RunOrders{folder.path(), RecordOrders{.journal = kind, .journal_only = journal_only}}});
  for (std::size_t i = 0; i < processes; ++i) {
    network.spawn(names[i], [&, i] {
      auto process = Process::start({.name = names[i], .members = names});
      if (!process) throw std::runtime_error(process.error().text());
      Actor actor{network, **process, i, names};
      part(actor);
    });
  }
  const auto outcome = network.run();
  if (outcome.end != SimulationOutcome::End::finished) throw std::runtime_error(outcome.text());
  Recorded recorded{.received = outcome.received};
  for (const std::string& name : names) {
    measure_journal(Recording::journal_path(folder.path(), name), recorded);
  }
  if (journal_only) return recorded;
  const auto trace = read_directory(folder.path(), {});
  if (!trace) throw std::runtime_error(trace.error().text());
  recorded.traced = traced_receptions(trace->computation).size();
  return recorded;
}

/// The same execution each time. What races is read off its trace, not off a journal. A journal
/// ends a block each second, and a few more bytes go into blocks where the machine is slow.
void journal(benchmark::State& state, Part part, bool fifo) {
  const auto processes = static_cast<std::size_t>(state.range(0));
  Recorded full, races, traced;
  for (auto _ : state) {
    full = record(part, processes, fifo, JournalKind::full, true);
    races = record(part, processes, fifo, JournalKind::races, true);
    traced = record(part, processes, fifo, JournalKind::full, false);
  }
  const auto a_message = [](std::uint64_t value, const Recorded& in) {
    return static_cast<double>(value) / static_cast<double>(in.received);
  };
  state.counters["full_bytes"] = a_message(full.bytes, full);
  state.counters["races_bytes"] = a_message(races.bytes, races);
  state.counters["traced_percent"] = 100 * a_message(traced.traced, traced);
  state.counters["entered_percent"] = 100 * a_message(races.entries, races);
  state.counters["full_blocks"] = static_cast<double>(full.blocks);
  state.counters["races_blocks"] = static_cast<double>(races.blocks);
  state.counters["ratio"] = static_cast<double>(races.bytes) / static_cast<double>(full.bytes);
  state.counters["at_most"] = 1;
}

#define LIGHTCONE_JOURNAL(name, part, fifo)    \
  BENCHMARK_CAPTURE(journal, name, part, fifo) \
      ->Unit(benchmark::kMillisecond)          \
      ->Arg(8)                                 \
      ->Arg(64)                                \
      ->Iterations(1)
LIGHTCONE_JOURNAL(uniform, uniform, true);
LIGHTCONE_JOURNAL(uniform_overtaking, uniform, false);
LIGHTCONE_JOURNAL(ring, ring, true);
LIGHTCONE_JOURNAL(star, star, true);
LIGHTCONE_JOURNAL(master_worker, master_worker, true);
#undef LIGHTCONE_JOURNAL

}  // namespace
}  // namespace lightcone::bench
