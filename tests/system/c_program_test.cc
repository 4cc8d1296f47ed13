// Programs in C are recorded, replayed and explored like those in C++; a program that receives what
// it has not asked for is told so at once; the first example of the documents is replayed.
#include "system/shell.h"

namespace lightcone {
namespace {

class CProgram : public Shell {
 protected:
  const std::string counter = "'" LIGHTCONE_EXAMPLES "/c_counter'";
  const std::string choices = "'" LIGHTCONE_C_CHOICES "'";
};

TEST_F(CProgram, EveryOrderOfItsMessagesIsExplored) {
  const auto right = run("timeout 120 lightcone explore --json -- " + counter).json();
  EXPECT_EQ(right["complete"], true) << right;
  EXPECT_EQ(right["executions"], 2) << right;
  EXPECT_EQ(right["failed"], 0) << right;
  const auto wrong = run("timeout 120 lightcone explore --json -- " + counter + " --bug").json();
  EXPECT_EQ(wrong["complete"], true) << wrong;
  EXPECT_EQ(wrong["executions"], 6) << wrong;
  EXPECT_EQ(wrong["failed"], 4) << wrong;
  const auto outputs = wrong["outputs"];
  ASSERT_EQ(outputs.size(), 2U) << wrong;
  EXPECT_EQ(outputs[0]["executions"], 4) << "those that fail";
  EXPECT_EQ(outputs[1]["executions"], 2) << outputs;
  EXPECT_EQ(outputs[1]["status"], 0) << outputs;
  EXPECT_TRUE(has(run("timeout 120 lightcone explore -- " + counter + " --bug").out,
                  {"2 different outputs: 4 and 2 executions"}));
  const Result replayed = run("timeout 60 lightcone replay lightcone.exp/1");
  EXPECT_TRUE(has(replayed.err, {"store failed: an addition is lost"}));
}

TEST_F(CProgram, GetsTheAnswersOfItsRecordingAgain) {
  for (const char* journal : {"full", "races"}) {
    const Result recorded =
        run("timeout 60 lightcone record --journal " + std::string(journal) + " -- " + choices);
    ASSERT_EQ(recorded.status, 0) << recorded.err;
    EXPECT_TRUE(has(recorded.out, {" parts\n"}));
    const Result replayed = run("timeout 60 lightcone replay lightcone.rec");
    EXPECT_EQ(replayed.status, 0) << replayed.err;
    EXPECT_EQ(replayed.out.substr(0, recorded.out.size()), recorded.out);
    const auto json = run("timeout 60 lightcone replay lightcone.rec --json").json();
    EXPECT_EQ(json["same"], true) << json;
  }
}

TEST_F(CProgram, GoesOnFromACheckpointWithTheMessageThatItHeld) {
  const Result recorded = run("timeout 60 lightcone record --checkpoint-every 0.01 -- " + choices +
                              " --pairs 100 --slow 1000");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const auto begin = recorded.err.find("complete checkpoints: ");
  ASSERT_NE(begin, std::string::npos) << recorded.err;
  for (int from = 1; from <= 8; ++from) {
    const Result replayed =
        run("timeout 60 lightcone replay lightcone.rec --json --from " + std::to_string(from));
    EXPECT_EQ(replayed.json()["same"], true) << from << ": " << replayed.out << replayed.err;
  }
}

TEST_F(CProgram, WhoReceivesWithoutAskingIsToldSoAtOnce) {
  const Result recorded = run("timeout 60 lightcone record --json -- " + choices + " --unasked");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_TRUE(has(recorded.err, {"b cannot be replayed: at its event 1 it receives a message "
                                 "without asking for it"}));
  EXPECT_EQ(recorded.json()["unasked"], nlohmann::json::array({"b"}));
  const auto replayed = run("timeout 60 lightcone replay lightcone.rec --json").json();
  EXPECT_EQ(replayed["same"], false) << replayed;
  const Result explored = run("timeout 60 lightcone explore -- " + choices + " --unasked");
  EXPECT_EQ(explored.status, 3) << explored.out << explored.err;
  EXPECT_TRUE(has(explored.out, {"there may be others", "Not explored:",
                                 "b: it receives a message that it has not asked for"}));
}

TEST_F(CProgram, WhoAsksIsNotWarned) {
  const Result recorded = run("timeout 60 lightcone record --json -- " + choices);
  EXPECT_EQ(recorded.json()["unasked"], nlohmann::json::array());
  EXPECT_TRUE(has(recorded.err, {}, {"cannot be replayed"}));
}

TEST_F(CProgram, TheFirstExampleOfTheDocumentsIsReplayedAndExplored) {
  const std::string first = "'" LIGHTCONE_EXAMPLES "/first_watch'";
  const Result recorded = run("timeout 60 lightcone record -- " + first);
  EXPECT_TRUE(has(recorded.out, {"forbid: stale at event 1 of cache (read) [first_watch.cc:"}));
  EXPECT_TRUE(has(recorded.err, {}, {"cannot be replayed"}));
  const auto json = run("timeout 60 lightcone replay lightcone.rec --json").json();
  EXPECT_EQ(json["same"], true) << json;
  const auto explored = run("timeout 60 lightcone explore --json -- " + first).json();
  EXPECT_EQ(explored["complete"], true) << explored;
  EXPECT_EQ(explored["executions"], 1) << explored;
}

}  // namespace
}  // namespace lightcone
