// Riders: their cost compared with a plain vector clock and with loading; bytes per message.
#include "ratio.h"

#include <fmt/format.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/clocks/vector_clock_rider.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/riders/longest_flow_rider.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/ride.h>
#include <lightcone/trace.h>

#include <cstdlib>
#include <filesystem>
#include <random>

namespace lightcone::bench {
namespace {

constexpr std::size_t steps = 20'000;  // a call of the benchmark
constexpr std::size_t tags_kept = 64;  // that messages are taken from in turn

/// A property file, compiled, with two scenes: labelled `a`, and unlabelled.
struct Watched {
  CompiledProperties properties;
  Names names;
  NameSets sets;
  Observer observer;
  Scene labelled = 0, plain = 0;

  explicit Watched(const std::string& text)
      : properties(CompiledProperties::compile(*parse_property_syntax(text, "bench"))),
        names(Observer::names_of(properties.vocabulary())),
        observer(properties.vocabulary(), names) {
    observer.add_process("p");
    StateContent state;
    plain = observer.observe(0, state);
    const NameIndex a = names.find("a");
    state.labels = std::span(&a, 1);
    state.label_set = sets.intern(state.labels);
    labelled = observer.observe(0, state);
  }
};

/// An entry of the message of this number: it is mostly, but not always, above those before it.
[[nodiscard]] std::uint32_t climbing_rank(std::size_t message, std::mt19937_64& random) {
  return static_cast<std::uint32_t>(1 + 16 * message + random() % 32);
}

/// Clocks of n processes at messages that know of each other's pasts in part.
[[nodiscard]] std::vector<VectorClockRider::Tag> clock_tags(std::uint32_t n) {
  std::mt19937_64 random(1);
  std::vector<VectorClockRider::Tag> tags(tags_kept, VectorClockRider::Tag(n));
  for (std::size_t i = 0; i < tags.size(); ++i) {
    for (auto& entry : tags[i]) entry = climbing_rank(i, random);
  }
  return tags;
}

/// Receives so many messages; the tags come round again and again.
template <class R>
void receive_all(R& rider, const std::vector<typename R::Tag>& tags, Scene scene) {
  for (std::size_t i = 0; i < steps; ++i) {
    const typename R::Tag* tag = &tags[i % tags.size()];
    rider.receive({scene}, std::span(&tag, 1));
  }
}

void lrdag_of_64_equations(benchmark::State& state) {
  std::string text = "watch w : logic {\n  x0 := initial or a and any x63 or any x0\n";
  for (int i = 1; i < 64; ++i) {
    text +=
        fmt::format("  x{0} := (a and any x{1}) or (b and any x{2}) or (!a and !b and any x{0})\n",
                    i, i - 1, (i * 7) % 64);
  }
  Watched watched(text + "}\n");
  Lrdag lrdag(watched.properties, watched.observer);
  LrdagRider rider(lrdag);
  std::mt19937_64 random(1);
  std::vector<LrdagTag> tags;
  for (std::size_t i = 0; i < tags_kept; ++i) {
    const std::uint64_t bits = random() & random() & random();
    tags.emplace_back(std::span(&bits, 1));
  }
  VectorClockRider clock(0);
  const auto clocks = clock_tags(64);
  compare(
      state, [&] { receive_all(rider, tags, watched.labelled); },
      [&] { receive_all(clock, clocks, watched.labelled); }, 2);
  state.counters["ns_an_event"] = state.counters["ours_ms"] * 1e6 / steps;
}
BENCHMARK(lrdag_of_64_equations)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(1);

const std::string five_flows = R"(
  forbid p1 : some longest flow ends with enter -> enter without leave
  watch p2 : every longest flow at commit contains enter -> leave
  watch p3 : some longest flow over {enter, leave, commit} matches (enter leave)* commit
  forbid p4 : some flow ends with commit -> enter without leave
  watch p5 : every flow at commit contains enter
)";

/// What processes of the benchmarks do, beside sending and receiving.
const std::vector<LabelRate> labels_of_flows = {{"enter", 0.1}, {"leave", 0.1}, {"commit", 0.02}};

/// What the first process of a run meets in the second half of its life, and its rider before that.
/// Sends are left out: a clock is copied there, and LO/SLO is not.
template <class R>
struct Life {
  struct Event {
    Scene scene;
    std::vector<typename R::Tag> tags;
  };
  R begun;
  std::vector<Event> events;
};

template <class R, class Make>
[[nodiscard]] Life<R> life_in(const Computation& computation, std::span<const Scene> scenes,
                              const Make& make) {
  std::vector<R> riders;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) riders.push_back(make(p));
  Life<R> life{make(0), {}};
  const EventIndex half = (computation.first_event(0) + computation.end_event(0)) / 2;
  TagsInTransit<typename R::Tag> tags(computation);
  walk_causally(computation, scenes, [&](const WalkedEvent& at) {
    R& rider = riders[at.process];
    std::vector<const typename R::Tag*> taken;
    for (const MessageIndex m : at.takes) taken.push_back(tags.of(m));
    if (at.process == 0 && at.event == half) life.begun = rider;
    if (at.process == 0 && at.event >= half) {
      auto& event = life.events.emplace_back(typename Life<R>::Event{at.scene, {}});
      for (const auto* const tag : taken) event.tags.push_back(*tag);
    }
    rider.receive({at.scene}, taken);
    for (const MessageIndex m : at.takes) tags.taken(m);
    if (at.sends != none) tags.send(at.sends, [&] { return rider.tag(); });
  });
  return life;
}

