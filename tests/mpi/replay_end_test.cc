// How replays of MPI programs end: the same, with too many or too few events, early, or never.
#include <sys/types.h>

#include <cstdlib>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiReplayEnd : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] static std::string ping_pong(const std::string& words) {
    return "mpirun." + GetParam() + " -n 2 " + LIGHTCONE_MPI_PROGRAMS + "/" + GetParam() +
           "/ping_pong " + words;
  }
  [[nodiscard]] Result record(const std::string& words, const std::string& options = {}) const {
    return run(mpi_environment() + "rm -rf rec; timeout 60 lightcone record --out rec " + options +
               " -- " + ping_pong(words));
  }
  [[nodiscard]] Result replay(const std::string& words) const {
    return run(mpi_environment() + "timeout 60 lightcone replay rec --patience 0.4 -- " +
               ping_pong(words));
  }
  /// Whether anything is left that has this folder among its words or in its environment.
  [[nodiscard]] testing::AssertionResult nothing_is_left() const {
    const Result left =
        run("for p in /proc/[0-9]*; do grep -aqs \"LIGHTCONE_RUN=.*$PWD\" $p/environ && "
            "! grep -q ') Z' $p/stat && cat $p/cmdline; done; true");
    return left.out.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << left.out;
  }
};

TEST_P(MpiReplayEnd, EventsAreCounted) {
  for (const auto& [how, options] : {std::pair("", ""), std::pair(" any", "--journal-only")}) {
    ASSERT_EQ(record(std::string("10") + how, options).status, 0);
    for (const std::string rounds : {"9", "20", "0"}) {
      const Result other = replay(rounds + how);
      EXPECT_EQ(other.status, 1) << rounds << how << options << other.err;
      EXPECT_TRUE(has(other.err, {"diverged at event", "recorded: ", "came: "}));
    }
    const Result same = replay(std::string("10") + how);
    EXPECT_EQ(same.status, 0) << same.err;
    EXPECT_TRUE(has(same.err, {"40 events, the same events as recorded"},
                    {"the recording ends before the program", "of them recorded"}));
  }
}

// Nothing is asked of the recording after the last message.
TEST_P(MpiReplayEnd, EventsAfterTheLastAnswerAreCounted) {
  ASSERT_EQ(record("2 talk 10").status, 0);
  EXPECT_EQ(replay("2 talk 10").status, 0);
  for (const std::string talk : {"9", "11"}) {
    const Result other = replay("2 talk " + talk);
    EXPECT_EQ(other.status, 1) << talk << other.err;
  }
}

// It leaves before anything is written in the usual course, which is every second.
TEST_P(MpiReplayEnd, WhoLeavesKeepsItsLastEvents) {
  for (const std::string how : {"exit", "_exit", "error"}) {
    const Result recorded = record("200 die 1 150 " + how);
    EXPECT_NE(recorded.status, 0) << how;
    const Result info = run("lightcone info --json --lenient rec/rank1.lct");
    EXPECT_EQ(info.status, 0) << how << info.err;
    EXPECT_GE(info.json()["events"], 300) << how << recorded.err;
  }
}

TEST_P(MpiReplayEnd, AnEarlyDeathIsADivergence) {
  ASSERT_NE(record("20 wait 0.09 die 1 15 KILL").status, 0);
  for (const std::string how : {"KILL", "SEGV", "exit", "abort"}) {
    const Result early = replay("20 die 1 2 " + how);
    EXPECT_EQ(early.status, 1) << how << early.err;
    EXPECT_TRUE(has(early.err, {"rank1 ", "recorded: at least "})) << how;
    EXPECT_TRUE(nothing_is_left());
  }
}

// A crash or MPI_Abort where the recording has it is the same, whatever became of the others.
TEST_P(MpiReplayEnd, ACrashComesAgain) {
  for (const std::string how : {"SEGV", "abort"}) {
    const Result recorded = record("20 die 1 15 " + how);
    ASSERT_NE(recorded.status, 0);
    const Result again = replay("20 die 1 15 " + how);
    EXPECT_EQ(again.status, recorded.status) << how << again.err;
    EXPECT_TRUE(has(again.err, {"the same events", "where the recording ends"})) << how;
  }
}

