// Simulated executions are what their seed and their options say, and end in an orderly way.
#include <lightcone/live/simulation/chooser.h>
#include <lightcone/live/simulation/process_random.h>
#include <lightcone/network.h>
#include <lightcone/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

namespace lightcone {
namespace {

using End = SimulationOutcome::End;
using namespace std::chrono_literals;

const std::vector<std::string> names = {"a", "b", "c", "d"};

/// Each of four processes sends numbered parcels to the others, and notes what it receives.
struct Exchange {
  explicit Exchange(SimulationOptions options, int rounds = 20) : network(std::move(options)) {
    for (std::size_t p = 0; p < names.size(); ++p) {
      network.spawn(names[p], [this, p, rounds] { live(p, rounds); });
    }
  }
  void live(std::size_t p, int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const std::string& to = names[(p + 1 + network.random_below(3)) % names.size()];
      network.send(to, {names[p], std::to_string(i), ""});
      if (network.random_below(2) == 0) take(network.try_receive(names[p]));
    }
    while (auto parcel = network.receive_within(1s, names[p])) take(std::move(parcel));
  }
  void take(std::optional<Parcel> parcel) {
    trace += std::string(network.self()) + "@" + std::to_string(network.now().count());
    if (parcel) {
      trace += "<" + parcel->from + parcel->content;
      taken[{parcel->from, std::string(network.self())}].push_back(std::stoi(parcel->content));
    }
    trace += "\n";
  }

  SimulatedNetwork network;
  std::string trace;
  std::map<std::pair<std::string, std::string>, std::vector<int>> taken;
};

[[nodiscard]] std::string trace_of(const SimulationOptions& options) {
  Exchange exchange(options);
  EXPECT_EQ(exchange.network.run().end, End::finished);
  return exchange.trace;
}

TEST(SimulatedNetwork, GivesTheSameExecutionForTheSameSeed) {
  std::set<std::string> traces;
  for (const DelaySpread spread :
       {DelaySpread::fixed, DelaySpread::uniform, DelaySpread::exponential}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SimulationOptions options = {.seed = seed, .spread = spread, .loss_rate = 0.1};
      const std::string trace = trace_of(options);
      EXPECT_EQ(trace_of(options), trace);
      traces.insert(trace);
    }
  }
  EXPECT_EQ(traces.size(), 60);
}

/// The definition of what happens without a chooser, as far as it is not left to lots.
class Earliest : public Chooser {
 public:
  std::optional<std::size_t> choose(const OpenChoice& choice) override {
    const auto first = std::ranges::min_element(choice.alternatives, {}, &Alternative::time);
    return static_cast<std::size_t>(first - choice.alternatives.begin());
  }
};

TEST(SimulatedNetwork, LetsHappenWhatIsEarliest) {
  for (const bool fifo : {false, true}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      // One process begins before the others, so that nothing happens at the same time.
      const auto run = [&](Chooser* chooser) {
        SimulatedNetwork network({.seed = seed, .fifo = fifo, .chooser = chooser});
        std::string trace;
        const auto worker = [&](const std::string& name) {
          for (int i = 0; i < 5; ++i) {
            const auto parcel = network.receive(name);
            trace += name + parcel->content + "@" + std::to_string(network.now().count()) + " ";
            network.send("boss", {name, parcel->content, ""});
          }
        };
        network.spawn("boss", [&] {
          for (const std::string& name : names) network.spawn(name, [&] { worker(name); });
          for (int i = 0; i < 20; ++i) network.send(names[i % 4], {"boss", std::to_string(i), ""});
          for (int i = 0; i < 20; ++i) trace += network.receive("boss")->content + " ";
        });
        EXPECT_EQ(network.run().end, End::finished);
        return trace;
      };
      Earliest earliest;
      EXPECT_EQ(run(&earliest), run(nullptr));
    }
  }
}

TEST(SimulatedNetwork, DeliversEveryParcelOnceAndInOrderIfAsked) {
  bool overtaken = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const bool fifo : {false, true}) {
      const DelaySpread spread = seed % 2 == 0 ? DelaySpread::fixed : DelaySpread::exponential;
      Exchange exchange({.seed = seed, .fifo = fifo, .spread = spread});
      const SimulationOutcome outcome = exchange.network.run();
      EXPECT_EQ(outcome.sent, 80);
      EXPECT_EQ(outcome.received, 80);
      std::set<std::pair<std::string, int>> all;
      for (const auto& [channel, numbers] : exchange.taken) {
        for (const int number : numbers) all.insert({channel.first, number});
        const bool ordered = std::ranges::is_sorted(numbers);
        EXPECT_TRUE(ordered || !fifo);
        overtaken = overtaken || !ordered;
      }
      EXPECT_EQ(all.size(), 80);
    }
  }
  EXPECT_TRUE(overtaken);
}

