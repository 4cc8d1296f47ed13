// What recording costs inside one program: a message through a queue, followed and recorded.
#include "ratio.h"

#include <lightcone/network.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "temporary_folder.h"

namespace lightcone::bench {
namespace {

constexpr int messages = 200'000;
constexpr const char* content = "hello";

[[nodiscard]] std::unique_ptr<Process> started(const std::string& name,
                                               const std::optional<RunOrders>& orders) {
  auto process = Process::start({.name = name, .members = {"a", "b"}, .run = orders});
  if (!process) std::abort();
  return std::move(*process);
}

/// Nanoseconds of processor time that a message takes.
[[nodiscard]] double nanoseconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return (now() - begin) / messages;
}

/// The queue by itself: no one follows the messages.
void queue() {
  ThreadNetwork network;
  for (int i = 0; i < messages; ++i) {
    network.send("b", {"a", content, ""});
    benchmark::DoNotOptimize(network.receive("b"));
  }
}

/// The same messages between two processes of Lightcone, which keep no traces.
void followed(const std::optional<RunOrders>& orders) {
  ThreadNetwork network;
  const auto a = started("a", orders), b = started("b", orders);
  for (int i = 0; i < messages; ++i) {
    send(network, *a, "b", content);
    benchmark::DoNotOptimize(receive(network, *b));
  }
}

[[nodiscard]] double median_of(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What the journal adds to a message that is sent and received, against the queue operation.
/// And what that is in all, which has a limit in nanoseconds. Each run has a folder of its own: in
/// one folder the processes would be later incarnations.
void in_process(benchmark::State& state, JournalKind kind) {
  std::vector<double> queue_times, followed_times, added_times, all_times;
  for (auto _ : state) {
    const TemporaryFolder folder;
    const RunOrders orders{folder.path(), RecordOrders{.journal = kind, .journal_only = true}};
    queue_times.push_back(nanoseconds(queue));
    followed_times.push_back(nanoseconds([] { followed(std::nullopt); }));
    const double recorded = nanoseconds([&] { followed(orders); });
    added_times.push_back(recorded - followed_times.back());
    all_times.push_back(recorded);
    state.SetIterationTime(recorded * messages / 1e9);
  }
  const double queued = median_of(queue_times), added = median_of(added_times);
  state.counters["queue_ns"] = queued;
  state.counters["followed_ns"] = median_of(followed_times);
  state.counters["added_ns"] = added;
  state.counters["ratio"] = added / queued;
  state.counters["at_most"] = 1;
  state.counters["all_ns"] = median_of(all_times);
  state.counters["all_at_most"] = 450;
}
BENCHMARK_CAPTURE(in_process, full, JournalKind::full)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(21);
BENCHMARK_CAPTURE(in_process, races, JournalKind::races)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(21);

}  // namespace
}  // namespace lightcone::bench
