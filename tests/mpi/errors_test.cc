// Errors of MPI calls: those that end the program, and those that come to an error handler.
#include <algorithm>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiErrors : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] static std::string launch(const std::string& program, int ranks) {
    return "mpirun." + GetParam() + " -n " + std::to_string(ranks) + ' ' + LIGHTCONE_MPI_PROGRAMS +
           '/' + GetParam() + '/' + program;
  }
  [[nodiscard]] Result record(const std::string& program, int ranks,
                              const std::string& options = {}) const {
    return run(mpi_environment() + "rm -rf rec; timeout 60 lightcone record --out rec " + options +
               " -- " + launch(program, ranks));
  }
  [[nodiscard]] Result replay(const std::string& program, int ranks,
                              const std::string& recording = "rec") const {
    return run(mpi_environment() + "timeout 60 lightcone replay " + recording +
               " --patience 0.4 -- " + launch(program, ranks));
  }
  [[nodiscard]] Result explore(const std::string& program, int ranks) const {
    return run(mpi_environment() +
               "rm -rf exp; OMPI_MCA_odls_base_sigkill_timeout=0 timeout 100 lightcone explore "
               "--json --runs 5 --out exp -- " +
               launch(program, ranks));
  }
  /// Rank 0 prints an order that depends on all messages before the error. The launcher may forget
  /// what was printed last.
  void expect_same_orders(const Result& recorded, const Result& again) const {
    auto before = lines_by_rank(recorded.out), after = lines_by_rank(again.out);
    ASSERT_TRUE(before.contains("0") && after.contains("0")) << recorded.out << again.out;
    const std::size_t both = std::min(before["0"].size(), after["0"].size());
    before["0"].resize(both);
    after["0"].resize(both);
    EXPECT_EQ(before["0"], after["0"]);
  }
};

// MPICH lets its launcher kill all processes inside of the failing call, before a second has
// passed.
TEST_P(MpiErrors, AFatalErrorComesAgain) {
  for (const std::string how : {"recv", "waitany", "test"}) {
    const Result recorded = record("fatal_errors " + how, 3);
    EXPECT_NE(recorded.status, 0) << how;
    EXPECT_TRUE(
        has(recorded.err, {"the recording has no end of 3 processes: rank0 after event 240,"}))
        << how << recorded.err;
    const Result again = replay("fatal_errors " + how, 3);
    EXPECT_EQ(again.status, recorded.status) << how << again.err;
    EXPECT_TRUE(has(again.err,
                    {"the same events", "rank0: 240 events, it ended inside of MPI_",
                     ", by an error that is fatal, where the recording ends"},
                    {"diverged"}))
        << how;
    expect_same_orders(recorded, again);
  }
}

// It ends the others, which have not written anything yet. All have come to a barrier by then.
TEST_P(MpiErrors, AnAbortComesAgain) {
  const Result recorded = record("fatal_errors abort", 3);
  EXPECT_EQ(recorded.status, 7) << recorded.err;
  EXPECT_TRUE(has(recorded.err, {"rank1 after event 122, rank2 after event 12"})) << recorded.err;
  const Result again = replay("fatal_errors abort", 3);
  EXPECT_EQ(again.status, 7) << again.err;
  EXPECT_TRUE(has(again.err, {"rank1: 122 events, it called MPI_Abort"}, {"diverged"}));
  expect_same_orders(recorded, again);
}

// Where nothing can move any more, since one has ended all, that is no deadlock.
TEST_P(MpiErrors, AnExplorationSaysWhoEndedIt) {
  for (const auto& [how, why] :
       {std::pair("wait", "rank0 ended inside of MPI_Wait, by an error that is fatal"),
        std::pair("abort", "rank1 called MPI_Abort with code 7")}) {
    const std::string program = std::string("fatal_errors ") + how;
    const Result explored = explore(program, 2);
    EXPECT_EQ(explored.status, 1) << explored.out << explored.err;
    EXPECT_EQ(explored.json()["executions"], 1) << explored.out;
    EXPECT_EQ(explored.json()["failures"][0]["why"], why) << explored.out;
    const Result again = replay(program, 2, "exp/1");
    EXPECT_TRUE(has(again.err, {"where the recording ends"}, {"diverged"})) << how << again.err;
  }
}

TEST_P(MpiErrors, AnExplorationSaysWhoDied) {
  const Result explored = explore("ping_pong 2 die 1 1 SEGV", 2);
  EXPECT_EQ(explored.status, 1) << explored.out << explored.err;
  EXPECT_EQ(explored.json()["failures"][0]["why"], "rank1 died of signal 11 (Segmentation fault)");
  const Result killed = explore("ping_pong 2 die 1 1 KILL", 2);
  EXPECT_EQ(killed.status, 1) << killed.out << killed.err;
  EXPECT_TRUE(has(killed.json()["failures"][0]["why"], {"9"}, {"deadlock"})) << killed.out;
}

// The calls that complete several requests say which of them failed, and which are still open.
TEST_P(MpiErrors, HandlersGetTheSameErrors) {
  std::vector<std::string> programs{"failed_completions"};
  if (GetParam() == "openmpi") programs.push_back("failed_completions pending");
  for (const std::string& program : programs) {
    const Result recorded = record(program, 2);
    ASSERT_EQ(recorded.status, 0) << recorded.err;
    EXPECT_TRUE(has(recorded.out, {"0 handles ", "0 waitall: 1, of 0 2 "})) << recorded.out;
    const Result again = replay(program, 2);
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(lines_by_rank(again.out), lines_by_rank(recorded.out)) << again.err;
  }
}

// A communicator lives on as long as a request on it, also if the request begins later than the
// program thinks.
TEST_P(MpiErrors, CommunicatorsThatAreGivenUp) {
  const std::string program = "freed_communicators 8";
  const Result recorded = record(program, 3);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const Result again = replay(program, 3);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(lines_by_rank(again.out), lines_by_rank(recorded.out)) << again.err;
  const Result explored = explore("freed_communicators 4", 3);
  EXPECT_EQ(explored.status, 0) << explored.out << explored.err;
  EXPECT_EQ(explored.json()["executions"], 2) << explored.out;
}

// It is killed before anything is written in the usual course.
TEST_P(MpiErrors, ARankThatIsCutOffEarlyRunsAlone) {
  EXPECT_NE(record("ping_pong 20 die 1 2 KILL", 2, "--contents rank1").status, 0);
  const Result alone =
      run(mpi_environment() + "timeout 60 lightcone replay rec --only rank1 -- " +
          LIGHTCONE_MPI_PROGRAMS + '/' + GetParam() + "/ping_pong 20 die 1 2 KILL");
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_TRUE(has(alone.err, {"the recording ends before the program"}, {"was recorded without"}));
}

INSTANTIATE_TEST_SUITE_P(Both, MpiErrors, testing::ValuesIn(mpi_flavours()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lightcone
