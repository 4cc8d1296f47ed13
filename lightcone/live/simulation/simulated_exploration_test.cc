// Explorations of simulated programs: what a search through all answers of a chooser finds, each
// once; failures that happen again, and become simple.
#include <lightcone/explore/search/named_exploration.h>
#include <lightcone/live/simulation/chooser.h>
#include <lightcone/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

namespace lightcone {
namespace {

using namespace std::chrono_literals;
using ChoiceKind = Guide::Choice::Kind;
using What = Alternative::What;

/// Gives all answers, one execution after the other; and notes what each process chose.
class EveryAnswer : public Chooser {
 public:
  explicit EveryAnswer(std::uint32_t empty_polls) : empty_polls_(empty_polls) {}

  /// Prepares the next execution.
  [[nodiscard]] bool again() {
    while (!path_.empty() && path_.back().first + 1 == path_.back().second) path_.pop_back();
    const bool left = !path_.empty();
    if (left) ++path_.back().first;
    depth_ = 0;
    chosen.clear();
    rows_.clear();
    return left;
  }

  std::optional<std::size_t> choose(const OpenChoice& choice) override {
    std::vector<std::size_t> allowed;
    for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
      const Alternative& one = choice.alternatives[i];
      if (one.what != What::gives_up || rows_[one.process] < empty_polls_) allowed.push_back(i);
    }
    if (allowed.empty()) allowed.push_back(most_patient(choice));
    if (depth_ == path_.size()) path_.emplace_back(0, allowed.size());
    const std::size_t answer = allowed[path_[depth_++].first];
    const Alternative& one = choice.alternatives[answer];
    note(choice, one, answer);
    return answer;
  }

  std::map<std::string, std::string, std::less<>> chosen;

 private:
  [[nodiscard]] std::size_t most_patient(const OpenChoice& choice) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < choice.alternatives.size(); ++i) {
      if (rows_[choice.alternatives[i].process] < rows_[choice.alternatives[best].process]) {
        best = i;
      }
    }
    return best;
  }
  void note(const OpenChoice& choice, const Alternative& one, std::size_t answer) {
    std::string& text = chosen[std::string(one.process)];
    if (choice.kind != OpenChoice::Kind::next) text += "b" + std::to_string(answer) + " ";
    if (one.what == What::gives_up) text += "n ";
    if (one.what == What::gives_up) ++rows_[one.process];
    if (one.what != What::receives) return;
    text += "t" + std::string(one.sender) + std::to_string(one.number) + " ";
    rows_[one.process] = 0;
  }

  std::uint32_t empty_polls_;
  std::vector<std::pair<std::size_t, std::size_t>> path_;
  std::size_t depth_ = 0;
  std::map<std::string_view, std::uint32_t> rows_;
};

[[nodiscard]] std::string text(const std::map<std::string, std::string, std::less<>>& chosen) {
  std::string text;
  for (const auto& [name, choices] : chosen) {
    if (!choices.empty()) text += name + ": " + choices + "\n";
  }
  return text;
}

[[nodiscard]] std::string text(const NamedGuide& guide) {
  std::map<std::string, std::string, std::less<>> chosen;
  for (std::size_t p = 0; p < guide.names.size(); ++p) {
    std::string& text = chosen[guide.names[p]];
    for (const Guide::Choice& choice : guide.guide.processes[p]) {
      if (choice.kind == ChoiceKind::nothing) text += "n ";
      if (choice.kind == ChoiceKind::branch) text += "b" + std::to_string(choice.value) + " ";
      if (choice.kind != ChoiceKind::takes) continue;
      const std::string sender = choice.sender == outside ? "" : guide.names[choice.sender];
      text += "t" + sender + std::to_string(choice.value) + " ";
    }
  }
  return text(chosen);
}

