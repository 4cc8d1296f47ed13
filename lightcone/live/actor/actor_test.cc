// Actors on both networks inside a program: what they say, how they fail, how they are repeated.
#include <gtest/gtest.h>
#include <lightcone/actor.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "temporary_folder.h"

namespace lightcone {
namespace {

/// Two senders and a hub, which notes whose messages come when.
class Senders {
 public:
  static constexpr int messages = 10;

  [[nodiscard]] Program program() {
    Program program{{"hub", "ada", "bob"}, [this](Actor& actor) { be(actor); }};
    program.process.properties =
        "watch second : some longest flow over {get} at get matches get get\n";
    program.process.on_detection = [this](const Detection&) { ++detections; };
    return program;
  }

  std::string order;
  int detections = 0;

 private:
  void be(Actor& actor) {
    if (actor.name() != "hub") {
      for (int i = 0; i < messages; ++i) actor.send("hub", "hello");
      return;
    }
    EXPECT_EQ(actor.names().size(), 3U);
    for (int i = 0; i < 2 * messages; ++i) order += actor.receive({.labels = {"get"}}).from + ' ';
  }
};

TEST(Actors, TheSeedOfASimulationGivesTheOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Senders first, second;
    EXPECT_EQ(run_simulated(first.program(), {.seed = seed}), EXIT_SUCCESS);
    EXPECT_EQ(run_simulated(second.program(), {.seed = seed}), EXIT_SUCCESS);
    EXPECT_EQ(first.order, second.order);
    EXPECT_GE(first.detections, 1);
    orders.insert(first.order);
  }
  EXPECT_GT(orders.size(), 1U);
}

TEST(Actors, ThreadsRepeatWhatWasRecorded) {
  for (int i = 0; i < 5; ++i) {
    const TemporaryFolder folder;
    Senders recorded, replayed;
    Program program = recorded.program();
    program.process.run = RunOrders{folder.path(), RecordOrders{}};
    ASSERT_EQ(run_in_threads(program), EXIT_SUCCESS);
    EXPECT_GE(recorded.detections, 1);
    program = replayed.program();
    program.process.run = RunOrders{folder.path(), ReplayOrders{}};
    ASSERT_EQ(run_in_threads(program), EXIT_SUCCESS);
    EXPECT_EQ(replayed.order, recorded.order);
  }
}

TEST(Actors, TracesAreNamedAfterThem) {
  const TemporaryFolder folder;
  Senders senders;
  Program program = senders.program();
  program.traces = folder.path();
  ASSERT_EQ(run_simulated(program), EXIT_SUCCESS);
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/ada.lct"));
  EXPECT_EQ(program.options_of("ada").members, program.names);
}

/// Whoever waits for the one that fails is stopped, and is not blamed.
TEST(Actors, TheFirstFailureIsTold) {
  const Program program{{"ada", "bob"}, [](Actor& actor) {
                          if (actor.name() == "ada") throw std::runtime_error("no");
                          actor.receive();
                        }};
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_in_threads(program), EXIT_FAILURE);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ada failed: no\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_simulated(program), EXIT_FAILURE);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("ada failed: no"), std::string::npos);
}

TEST(Actors, OnlyActorsOfTheProgramGetMessages) {
  const Program program{{"ada"}, [](Actor& actor) {
                          actor.send("ada", "to itself");
                          EXPECT_EQ(actor.receive().from, "ada");
                          EXPECT_THROW(actor.send("eve", "hello"), std::invalid_argument);
                        }};
  EXPECT_EQ(run_simulated(program), EXIT_SUCCESS);
  EXPECT_EQ(run_in_threads(program), EXIT_SUCCESS);
}

}  // namespace
}  // namespace lightcone