/// Lives through it again and again, so many events.
template <class R>
void live(const Life<R>& life) {
  for (std::size_t done = 0; done < steps; done += life.events.size()) {
    R rider = life.begun;
    for (const typename Life<R>::Event& event : life.events) {
      if (event.tags.empty()) {
        rider.event({event.scene});
      } else {
        const typename R::Tag* const tag = &event.tags.front();
        rider.receive({event.scene}, std::span(&tag, 1));
      }
    }
    benchmark::DoNotOptimize(rider);
  }
}

/// The events of a process among n, with the tags that it received in a run.
void merging_lo_and_slo(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  RandomShape shape;
  shape.processes = n;
  shape.events = 400 * n;
  shape.labels = labels_of_flows;
  const auto run = random_computation(shape);
  if (!run) std::abort();
  const auto properties = CompiledProperties::compile(*parse_property_syntax(five_flows, "bench"));
  Observer observer(properties.vocabulary(), run->names());
  const std::vector<Scene> scenes = observe(*run, observer);
  auto groups = by_alphabet(properties, observer);
  LongestFlows& flows = *groups[0];
  const auto ours = life_in<LongestFlowRider>(
      *run, scenes, [&](ProcessIndex p) { return LongestFlowRider(flows, p); });
  const auto clocks =
      life_in<VectorClockRider>(*run, scenes, [](ProcessIndex p) { return VectorClockRider(p); });
  double receives = 0, uncovered = 0;
  for (const auto& event : ours.events) {
    if (event.tags.empty()) continue;
    ++receives;
    event.tags.front().others->for_each_uncovered([&](auto, auto) { ++uncovered; });
  }
  compare(
      state, [&] { live(ours); }, [&] { live(clocks); }, 2);
  state.counters["ns_an_event"] = state.counters["ours_ms"] * 1e6 / steps;
  state.counters["receives"] = receives / static_cast<double>(ours.events.size());
  state.counters["sets_a_tag"] = uncovered / receives;
}
BENCHMARK(merging_lo_and_slo)
    ->Arg(16)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);