/// Programs in which processes do anything that depends on what they saw.
class Anything {
 public:
  explicit Anything(std::uint64_t seed) : seed_(seed), random_(seed * 0x9e3779b97f4a7c15ULL) {
    processes_ = 2 + below(random_, 2);
    steps_ = 3 + below(random_, 2);
    options.simulation.fifo = below(random_, 2) == 0;
    options.simulation.loss_rate = below(random_, 6) == 0 ? 0.5 : 0;
    options.simulation.duplicate_rate = below(random_, 6) == 0 ? 0.5 : 0;
    options.empty_polls = below(random_, 3);
  }

  void set_up(SimulatedNetwork& network) const {
    if (seed_ % 4 == 0 && options.simulation.loss_rate + options.simulation.duplicate_rate == 0) {
      network.send("p0", {"", "x", ""});
    }
    for (std::uint32_t p = 0; p < processes_; ++p) {
      network.spawn("p" + std::to_string(p), [this, p, &network] { live(network, p); });
    }
  }

  SimulatedExplorationOptions options;

 private:
  static std::uint32_t below(std::uint64_t& state, std::uint32_t end) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(((state >> 33) * end) >> 31);
  }
  void live(SimulatedNetwork& network, std::uint32_t p) const {
    const std::string self(network.self());
    std::uint64_t state = seed_ * 31 + p;
    const auto learn = [&](const std::optional<Parcel>& parcel) {
      const std::string seen = parcel ? parcel->content : "nothing";
      for (const char letter : seen) state = (state ^ static_cast<unsigned char>(letter)) * 31;
      below(state, 2);
    };
    for (std::uint32_t step = 0; step < steps_; ++step) {
      switch (below(state, 8)) {
        case 0:
        case 1:
        case 2: {
          const std::string to = "p" + std::to_string(below(state, processes_));
          network.send(to, {self, std::to_string(state), ""});
          break;
        }
        case 3:
        case 4: learn(network.receive(self)); break;
        case 5: learn(network.try_receive(self)); break;
        case 6: learn(network.receive_within(1ms, self)); break;
        case 7:
          if (below(state, 2) == 0) network.sleep(1ms);
          if (below(state, 2) == 0) state += network.choose(2);
          if (p == 0 && step == 1 && below(state, 2) == 0) {
            network.spawn("child", [this, &network] { live(network, processes_); });
          }
          break;
      }
    }
  }

  std::uint64_t seed_, random_;
  std::uint32_t processes_ = 0, steps_ = 0;
};

/// The executions among all interleavings; nothing if those are too many.
[[nodiscard]] std::optional<std::set<std::string>> all_executions(const Anything& program) {
  std::set<std::string> all;
  EveryAnswer every(program.options.empty_polls);
  for (int runs = 0; runs < 400; ++runs) {
    SimulationOptions options = program.options.simulation;
    options.chooser = &every;
    SimulatedNetwork network(options);
    program.set_up(network);
    static_cast<void>(network.run());
    all.insert(text(every.chosen));
    if (!every.again()) return all;
  }
  return std::nullopt;
}

TEST(SimulatedExploration, MeetsWhatAllInterleavingsMeetOnce) {
  std::uint64_t compared = 0, executions = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Anything anything(seed);
    const auto all = all_executions(anything);
    if (!all) continue;
    std::set<std::string> met;
    SimulatedProgram program{[&](SimulatedNetwork& network) { anything.set_up(network); }};
    NamedExploration exploration({anything.options.simulation.fifo, anything.options.empty_polls});
    while (exploration.exploration().begin()) {
      SimulationOptions options = anything.options.simulation;
      options.exploration = &exploration;
      SimulatedNetwork network(options);
      program.set_up(network);
      static_cast<void>(network.run());
      exploration.exploration().end();
      ASSERT_EQ(exploration.trouble(), "");
      EXPECT_TRUE(met.insert(text(exploration.guide())).second) << "seed " << seed;
    }
    ASSERT_EQ(met, *all) << "seed " << seed;
    const auto explored = explore(program, anything.options);
    ASSERT_TRUE(explored);
    EXPECT_EQ(explored->executions, met.size());
    EXPECT_TRUE(explored->complete);
    for (const FailedExecution& failed : explored->failures) {
      const auto again = run_guided(program, failed.guide, anything.options);
      ASSERT_TRUE(again);
      EXPECT_TRUE(again->followed) << "seed " << seed;
      EXPECT_EQ(text(again->guide), text(failed.guide));
      EXPECT_TRUE(again->why);
    }
    ++compared;
    executions += met.size();
  }
  EXPECT_GT(compared, 150);
  EXPECT_GT(executions, 500);
}

