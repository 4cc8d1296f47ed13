// What recording costs programs over ZeroMQ: the examples, and larger loads of their shapes.
#include "ratio.h"

#include <lightcone/recording.h>
#include <lightcone/zeromq/cluster.h>

#include <sys/resource.h>

#include <cstdlib>
#include <string>

#include "temporary_folder.h"

namespace lightcone::bench {
namespace {

using zeromq::done;
using zeromq::Message;
using zeromq::Node;

constexpr const char* examples = LIGHTCONE_EXAMPLES;

/// What a program took: by the clock, and of its processes together.
struct Cost {
  double elapsed = 0, processor = 0;
};

[[nodiscard]] double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

[[nodiscard]] Cost cost_of(const std::function<void()>& program) {
  const double before = processor_seconds();
  const double elapsed = seconds(program);
  return {elapsed, processor_seconds() - before};
}

[[nodiscard]] double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

enum class Keeps : std::uint8_t { full_journal, races_journal, journal_and_trace };

[[nodiscard]] RunOrders orders_for(Keeps keeps, const std::string& directory) {
  RecordOrders orders;
  if (keeps == Keeps::races_journal) orders.journal = JournalKind::races;
  orders.journal_only = keeps != Keeps::journal_and_trace;
  return {directory, orders};
}

/// Runs a program in pairs, recorded and not, which comes first in turns: the median of the ratios
/// of the pairs.
void in_pairs(benchmark::State& state, Keeps keeps, const std::function<void()>& program) {
  const TemporaryFolder folder;
  const std::string orders = orders_for(keeps, folder.path()).text();
  const auto run = [&](bool recorded) {
    if (recorded) ::setenv(RunOrders::variable, orders.c_str(), 1);
    const Cost cost = cost_of(program);
    ::unsetenv(RunOrders::variable);
    return cost;
  };
  std::vector<double> elapsed, processor, plain_elapsed, plain_processor;
  bool recorded_first = false;
  for (auto _ : state) {
    const Cost first = run(recorded_first), second = run(!recorded_first);
    const Cost& recorded = recorded_first ? first : second;
    const Cost& plain = recorded_first ? second : first;
    recorded_first = !recorded_first;
    elapsed.push_back(recorded.elapsed / plain.elapsed);
    processor.push_back(recorded.processor / plain.processor);
    plain_elapsed.push_back(plain.elapsed);
    plain_processor.push_back(plain.processor);
    state.SetIterationTime(recorded.elapsed);
  }
  state.counters["plain_ms"] = median_of(plain_elapsed) * 1e3;
  state.counters["plain_cpu_ms"] = median_of(plain_processor) * 1e3;
  state.counters["ratio"] = median_of(elapsed);
  state.counters["cpu_ratio"] = median_of(processor);
  if (keeps != Keeps::journal_and_trace) state.counters["at_most"] = 1.05;
}

/// An example as it is.
void example(benchmark::State& state, const char* name, Keeps keeps) {
  const std::string program = std::string(LIGHTCONE_EXAMPLE_PROGRAMS) + '/' + name;
  const std::string properties = std::string(examples) + '/' + name + '/' + name + ".prop";
  in_pairs(state, keeps, [&] {
    const std::string command = program + ' ' + properties + " '' > /dev/null";
    if (std::system(command.c_str()) != 0) std::abort();  // NOLINT: no threads here
  });
}

/// A load: what each process does, and how many messages that takes.
struct Load {
  const char* example;  ///< whose properties it has
  std::vector<std::string> names;
  bool (*part)(Node&);
};

[[nodiscard]] bool say(Node& node, const std::string& to, std::string_view text,
                       const LiveState& state = {}) {
  return done(zeromq::send(node.to(to), node.process(), to, {text}, state));
}
[[nodiscard]] bool hear(Node& node, Message& message, const LiveState& state = {}) {
  return done(zeromq::receive(node.inbox(), node.process(), message, state));
}

/// The token of the example goes round 5,000 times.
[[nodiscard]] bool go_round(Node& node) {
  constexpr int rounds = 5000;
  const bool is_last = node.index() + 1 == node.names().size();
  const std::string& next = node.names()[is_last ? 0 : node.index() + 1];
  Message message;
  for (int round = 0; round < rounds; ++round) {
    if (node.index() == 0 && round == 0) {
      node.process().event({.labels = {"token"}});
    } else if (!hear(node, message, {.labels = {"token"}})) {
      return false;
    }
    node.process().event({.labels = {"enter"}});
    node.process().event({.labels = {"leave"}});
    if (is_last && round + 1 == rounds) break;
    if (!say(node, next, "token")) return false;
  }
  return true;
}

/// The hub of the example scatters and collects 5,000 times.
[[nodiscard]] bool scatter_and_collect(Node& node) {
  constexpr int rounds = 5000;
  Message message;
  for (int round = 0; round < rounds; ++round) {
    if (node.index() != 0) {
      if (!hear(node, message)) return false;
      node.process().event({.labels = {"part"}});
      if (!say(node, node.names()[0], "result")) return false;
      continue;
    }
    for (std::size_t i = 1; i < node.names().size(); ++i) {
      if (!say(node, node.names()[i], "part", {.labels = {"scatter"}})) return false;
    }
    for (std::size_t i = 1; i < node.names().size(); ++i) {
      if (!hear(node, message, {.labels = {"collect"}})) return false;
    }
    node.process().event({.labels = {"done"}});
  }
  return true;
}

/// A master keeps 100 tasks under way at each worker, so that no one waits.
[[nodiscard]] bool share_work(Node& node) {
  constexpr int tasks = 100'000, under_way = 100;
  Message message;
  if (node.index() != 0) {
    while (hear(node, message)) {
      if (message.text() == "over") return true;
      if (!say(node, node.names()[0], "result")) return false;
    }
    return false;
  }
  const int workers = static_cast<int>(node.names().size()) - 1;
  int given = 0;
  for (; given < under_way * workers; ++given) {
    if (!say(node, node.names()[static_cast<std::size_t>(given % workers + 1)], "task")) {
      return false;
    }
  }
  for (int answered = 0; answered < tasks; ++answered) {
    if (!hear(node, message)) return false;
    const std::string worker = message.sender;
    if (given++ < tasks && !say(node, worker, "task")) return false;
  }
  for (int i = 1; i <= workers; ++i) {
    if (!say(node, node.names()[static_cast<std::size_t>(i)], "over")) return false;
  }
  return true;
}

void load(benchmark::State& state, const Load& load, Keeps keeps) {
  zeromq::Cluster cluster{.names = load.names, .seconds = 600};
  if (load.example != nullptr) {
    cluster.process.properties_file =
        std::string(examples) + '/' + load.example + '/' + load.example + ".prop";
  }
  cluster.process.on_detection = [](const Detection&) {};
  in_pairs(state, keeps, [&] {
    if (!zeromq::run(cluster, load.part)) std::abort();
  });
}

const Load token_ring{"token_ring", {"alice", "bob", "carol", "dave"}, go_round};
const Load scatter_collect{"scatter_collect", {"hub", "ada", "bob", "cy"}, scatter_and_collect};
const Load master_worker{nullptr, {"master", "ada", "bob"}, share_work};

#define LIGHTCONE_RECORDED(kind, name, what, keeps, pairs)    \
  BENCHMARK_CAPTURE(kind, name##_##keeps, what, Keeps::keeps) \
      ->UseManualTime()                                       \
      ->Unit(benchmark::kMillisecond)                         \
      ->Iterations(pairs)
#define LIGHTCONE_EACH_KIND(kind, name, what, pairs)          \
  LIGHTCONE_RECORDED(kind, name, what, full_journal, pairs);  \
  LIGHTCONE_RECORDED(kind, name, what, races_journal, pairs); \
  LIGHTCONE_RECORDED(kind, name, what, journal_and_trace, pairs)
LIGHTCONE_EACH_KIND(example, token_ring, "token_ring", 51);
LIGHTCONE_EACH_KIND(example, scatter_collect, "scatter_collect", 51);
LIGHTCONE_EACH_KIND(example, two_phase_commit, "two_phase_commit", 51);
LIGHTCONE_EACH_KIND(example, stale_cache, "stale_cache", 51);
LIGHTCONE_EACH_KIND(load, token_ring, token_ring, 11);
LIGHTCONE_EACH_KIND(load, scatter_collect, scatter_collect, 11);
LIGHTCONE_EACH_KIND(load, master_worker, master_worker, 11);
#undef LIGHTCONE_EACH_KIND
#undef LIGHTCONE_RECORDED

}  // namespace
}  // namespace lightcone::bench
