// Threads that are explored as if they were processes: the controller meets every order once.
#include <lightcone/live/controller.h>

#include <gtest/gtest.h>
#include <lightcone/live/process.h>
#include <lightcone/live/taking.h>
#include <lightcone/live/thread_network.h>

#include <atomic>
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
    Exploration exploration;
    auto socket = ControlSocket::listen(folder_.path() + "/socket");
    Controller controller(exploration, *socket, std::chrono::seconds(5));
    while (exploration.begin()) {
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
        options.run->mode = RunOrders::Mode::explore;
        options.run->directory = folder_.path();
        options.run->controller = folder_.path() + "/socket";
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
                                         const auto parcel = poll(network, process);
                                         if (parcel) process.receive(parcel->tag);
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

}  // namespace
}  // namespace lightcone
