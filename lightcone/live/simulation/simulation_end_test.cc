// Simulated executions that do not end well: deadlocks, exceptions, crashes, limits; and choosers.
#include <lightcone/live/simulation/chooser.h>
#include <lightcone/simulation.h>

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace lightcone {
namespace {

using End = SimulationOutcome::End;
using namespace std::chrono_literals;

/// Counts those that are alive.
struct Alive {
  explicit Alive(int& number) : count(number) { ++count; }
  ~Alive() { --count; }
  Alive(const Alive&) = delete;
  Alive& operator=(const Alive&) = delete;
  int& count;
};

TEST(SimulationEnd, DeadlockTellsWhoWaitsForWhat) {
  SimulatedNetwork network;
  int alive = 0;
  network.spawn("a", [&] {
    const Alive here(alive);
    network.sleep(2s);
    static_cast<void>(network.receive("a"));
  });
  network.spawn("b", [] {});
  network.spawn("c", [&] {
    const Alive here(alive);
    static_cast<void>(network.receive("replies"));
  });
  const SimulationOutcome outcome = network.run();
  EXPECT_EQ(alive, 0);
  ASSERT_EQ(outcome.end, End::deadlock);
  ASSERT_EQ(outcome.waiting.size(), 2);
  EXPECT_EQ(outcome.waiting[0].process, "a");
  EXPECT_EQ(outcome.waiting[0].since, 2s);
  EXPECT_EQ(outcome.waiting[1].mailbox, "replies");
  const std::string text = outcome.text();
  EXPECT_NE(text.find("\n  a waits for a parcel since 2.000000000 s ["), std::string::npos) << text;
  EXPECT_NE(text.find("\n  c waits for a parcel for replies since 0"), std::string::npos) << text;
  EXPECT_NE(text.find("simulation_end_test.cc:"), std::string::npos) << text;
}

TEST(SimulationEnd, AnExceptionEndsItAndIsTold) {
  for (const bool standard : {true, false}) {
    SimulatedNetwork network;
    int alive = 0;
    network.spawn("a", [&] {
      const Alive here(alive);
      static_cast<void>(network.receive("a"));
    });
    network.spawn("b", [&] {
      const Alive here(alive);
      network.sleep(1s);
      if (standard) throw std::runtime_error("no money left");
      throw 7;
    });
    const SimulationOutcome outcome = network.run();
    EXPECT_EQ(outcome.end, End::failed);
    EXPECT_EQ(outcome.failed, "b");
    EXPECT_EQ(outcome.what,
              standard ? "no money left" : "an exception other than a std::exception");
    EXPECT_EQ(alive, 0);
  }
}

TEST(SimulationEnd, AProcessCrashesAtTheActionAsked) {
  for (std::uint64_t action = 1; action <= 5; ++action) {
    SimulatedNetwork network({.crashes = {{"a", action}}});
    int alive = 0, received = 0;
    network.spawn("a", [&] {
      const Alive here(alive);
      for (int i = 0; i < 4; ++i) network.send("b", {"a", "", ""});
    });
    network.spawn("b", [&] {
      while (network.receive_within(1h, "b")) ++received;
      EXPECT_EQ(alive, 0);
    });
    const SimulationOutcome outcome = network.run();
    EXPECT_EQ(outcome.end, End::finished);
    EXPECT_EQ(outcome.crashed, std::vector<std::string>(action <= 4 ? 1 : 0, "a"));
    EXPECT_EQ(received, action - 1);
  }
}

TEST(SimulationEnd, LimitsStopThoseWhoNeverWaitAndThoseWhoPoll) {
  for (const bool polls : {false, true}) {
    SimulatedNetwork network({.action_limit = 1000});
    int alive = 0;
    network.spawn("a", [&] {
      const Alive here(alive);
      for (;;) {
        if (polls) {
          static_cast<void>(network.try_receive("a"));
        } else {
          network.send("a", {"a", "", ""});
        }
      }
    });
    const SimulationOutcome outcome = network.run();
    EXPECT_EQ(outcome.end, End::limit);
    EXPECT_EQ(outcome.actions, 1000);
    EXPECT_EQ(alive, 0);
  }
}

TEST(SimulationEnd, DestructorsMayCallTheNetworkAtTheEnd) {
  SimulatedNetwork network;
  struct Goodbye {
    SimulatedNetwork& network;
    ~Goodbye() {
      network.send("b", {"a", "bye", ""});
      EXPECT_FALSE(network.receive("a"));
    }
  };
  network.spawn("a", [&] {
    const Goodbye goodbye{network};
    static_cast<void>(network.receive("a"));
  });
  const SimulationOutcome outcome = network.run();
  EXPECT_EQ(outcome.end, End::deadlock);
  EXPECT_EQ(outcome.sent, 0);
}

TEST(SimulationEnd, WhatCatchesEverythingIsStoppedAgain) {
  SimulatedNetwork network;
  int caught = 0;
  network.spawn("a", [&] {
    for (; caught < 3; ++caught) {
      try {
        static_cast<void>(network.receive("a"));
        break;
      } catch (...) {
      }
    }
  });
  EXPECT_EQ(network.run().end, End::deadlock);
  EXPECT_EQ(caught, 3);
}

TEST(SimulationEnd, ANetworkThatNeverRunsIsNoTrouble) {
  SimulatedNetwork network;
  network.spawn("a", [&] { static_cast<void>(network.receive("a")); });
  network.send("a", {"outside", "", ""});
}

/// Goes through all answers to all questions, depth first, one execution after the other.
class AllAnswers : public Chooser {
 public:
  std::optional<std::size_t> choose(const OpenChoice& choice) override {
    if (depth_ == path_.size()) path_.push_back({0, 0});
    auto& [answer, count] = path_[depth_++];
    count = choice.alternatives.size();
    return answer;
  }
  /// Whether there is one more execution.
  [[nodiscard]] bool next() {
    depth_ = 0;
    while (!path_.empty() && ++path_.back().first == path_.back().second) path_.pop_back();
    return !path_.empty();
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> path_;
  std::size_t depth_ = 0;
};

/// What different executions give, by going through all of them.
template <class Program>
[[nodiscard]] std::set<std::string> all_results(SimulationOptions options, const Program& program) {
  AllAnswers all;
  options.chooser = &all;
  std::set<std::string> results;
  do {
    std::string result;
    SimulatedNetwork network(options);
    program(network, result);
    EXPECT_EQ(network.run().end, End::finished);
    results.insert(result);
  } while (all.next());
  return results;
}

/// Two senders of two parcels each.
void two_pairs(SimulatedNetwork& network, std::string& result) {
  network.spawn("r", [&] {
    for (int i = 0; i < 4; ++i) result += network.receive("r")->content;
  });
  network.spawn("a", [&] {
    for (const char* content : {"1", "2"}) network.send("r", {"a", content, ""});
  });
  network.spawn("b", [&] {
    for (const char* content : {"3", "4"}) network.send("r", {"b", content, ""});
  });
}

TEST(Chooser, ReachesEveryOrder) {
  EXPECT_EQ(all_results({.fifo = false}, two_pairs).size(), 24);  // 4!
  EXPECT_EQ(all_results({.fifo = true}, two_pairs),
            (std::set<std::string>{"1234", "1324", "1342", "3124", "3142", "3412"}));
}

TEST(Chooser, DecidesWhatPollsFindAndWhatFaultsHappen) {
  const auto poll = [](SimulatedNetwork& network, std::string& result) {
    network.spawn("r", [&] {
      for (int i = 0; i < 3; ++i) result += network.try_receive("r") ? "1" : "0";
    });
    network.spawn("a", [&] { network.send("r", {"a", "", ""}); });
  };
  EXPECT_EQ(all_results({}, poll), (std::set<std::string>{"000", "001", "010", "100"}));
  EXPECT_EQ(all_results({.loss_rate = 0.1}, poll),
            (std::set<std::string>{"000", "001", "010", "100"}));
  EXPECT_EQ(all_results({.loss_rate = 0.1, .duplicate_rate = 0.1}, poll),
            (std::set<std::string>{"000", "001", "010", "100", "011", "101", "110"}));
}

TEST(Chooser, IsToldWhichParcelItIsAndMayStop) {
  struct Second : Chooser {
    std::optional<std::size_t> choose(const OpenChoice& choice) override {
      for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
        const Alternative& one = choice.alternatives[i];
        if (one.what == Alternative::What::wakes) return i;
        EXPECT_EQ(one.process, "r");
        if (one.sender == "b" && one.number == 2) return i;
      }
      return std::nullopt;
    }
  } second;
  SimulatedNetwork network({.chooser = &second});
  std::string result;
  two_pairs(network, result);
  EXPECT_EQ(network.run().end, End::stopped);
  EXPECT_EQ(result, "4");
}

TEST(Chooser, MayStopWhereAParcelIsSent) {
  struct Never : Chooser {
    std::optional<std::size_t> choose(const OpenChoice& choice) override {
      if (choice.kind == OpenChoice::Kind::fate) return std::nullopt;
      return 0;
    }
  } never;
  SimulatedNetwork network({.loss_rate = 0.5, .chooser = &never});
  network.spawn("a", [&] {
    network.send("a", {"a", "", ""});
    ADD_FAILURE() << "goes on";
  });
  EXPECT_EQ(network.run().end, End::stopped);
}

}  // namespace
}  // namespace lightcone
