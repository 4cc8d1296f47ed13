// Threads that are explored as if they were processes: the controller meets every order once.
#include <lightcone/explore/controller.h>

#include <gtest/gtest.h>
#include <lightcone/explore/controlled_prompter.h>
#include <lightcone/explore/deadlock_text.h>
#include <lightcone/network.h>
#include <lightcone/process.h>

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <set>
#include <thread>

#include "temporary_folder.h"

namespace lightcone {
namespace {

/// What a process does, and what there is to say of it afterwards.
using Part = std::function<std::string(ThreadNetwork&, Process&)>;

class Controlled : public testing::Test {
 protected:
  struct Seen {
    std::multiset<std::string> said;  ///< in each execution: by all processes together
    std::vector<ControlledEnd> ends;
    bool complete = false;
  };

  /// Runs all executions of a program, which is a part for each name.
  Seen explore(const std::map<std::string, Part>& parts, bool members = true) {
    Seen seen;
    NamedExploration named;
    Exploration& exploration = named.exploration();
    auto socket = ControlSocket::listen(folder_.path() + "/socket");
    while (exploration.begin()) {
      Controller controller(named, *socket, std::chrono::seconds(5));
      seen.ends.push_back(run_once(parts, members, controller, seen));
      exploration.end();
      if (exploration.trouble() || seen.ends.size() > 1000) break;
    }
    seen.complete = exploration.complete();
    return seen;
  }

 private:
  ControlledEnd run_once(const std::map<std::string, Part>& parts, bool members,
                         Controller& controller, Seen& seen) {
    ThreadNetwork network;
    std::map<std::string, std::string> said;
    for (const auto& [name, part] : parts) said[name];
    std::atomic<std::size_t> running = parts.size();
    std::vector<std::jthread> threads;
    for (const auto& [name, part] : parts) {
      threads.emplace_back([&, name = name, part = part] {
        ProcessOptions options;
        options.name = name;
        if (members) {
          for (const auto& [other, its] : parts) options.members.push_back(other);
        }
        options.run.emplace();
        options.run->directory = folder_.path();
        options.run->how = ExploreOrders{.controller = folder_.path() + "/socket"};
        auto process = Process::start(options);
        EXPECT_TRUE(process) << process.error().text();
        if (process) said[name] = part(network, **process);
        process->reset();
        --running;
      });
    }
    ControlledEnd end = controller.run([&] { return running != 0; });
    threads.clear();
    std::string all;
    for (const auto& [name, text] : said) all += text;
    seen.said.insert(all);
    return end;
  }

  TemporaryFolder folder_{TemporaryFolder::in_memory()};
};

Part sender_to(std::string to) {
  return [to](ThreadNetwork& network, Process& process) {
    send(network, process, to, std::string(process.name()));
    return std::string();
  };
}

Part receiver_of(int count) {
  return [count](ThreadNetwork& network, Process& process) {
    std::string said;
    for (int i = 0; i < count; ++i) said += receive(network, process)->content;
    return said;
  };
}

TEST_F(Controlled, SendersToOneReceiverComeInEveryOrder) {
  const Seen seen = explore({{"r", receiver_of(4)},
                             {"a", sender_to("r")},
                             {"b", sender_to("r")},
                             {"c", sender_to("r")},
                             {"d", sender_to("r")}});
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.said.size(), 24U);
  EXPECT_EQ(std::set(seen.said.begin(), seen.said.end()).size(), 24U);
}

TEST_F(Controlled, IndependentReceiversMultiply) {
  const Seen seen = explore({{"r", receiver_of(3)},
                             {"s", receiver_of(2)},
                             {"a", sender_to("r")},
                             {"b", sender_to("r")},
                             {"c", sender_to("r")},
                             {"x", sender_to("s")},
                             {"y", sender_to("s")}},
                            false);
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(std::set(seen.said.begin(), seen.said.end()).size(), 12U);
  EXPECT_EQ(seen.said.size(), 12U);
}

TEST_F(Controlled, PollsMayFindNothingAndChoicesGoEveryWay) {
  const Seen seen =
      explore({{"a", sender_to("r")}, {"r", [](ThreadNetwork& network, Process& process) {
                                         std::string said = std::to_string(process.choose(2));
                                         auto parcel = poll(network, process);
                                         if (parcel) process.receive(std::move(parcel->taken));
                                         return said + (parcel ? parcel->content : "-");
                                       }}});
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.said, (std::multiset<std::string>{"0-", "0a", "1-", "1a"}));
}

TEST_F(Controlled, AProgramWithoutRacesHasOneExecution) {
  const Seen seen = explore({{"a", sender_to("r")}, {"r", receiver_of(1)}});
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.said.size(), 1U);
}

/// Ranks that choose what they receive, and talk to the controller themselves.
class SelectiveRanks : public testing::Test {
 protected:
  using Rank = std::function<std::string(ControlledPrompter&)>;