void checking_five_flows(benchmark::State& state, Format format, double limit) {
  RandomShape shape;
  shape.processes = 16;
  shape.events = 1'000'000;
  shape.labels = labels_of_flows;
  const auto made = random_computation(shape);
  const std::string path = (std::filesystem::temp_directory_path() /
                            fmt::format("lightcone-check-{}.{}", ::getpid(), name_of(format)))
                               .string();
  if (!made || !write_trace(*made, path, format)) std::abort();
  const auto load = [&] {
    auto reading = read_trace(path, format);
    if (!reading) std::abort();
    return reading;
  };
  compare(
      state,
      [&] {
        const auto reading = load();
        const auto compiled = CompiledProperties::compile(
            *parse_property_syntax(five_flows, "bench"), event_labels(reading->computation));
        const Inspection inspection(compiled, reading->computation);
        benchmark::DoNotOptimize(inspection.answer(0)->found_count());
      },
      [&] { benchmark::DoNotOptimize(load()); }, limit);
  std::filesystem::remove(path);
}
BENCHMARK_CAPTURE(checking_five_flows, jsonl, Format::jsonl, 1.5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(3);
BENCHMARK_CAPTURE(checking_five_flows, lct, Format::lct, 2.5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(3);

/// Lives through a random computation and counts the bytes of its tags. Full vectors would take,
/// for each process, a rank of four bytes and the set of states.
void envelope_bytes(benchmark::State& state, Topology topology, Channels channels) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  RandomShape shape;
  shape.processes = n;
  shape.events = 100 * n;
  shape.topology = topology;
  shape.fifo = channels == Channels::fifo;
  shape.labels = {{"a", 0.2}, {"b", 0.2}, {"c", 0.05}};
  const auto made = random_computation(shape);
  if (!made) std::abort();
  const Computation& c = *made;
  const auto parsed =
      parse_property_syntax("forbid p : some longest flow ends with a -> b without c\n", "bench");
  ProcessOptions options;
  options.channels = channels;
  for (ProcessIndex p = 0; p < n; ++p) options.members.emplace_back(c.process_name(p));
  double bytes = 0, entries = 0, messages = 0;
  for (auto _ : state) {
    bytes = entries = messages = 0;
    std::vector<std::unique_ptr<Watcher>> watchers;
    for (ProcessIndex p = 0; p < n; ++p) {
      options.name = c.process_name(p);
      watchers.push_back(
          std::make_unique<Watcher>(CompiledProperties::compile(*parsed), 1, options));
      watchers.back()->start({});
    }
    std::vector<std::string> tags(c.message_count());
    std::vector<ProcessIndex> taker(c.message_count(), 0);
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (const MessageIndex m : c.takes(e)) taker[m] = c.process_of(e);
    }
    for (const EventIndex e : c.order()) {
      Watcher& watcher = *watchers[c.process_of(e)];
      std::vector<std::string_view> labels;
      for (const NameIndex label : c.labels(e)) labels.push_back(c.names()[label]);
      const LiveState content{.labels = std::span<const std::string_view>(labels)};
      if (c.takes(e).empty()) {
        watcher.event(c.kind(e), content);
      } else {
        std::vector<Envelope> envelopes;
        for (const MessageIndex m : c.takes(e)) {
          auto envelope = watcher.open(tags[m]);
          if (envelope) envelopes.push_back(std::move(*envelope));
          tags[m].clear();
        }
        watcher.receive(envelopes, content);
      }
      if (const MessageIndex m = c.sends(e); m != none) {
        const std::string_view to = c.process_name(taker[m]);
        tags[m] = watcher.send(std::span(&to, 1), m);
        bytes += static_cast<double>(tags[m].size());
        ++messages;
      }
      watcher.detections().clear();
    }
    for (const auto& watcher : watchers) entries += static_cast<double>(watcher->entries_sent());
  }
  const double full = n * 5.0;
  state.counters["bytes_a_message"] = bytes / messages;
  state.counters["entries_a_message"] = entries / messages;
  state.counters["full_vectors"] = full;
  state.counters["ratio"] = bytes / messages / full;
}
BENCHMARK_CAPTURE(envelope_bytes, uniform, Topology::uniform, Channels::any)
    ->RangeMultiplier(4)
    ->Range(8, 1024)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(envelope_bytes, ring, Topology::ring, Channels::any)
    ->RangeMultiplier(4)
    ->Range(8, 1024)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(envelope_bytes, star, Topology::star, Channels::any)
    ->RangeMultiplier(4)
    ->Range(8, 1024)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(envelope_bytes, ring_fifo, Topology::ring, Channels::fifo)
    ->RangeMultiplier(4)
    ->Range(8, 1024)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lightcone::bench