/// Workers that send what they have to a master, which fails at one order of them.
[[nodiscard]] SimulatedProgram orders(std::string wrong) {
  const auto heard = std::make_shared<std::string>();
  SimulatedProgram program;
  program.set_up = [heard, wrong](SimulatedNetwork& network) {
    heard->clear();
    network.spawn("master", [&network, heard, wrong] {
      for (std::size_t i = 0; i < wrong.size(); ++i) *heard += network.receive("master")->content;
    });
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      network.spawn(name, [&network, name] { network.send("master", {name, name, ""}); });
    }
  };
  program.verdict = [heard, wrong](const SimulationOutcome&) -> std::optional<std::string> {
    if (*heard != wrong) return std::nullopt;
    return "heard " + wrong;
  };
  return program;
}

TEST(SimulatedExploration, FindsTheOneOrderThatFails) {
  const auto found = explore(orders("cdbea"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 120);
  EXPECT_TRUE(found->complete);
  ASSERT_EQ(found->failures.size(), 1);
  EXPECT_EQ(found->failures[0].why, "heard cdbea");
}

TEST(SimulatedExploration, EndsAfterSoManyRuns) {
  std::uint64_t told = 0;
  SimulatedExplorationOptions options;
  options.runs = 50;
  options.progress = [&](std::string_view, std::uint64_t done, std::uint64_t) { told = done; };
  const auto found = explore(orders("edcba"), options);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 50);
  EXPECT_FALSE(found->complete);
  EXPECT_EQ(told, 50);
}

TEST(SimulatedExploration, EndsWhenNoMoreAreWanted) {
  int asked = 0;
  SimulatedExplorationOptions options;
  options.is_over = [&] { return ++asked == 7; };
  const auto found = explore(orders("edcba"), options);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 7);
  EXPECT_FALSE(found->complete);
}

TEST(SimulatedExploration, BeginsWithAGivenExecution) {
  const auto found = explore(orders("cdbea"));
  ASSERT_TRUE(found);
  SimulatedExplorationOptions options;
  options.first = found->failures.at(0).guide;
  std::uint64_t first = 0;
  options.progress = [&](std::string_view, std::uint64_t done, std::uint64_t) { first = done; };
  options.runs = 1;
  const auto once = explore(orders("cdbea"), options);
  ASSERT_TRUE(once);
  EXPECT_EQ(once->failures.size(), 1);
  options.runs = 1000;
  const auto again = explore(orders("cdbea"), options);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->executions, 120);
  EXPECT_EQ(again->failures.size(), 1);
}

/// A deadlock that depends on the order of two of many messages.
[[nodiscard]] SimulatedProgram crossing() {
  return {[](SimulatedNetwork& network) {
    network.spawn("server", [&network] {
      std::string heard;
      for (int i = 0; i < 4; ++i) heard += network.receive("server")->content;
      if (heard.find('d') < heard.find('a')) static_cast<void>(network.receive("server"));
    });
    for (const char* name : {"a", "b", "c", "d"}) {
      network.spawn(name, [&network, name] { network.send("server", {name, name, ""}); });
    }
  }};
}