TEST(SimulatedNetwork, LosesAndDoublesAsOftenAsAsked) {
  Exchange exchange({.loss_rate = 0.25, .duplicate_rate = 0.125}, 4000);
  const SimulationOutcome outcome = exchange.network.run();
  EXPECT_EQ(outcome.sent, 16'000);
  EXPECT_NEAR(static_cast<double>(outcome.lost), 4000, 250);
  EXPECT_NEAR(static_cast<double>(outcome.doubled), 2000, 200);
  EXPECT_EQ(outcome.received, outcome.sent - outcome.lost + outcome.doubled);
  std::uint64_t taken = 0, twice = 0;
  for (auto [channel, numbers] : exchange.taken) {
    taken += numbers.size();
    std::ranges::sort(numbers);
    for (std::size_t i = 1; i < numbers.size(); ++i) twice += numbers[i - 1] == numbers[i];
  }
  EXPECT_EQ(taken, outcome.received);
  EXPECT_EQ(twice, outcome.doubled);
}

/// The same program for any network.
template <Network N>
void answer(N& network, std::string& heard) {
  while (const auto parcel = network.receive("b")) {
    heard += parcel->content;
    network.send("a", {"b", parcel->content + "!", ""});
  }
}

template <Network N>
void ask(N& network, std::string& heard) {
  for (const char* question : {"x", "y"}) {
    network.send("b", {"a", question, ""});
    heard += network.receive("a")->content;
  }
  network.close();
}

TEST(SimulatedNetwork, RunsTheCodeThatThreadsRun) {
  std::string asker, answerer;
  SimulatedNetwork simulated;
  simulated.spawn("a", [&] { ask(simulated, asker); });
  simulated.spawn("b", [&] { answer(simulated, answerer); });
  EXPECT_EQ(simulated.run().end, End::finished);
  ThreadNetwork threads;
  {
    const std::jthread first([&] { ask(threads, asker); });
    const std::jthread second([&] { answer(threads, answerer); });
  }
  EXPECT_EQ(asker, "x!y!x!y!");
  EXPECT_EQ(answerer, "xyxy");
}

TEST(SimulatedNetwork, ClosedGivesAllThatIsLeftAndThenNothing) {
  SimulatedNetwork network;
  std::string order;
  int nothing = 0;
  for (const char* name : {"a", "b"}) {
    network.spawn(name, [&] {
      while (const auto parcel = network.receive("both")) order += parcel->content;
      ++nothing;
    });
  }
  for (const char* content : {"x", "y", "z"}) network.send("both", {"outside", content, ""});
  network.spawn("c", [&] { network.close(); });
  EXPECT_EQ(network.run().end, End::finished);
  EXPECT_EQ(order.size(), 3);
  EXPECT_EQ(nothing, 2);
}

TEST(SimulatedNetwork, KeepsTimeOfItsOwn) {
  SimulatedNetwork network({.delay = 5ms, .spread = DelaySpread::fixed, .poll = 2us});
  std::vector<SimulatedTime> times;
  network.spawn("a", [&] {
    network.sleep(3h);
    network.send("b", {"a", "", ""});
    times.push_back(network.now());
    EXPECT_FALSE(network.try_receive("a"));
    times.push_back(network.now());
    EXPECT_FALSE(network.receive_within(7us, "a"));
    times.push_back(network.now());
  });
  network.spawn("b", [&] {
    EXPECT_TRUE(network.receive("b"));
    EXPECT_EQ(network.now(), 3h + 5ms);
  });
  const SimulationOutcome outcome = network.run();
  EXPECT_EQ(times, (std::vector<SimulatedTime>{3h, 3h + 2us, 3h + 9us}));
  EXPECT_EQ(outcome.time, 3h + 5ms);
  EXPECT_EQ(outcome.text(), "finished after 5 actions, at 10800.005000000 s");
}

TEST(SimulatedNetwork, RandomNumbersDependOnSeedAndNameAlone) {
  const auto draws = [](std::uint64_t seed, std::vector<std::string> order) {
    std::map<std::string, std::uint32_t> drawn;
    SimulatedNetwork network({.seed = seed});
    for (const std::string& name : order) {
      network.spawn(name, [&, name] { drawn[name] = random_of(network).word(); });
    }
    network.run();
    return drawn;
  };
  EXPECT_EQ(draws(1, {"a", "b"}), draws(1, {"b", "a"}));
  EXPECT_NE(draws(1, {"a"}).at("a"), draws(2, {"a"}).at("a"));
  EXPECT_NE(draws(1, {"a", "b"}).at("a"), draws(1, {"a", "b"}).at("b"));
}

TEST(SimulatedNetwork, RunsAThousandProcesses) {
  constexpr int count = 1000;
  SimulatedNetwork network({.stack_size = 64 * 1024});
  for (int i = 0; i < count; ++i) {
    network.spawn("p" + std::to_string(i), [&, i] {
      const std::string next = "p" + std::to_string((i + 1) % count);
      for (int round = 0; round < 5; ++round) {
        const bool first = i == 0;  // has the token
        if (!first && !network.receive(network.self())) throw std::runtime_error("no token");
        network.send(next, {std::string(network.self()), "token", ""});
        if (first && !network.receive(network.self())) throw std::runtime_error("no token");
      }
    });
  }
  const SimulationOutcome outcome = network.run();
  EXPECT_EQ(outcome.end, End::finished) << outcome.text();
  EXPECT_EQ(outcome.received, 5 * count);
}

}  // namespace
}  // namespace lightcone