TEST_P(MpiReplayEnd, ADeadlockIsReplayed) {
  const Result recorded =
      run(mpi_environment() + "timeout -s INT 6 lightcone record --out rec -- " +
          ping_pong("5 deadlock"));
  ASSERT_NE(recorded.status, 0);
  const Result again = replay("5 deadlock");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(has(again.err,
                  {"the same events", "the recording ends before the program", "waits in MPI_Recv"},
                  {"diverged"}));
  EXPECT_TRUE(nothing_is_left());
}

// Rank 0 may not take the message before its receive, which never comes.
TEST_P(MpiReplayEnd, ADeadlockOfASynchronousSendIsReplayed) {
  const std::string program = "mpirun." + GetParam() + " -n 2 " + LIGHTCONE_MPI_PROGRAMS + "/" +
                              GetParam() + "/early_edges deadlock";
  ASSERT_NE(
      run(mpi_environment() + "timeout -s INT 6 lightcone record --out rec -- " + program).status,
      0);
  const Result again =
      run(mpi_environment() + "timeout 60 lightcone replay rec --patience 0.4 -- " + program);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(has(again.err, {"waits in MPI_Recv", "waits in MPI_Ssend"}, {"diverged"}));
}

TEST_P(MpiReplayEnd, AnExploredDeadlockIsReplayed) {
  const Result explored = run(mpi_environment() + "timeout 60 lightcone explore --out exp -- " +
                              ping_pong("2 deadlock"));
  ASSERT_EQ(explored.status, 1) << explored.err;
  const Result again =
      run(mpi_environment() + "timeout 60 lightcone replay exp/1 --patience 0.4 -- " +
          ping_pong("2 deadlock"));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(has(again.err, {"as recorded, it ends in a deadlock: rank0 waits in MPI_Recv"}));
}

// Until then it says for whom it waits.
TEST_P(MpiReplayEnd, InterruptionIsSaid) {
  ASSERT_EQ(record("3").status, 0);
  for (const auto& [name, number] : {std::pair("INT", 2), std::pair("TERM", 15)}) {
    const Result ended = run(
        mpi_environment() + "lightcone replay rec --patience 0.2 -- " + ping_pong("3 wait 100") +
        " > out 2> err & replay=$!\nsleep 3; kill -" + name + " $replay; wait $replay; echo $?");
    EXPECT_EQ(ended.out, std::to_string(128 + number) + "\n");
    EXPECT_TRUE(has(
        run("cat err").out,
        {"interrupted by signal " + std::to_string(number), "no event since ", "rank1 runs, pid "},
        {"the same events", "diverged"}));
    EXPECT_TRUE(nothing_is_left());
  }
}

/// How many recordings are killed: a few, or as the environment says.
[[nodiscard]] int kills() {
  const char* number = std::getenv("LIGHTCONE_KILLS");
  return number != nullptr ? std::atoi(number) : 2;
}

// Ranks that were killed before anything was written: the replay ends, whatever it finds.
TEST_P(MpiReplayEnd, RanksKilledBeforeTheFirstFlush) {
  for (int i = 0; i < kills() && !HasFailure(); ++i) {
    const std::string delay = "0." + std::to_string(10 + 37 * i % 89);
    const std::string any = i % 2 == 0 ? "" : " any";
    const Result killed =
        run(mpi_environment() + "rm -rf rec; lightcone record --out rec -- " +
            ping_pong("100 wait 0.1" + any) +
            " > out 2>&1 & record=$!\n"
            "for i in $(seq 500); do ls rec/*.journal > list 2>&1 && break; sleep 0.01; done\n"
            "sleep " +
            delay +
            "\n"
            "for p in /proc/[0-9]*; do grep -aqs \"LIGHTCONE_RUN=.*$PWD\" $p/environ && "
            "grep -qsx ping_pong $p/comm && kill -9 ${p#/proc/}; done\n"
            "wait $record; cat out");
    const Result again = replay("100 wait 0.001" + any);
    EXPECT_NE(again.status, 124) << "does not end after " << delay << killed.out << again.err;
    EXPECT_TRUE(again.status <= 2) << again.status << again.err;
    EXPECT_TRUE(nothing_is_left());
  }
}

INSTANTIATE_TEST_SUITE_P(Both, MpiReplayEnd, testing::ValuesIn(mpi_flavours()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lightcone