  /// What the ranks said in each execution; `end` is the last one's.
  std::multiset<std::string> explore(const std::vector<Rank>& ranks) {
    std::multiset<std::string> said;
    NamedExploration named;
    Exploration& exploration = named.exploration();
    auto socket = ControlSocket::listen(folder_.path() + "/socket");
    while (exploration.begin()) {
      Controller controller(named, *socket, std::chrono::seconds(5));
      said.insert(run_once(ranks, controller));
      exploration.end();
      if (exploration.trouble() || said.size() > 1000) break;
    }
    EXPECT_TRUE(exploration.complete());
    return said;
  }
  ControlledEnd end;

 private:
  std::string run_once(const std::vector<Rank>& ranks, Controller& controller) {
    std::vector<std::string> members, said(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) members.push_back("rank" + std::to_string(i));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      threads.emplace_back([&, i] {
        auto prompter = ControlledPrompter::begin(folder_.path() + "/socket", members[i], members);
        if (prompter) said[i] = ranks[i](**prompter);
      });
    }
    end = controller.run([] { return true; });
    threads.clear();
    return fmt::format("{}", fmt::join(said, "|"));
  }

  TemporaryFolder folder_{TemporaryFolder::in_memory()};
};

/// What it gets, as the sender's last letter and the number.
std::string received(ControlledPrompter& rank, std::vector<ControlPattern> patterns,
                     std::string in = "MPI_Recv", bool polls = false) {
  const auto turn = rank.begin_take(std::move(patterns), std::move(in), polls);
  if (!turn) return "!";
  if (turn->what == Prompter::Turn::What::nothing) return "-";
  return fmt::format("{}.{} ", rank.chosen().sender.back(), rank.chosen().number);
}

TEST_F(SelectiveRanks, WildcardsMeetAllWhoseTagAndContextItIs) {
  const auto sends = [](std::string context, std::int32_t tag) -> Rank {
    return [=](ControlledPrompter& rank) {
      rank.sent("rank0", 1, context, tag);
      return std::string();
    };
  };
  const auto receives = [](ControlledPrompter& rank) {
    return received(rank, {{.context = "world", .tag = 5}});
  };
  EXPECT_EQ(explore({receives, sends("world", 5), sends("world", -2), sends("world/dup1", 5),
                     sends("world", 5)}),
            (std::multiset<std::string>{"1.1 ||||", "4.1 ||||"}));
  EXPECT_EQ(end.why, ControlledEnd::Why::ended) << end.text;
}

TEST_F(SelectiveRanks, NamedSendersLeaveNoChoice) {
  const Rank sends = [](ControlledPrompter& rank) {
    for (std::uint64_t i = 1; i <= 3; ++i) rank.sent("rank0", i, "world", i == 2 ? 7 : 5);
    return std::string();
  };
  const Rank receives = [](ControlledPrompter& rank) {
    std::string said;
    said += received(rank, {{.sender = "rank1", .context = "world", .tag = 5, .skip = 1}});
    said += received(rank, {{.sender = "rank2", .context = "world", .tag = 7}});
    said += received(rank, {{.sender = "rank1", .context = "world"}});
    return said + received(rank, {{.sender = "rank2", .context = "world"}});
  };
  EXPECT_EQ(explore({receives, sends, sends}), std::multiset<std::string>{"1.3 2.2 1.1 2.1 ||"});
}

TEST_F(SelectiveRanks, AnyOfSeveralReceivesOrNone) {
  const Rank sends = [](ControlledPrompter& rank) {
    rank.sent("rank0", 1, "world", 5);
    return std::string();
  };
  const Rank polls = [](ControlledPrompter& rank) {
    return received(rank, {{.sender = "rank1", .context = "world"}, {.sender = "rank3"}},
                    "MPI_Testany", true);
  };
  EXPECT_EQ(explore({polls, sends, sends}), (std::multiset<std::string>{"-||", "1.1 ||"}));
}

TEST_F(SelectiveRanks, ADeadlockNamesWhoWaitsForWhom) {
  const auto waits_for = [](std::string other) -> Rank {
    return [=](ControlledPrompter& rank) {
      return received(rank, {{.sender = other, .context = "world", .tag = 5}},
                      "MPI_Recv for a message from " + other + ", tag 5, on world");
    };
  };
  const Rank ends = [](ControlledPrompter& rank) {
    rank.sent("rank0", 1, "world", 6);
    return std::string();
  };
  EXPECT_EQ(explore({waits_for("rank1"), waits_for("rank0"), ends}).size(), 1U);
  EXPECT_EQ(end.why, ControlledEnd::Why::deadlock);
  EXPECT_EQ(end.text,
            "deadlock: rank0 waits in MPI_Recv for a message from rank1, tag 5, on world; "
            "rank1 waits in MPI_Recv for a message from rank0, tag 5, on world; "
            "a circle: rank0 -> rank1 -> rank0");
}

/// Two ranks, of which one says something that ends the execution.
class DisturbedRanks : public testing::Test {
 protected:
  using Rank = std::function<void(ControlChannel&)>;