TEST(SimulatedExploration, ShrinksAFailureToFewFlips) {
  const auto found = explore(crossing());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 24);
  EXPECT_EQ(found->failures.size(), 12);
  std::map<std::uint64_t, int> counts;
  for (const FailedExecution& failed : found->failures) {
    const auto shrunk = shrink(crossing(), failed.guide);
    ASSERT_TRUE(shrunk);
    ++counts[shrunk->count];
    const auto again = run_guided(crossing(), shrunk->flips);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->followed);
    EXPECT_EQ(again->outcome.end, SimulationOutcome::End::deadlock);
    EXPECT_EQ(again->guide, shrunk->failure.guide);
    for (const auto& choices : shrunk->flips.guide.processes) {
      for (const Guide::Choice& choice : choices) {
        NamedGuide fewer = shrunk->flips;
        if (choice.kind == ChoiceKind::any) continue;
        fewer.guide.processes[std::size_t(&choices - shrunk->flips.guide.processes.data())]
                             [std::size_t(&choice - choices.data())] = {};
        EXPECT_EQ(run_guided(crossing(), fewer)->why, std::nullopt);
      }
    }
  }
  // d alone at first; or b or c before it, or both.
  EXPECT_EQ(counts, (std::map<std::uint64_t, int>{{1, 6}, {2, 4}, {3, 2}}));
  const auto fine = shrink(crossing(), {});
  EXPECT_FALSE(fine);
}

TEST(SimulatedExploration, GoesOnWhenAProcessThrows) {
  const SimulatedProgram program{[](SimulatedNetwork& network) {
    network.spawn("server", [&network] {
      if (network.receive("server")->content == "a") throw std::runtime_error("a came first");
      static_cast<void>(network.receive("server"));
    });
    for (const char* name : {"a", "b"}) {
      network.spawn(name, [&network, name] { network.send("server", {name, name, ""}); });
    }
  }};
  const auto found = explore(program);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 2);
  ASSERT_EQ(found->failures.size(), 1);
  EXPECT_NE(found->failures[0].why.find("server failed: a came first"), std::string::npos);
}

TEST(SimulatedExploration, KnowsWhenANetworkIsClosed) {
  const SimulatedProgram program{[](SimulatedNetwork& network) {
    network.spawn("server", [&network] {
      int heard = 0;
      while (network.receive("server")) ++heard;
      if (heard != 3) throw std::runtime_error("some were not heard");
    });
    network.spawn("client", [&network] {
      for (int i = 0; i < 3; ++i) network.send("server", {"client", "", ""});
      network.close();
    });
  }};
  const auto found = explore(program);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 6);
  EXPECT_TRUE(found->complete);
  EXPECT_TRUE(found->failures.empty());
}

TEST(SimulatedExploration, IsNotCompleteWhereThereIsNoEnd) {
  const SimulatedProgram program{[](SimulatedNetwork& network) {
    network.spawn("a", [&network] {
      while (!network.try_receive("a")) {
      }
    });
  }};
  SimulatedExplorationOptions options;
  options.simulation.action_limit = 100;
  const auto found = explore(program, options);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executions, 1);
  EXPECT_FALSE(found->complete);
  EXPECT_EQ(found->failures.size(), 1);
}

TEST(SimulatedExploration, RefusesWhatItCannotExplore) {
  const SimulatedProgram two_readers{[](SimulatedNetwork& network) {
    for (const char* name : {"a", "b"}) {
      network.spawn(name, [&network] { static_cast<void>(network.receive("both")); });
    }
  }};
  const auto second = explore(two_readers);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what.find("b waits at mailbox both, which a reads"), std::string::npos);

  int runs = 0;
  const SimulatedProgram other_things{[&runs](SimulatedNetwork& network) {
    ++runs;
    network.spawn("a", [&network] {
      for (int i = 0; i < 2; ++i) static_cast<void>(network.receive("a"));
    });
    network.spawn("b", [&network, &runs] {
      for (int i = 0; i < 1 + runs; ++i) network.send("a", {"b", "", ""});
    });
  }};
  const auto difference = explore(other_things);
  ASSERT_FALSE(difference);
  EXPECT_NE(difference.error().what.find("b did something else"), std::string::npos);
}

}  // namespace
}  // namespace lightcone