  /// How the first execution ends. Who has said something waits for the end.
  ControlledEnd run(const std::vector<Rank>& ranks, std::chrono::milliseconds patience,
                    const std::function<bool()>& is_interrupted = {}) {
    NamedExploration exploration;
    auto socket = ControlSocket::listen(folder_.path() + "/socket");
    Controller controller(exploration, *socket, patience);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      threads.emplace_back([&, i] {
        auto channel = ControlChannel::connect(folder_.path() + "/socket");
        if (channel) ranks[i](*channel);
      });
    }
    EXPECT_TRUE(exploration.exploration().begin());
    const ControlledEnd end = controller.run([] { return true; }, is_interrupted);
    left_out = controller.left_out();
    return end;
  }
  /// Begins after a while, says this, and waits for an answer.
  static Rank rank(const std::string& name, std::chrono::milliseconds later,
                   const std::optional<ControlMessage>& says = {}) {
    return [=](ControlChannel& channel) {
      std::this_thread::sleep_for(later);
      channel.say(control::Begins{name, {"a", "b"}});
      if (!channel.hear() || !says) return;
      channel.say(*says);
      static_cast<void>(channel.hear());
    };
  }
  std::set<std::string> left_out;

 private:
  TemporaryFolder folder_{TemporaryFolder::in_memory()};
};

using std::chrono::milliseconds;

TEST_F(DisturbedRanks, AreAwaitedForLongerThanTheyMayThink) {
  const auto end =
      run({rank("a", milliseconds(0)), rank("b", milliseconds(900))}, milliseconds(400));
  EXPECT_EQ(end.why, ControlledEnd::Why::ended) << end.text;
}

TEST_F(DisturbedRanks, AreNamedIfTheyDoNotCome) {
  const auto end = run({rank("a", milliseconds(0))}, milliseconds(20));
  EXPECT_EQ(end.why, ControlledEnd::Why::hangs);
  EXPECT_EQ(end.text,
            "not all of its processes have begun: b did not come within 0.24 s; a longer "
            "--patience waits for longer");
}

TEST_F(DisturbedRanks, MayRefuse) {
  const auto end =
      run({rank("a", milliseconds(0)), rank("b", milliseconds(0), control::Refuses{"threads"})},
          milliseconds(5000));
  EXPECT_EQ(end.why, ControlledEnd::Why::refused);
  EXPECT_EQ(end.text, "threads");
  const Rank another = [](ControlChannel& channel) {
    std::this_thread::sleep_for(milliseconds(100));
    channel.say(control::Refuses{"from another thread"});
  };
  const auto asks = rank("b", milliseconds(0), control::Sends{1, {"a"}});
  EXPECT_EQ(run({rank("a", milliseconds(0)), another, asks}, milliseconds(5000)).text,
            "from another thread");
}

TEST_F(DisturbedRanks, SayWhatIsLeftOutAndWhatTheyNeed) {
  const auto end = run({rank("a", milliseconds(0), control::LeavesOut{"locks"}),
                        rank("b", milliseconds(0), control::NeedsAcknowledgements{})},
                       milliseconds(200));
  EXPECT_EQ(left_out, std::set<std::string>{"locks"});
  EXPECT_EQ(end.why, ControlledEnd::Why::hangs) << "a asks for nothing";
  EXPECT_EQ(run({rank("a", milliseconds(0)),
                 rank("b", milliseconds(0), control::NeedsAcknowledgements{})},
                milliseconds(5000))
                .why,
            ControlledEnd::Why::needs_acknowledgements);
}

TEST_F(DisturbedRanks, AreInterrupted) {
  const auto since = std::chrono::steady_clock::now();
  const auto is_late = [&] { return std::chrono::steady_clock::now() - since > milliseconds(100); };
  const auto end =
      run({rank("a", milliseconds(0), control::Sends{0, {"b"}}), rank("b", milliseconds(0))},
          std::chrono::seconds(50), is_late);
  EXPECT_EQ(end.why, ControlledEnd::Why::interrupted);
}

TEST(DeadlockText, SaysWhatIsKnown) {
  const auto text = [](const std::vector<StuckProcess>& stuck) { return deadlock_text(stuck); };
  EXPECT_EQ(text({{"a"}}), "deadlock: a waits for a message that will never be sent");
  EXPECT_EQ(text({{"a"}, {"b"}}), "deadlock: a, b wait for a message that will never be sent");
  EXPECT_EQ(text({{"a", "MPI_Barrier on world"}, {"b"}}),
            "deadlock: a waits in MPI_Barrier on world; b waits for a message");
  EXPECT_EQ(
      text({{"a", "x", "d"}, {"b", "x", "e"}, {"c", "x", "b"}, {"e", "x", "c"}, {"f", "x", "f"}}),
      "deadlock: a waits in x; b waits in x; c waits in x; e waits in x; f waits in x; "
      "a circle: b -> e -> c -> b; a circle: f -> f");
}

}  // namespace
}  // namespace lightcone
