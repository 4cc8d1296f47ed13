// What `explore` says of MPI programs whose sends wait, of those that are right and hard to run one
// rank at a time, and of those that it cannot explore.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "mpi/mpi_run.h"
#include "mpi/scripts.h"

namespace lightcone {
namespace {

class MpiExplored : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] Result explore(const std::string& program, int ranks = 2,
                               const std::string& options = {}) const {
    return run(prepared() + "timeout 100 " + explore_command(program, ranks, options));
  }
  [[nodiscard]] static std::string prepared() {
    return mpi_environment() + "export OMPI_MCA_odls_base_sigkill_timeout=0\n";
  }
  [[nodiscard]] static std::string explore_command(const std::string& program, int ranks,
                                                   const std::string& options) {
    return "lightcone explore --json " + options + " -- mpirun." + GetParam() + " -n " +
           std::to_string(ranks) + ' ' + LIGHTCONE_MPI_PROGRAMS + '/' + GetParam() + '/' + program;
  }
  /// So many executions, of which so many deadlock; and no other remains.
  void expect_counts(const std::string& program, int executions, int failed, int ranks = 2,
                     const std::string& options = {}) const {
    const Result result = explore(program, ranks, options);
    EXPECT_EQ(result.status, failed == 0 ? 0 : 1) << program << ": " << result.out << result.err;
    const auto found = result.json();
    EXPECT_EQ(found["executions"], executions) << program << ": " << result.out;
    EXPECT_EQ(found["failed"], failed) << program << ": " << result.out;
    EXPECT_EQ(found["complete"], true) << program << ": " << result.out;
    EXPECT_EQ(found["sends"], options == "--unbuffered" ? "waiting" : "buffered");
    for (const auto& failure : found["failures"]) {
      EXPECT_TRUE(has(failure["why"], {"deadlock: "})) << program << ": " << failure;
    }
  }
};

TEST_P(MpiExplored, SynchronousSendsWait) {
  const Result result = explore("synchronous ssend");
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_EQ(result.json()["failures"][0]["why"],
            "deadlock: rank0 waits in MPI_Ssend for its receive by rank1, tag 0, on world; "
            "rank1 waits in MPI_Ssend for its receive by rank0, tag 0, on world; "
            "a circle: rank0 -> rank1 -> rank0");
  expect_counts("synchronous issend_first", 1, 1);
  expect_counts("synchronous posted_any", 3, 0);
}

// Drivers of graphics devices take longer to load than all else, unless someone wants them.
TEST_P(MpiExplored, NobodyLooksForGraphicsDevices) {
  const std::string program = "lightcone explore --verbose -- mpirun." + GetParam() +
                              " -n 2 sh -c 'echo looks: $HWLOC_COMPONENTS. >&2; exec " +
                              LIGHTCONE_MPI_PROGRAMS + "/" + GetParam() + "/synchronous send'\n";
  EXPECT_TRUE(
      has(run(prepared() + "unset HWLOC_COMPONENTS\n" + program).err, {"looks: -opencl,-gl."}));
  const Result own = run(prepared() + "export HWLOC_COMPONENTS=-gl\n" + program);
  EXPECT_TRUE(has(own.err, {"looks: -gl."})) << own.err;
}

/// "No other order remains" is said of so many empty polls in a row.
TEST_P(MpiExplored, SaysHowManyEmptyPollsItExplored) {
  const auto limited = explore("two_polls").json();
  EXPECT_EQ(limited["complete"], true);
  EXPECT_EQ(limited["empty_polls"], 1);
  const auto all = explore("two_polls", 2, "--empty-polls 2").json();
  EXPECT_EQ(all["complete"], true);
  EXPECT_FALSE(all.contains("empty_polls"));
  EXPECT_EQ(all["outputs"].size(), limited["outputs"].size() + 1);
}

TEST_P(MpiExplored, StandardSendsWaitOnRequest) {
  expect_counts("synchronous send", 1, 0);
  expect_counts("synchronous send", 1, 1, 2, "--unbuffered");
  expect_counts("synchronous sendrecv", 1, 0, 2, "--unbuffered");
}

TEST_P(MpiExplored, AnOrderDecidesWhoWaits) { expect_counts("synchronous order", 2, 1, 3); }

TEST_P(MpiExplored, LongerSynchronousSends) {
  expect_counts("synchronous issend", 1, 0);
  expect_counts("synchronous ssend_init", 1, 0);
  expect_counts("synchronous ssend_init_first", 1, 1);
  expect_counts("synchronous posted", 1, 0);
  expect_counts("synchronous barrier", 1, 0);
  expect_counts("synchronous rsend", 1, 0);
  expect_counts("synchronous mrecv", 1, 0);
  expect_counts("synchronous mrecv_late", 1, 1);
  expect_counts("synchronous waitany", 4, 0);
  expect_counts("synchronous bsend", 1, 0, 2, "--unbuffered");
  expect_counts("synchronous isend_first", 1, 1, 2, "--unbuffered");
  expect_counts("synchronous isend_first", 1, 0);
}

/// A recording of a deadlock of sends that wait is one when it is replayed.
TEST_P(MpiExplored, LongerReplaysOfUnbufferedSends) {
  ASSERT_EQ(explore("synchronous send", 2, "--unbuffered --out found").status, 1);
  const Result replayed = run(prepared() + "timeout 60 lightcone replay --patience 1 found/1 2>&1");
  EXPECT_TRUE(has(replayed.out, {"waits in MPI_Send for its receive by rank"})) << replayed.out;
}

/// The ranks that a deadlock names: "0 2 ".
[[nodiscard]] std::string ranks_that_wait(const std::string& why) {
  std::string ranks;
  for (std::size_t at = why.find("waits in"); at != std::string::npos;
       at = why.find("waits in", at + 1)) {
    ranks += why.substr(at - 2, 2);
  }
  return ranks;
}

/// Random programs end in all the ways that MPI allows, and in no others.
TEST_P(MpiExplored, LongerRandomProgramsEndInAllWays) {
  const char* const seeds = std::getenv("LIGHTCONE_SEEDS");
  const std::uint64_t last = seeds == nullptr ? 6 : std::strtoull(seeds, nullptr, 10);
  for (std::uint64_t seed = 0; seed < last; ++seed) {
    const Scripts scripts = arbitrary_scripts(seed);
    const bool unbuffered = seed % 2 == 1;
    const AllOutcomes expected(scripts, unbuffered);
    std::string program = "scripted";
    for (const std::string& script : scripts) program += " '" + script + "'";
    const std::string options = "--verbose --runs 200";
    const Result result = explore(program, 3, options + (unbuffered ? " --unbuffered" : ""));
    const auto found = result.json();
    std::set<std::string> outcomes, deadlocks;
    std::istringstream lines(result.err);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("outcome")) outcomes.insert(line);
    }
    for (const auto& failure : found["failures"]) {
      deadlocks.insert(ranks_that_wait(failure["why"]));
    }
    EXPECT_EQ(found["complete"], true) << seed << program << result.out;
    EXPECT_EQ(outcomes, expected.outcomes) << seed << program << result.out;
    EXPECT_EQ(deadlocks, expected.deadlocks) << seed << program << result.out;
  }
}

TEST_P(MpiExplored, BegunCollectivesGoOnWhileOthersWait) {
  const Result result = explore("begun_collectives", 3);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_GE(result.json()["executions"], 2) << result.out;
}

TEST_P(MpiExplored, OneSidedSynchronisationIsNotExplored) {
  const Result result = explore("windows", 3);
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  const auto found = result.json();
  EXPECT_EQ(found["failed"], 0) << result.out;
  EXPECT_EQ(found["complete"], false);
  EXPECT_EQ(found["executions"], 2) << result.out;
  EXPECT_EQ(found["not_explored"],
            nlohmann::json::array({"one-sided synchronisation: who gets a lock first, and who "
                                   "sees what was written"}));
}

TEST_P(MpiExplored, TestsOfWindowsFindWhoHasCome) {
  const Result result = explore("windows tests", 3, "--runs 3");
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_EQ(result.json()["failed"], 0) << result.out;
}

TEST_P(MpiExplored, WhatCannotBeExploredIsUnknown) {
  const auto expect_unknown = [&](const std::string& program, const std::string& why) {
    const Result result = explore(program);
    EXPECT_EQ(result.status, 3) << program << ": " << result.out << result.err;
    const auto found = result.json();
    EXPECT_EQ(found["failed"], 0) << program << ": " << result.out;
    EXPECT_TRUE(has(found["not_explored"].dump(), {why})) << program << ": " << result.out;
  };
  expect_unknown("spawns", "MPI_Comm_spawn: processes that are started");
  expect_unknown("threads", "MPI is called from several threads");
  expect_unknown("shared_window", "MPI_Win_allocate_shared, whose values are not recorded");
}

TEST_P(MpiExplored, SaysWhatItFoundWhenItIsEnded) {
  const std::string explores = explore_command("senders ended", 6, "");  // 5! executions
  const Result ended = run(prepared() + explores + " > found &\nsleep 3; kill -INT $!; wait $!");
  EXPECT_EQ(ended.status, 3) << ended.err;
  const auto found = nlohmann::json::parse(run("cat found").out, nullptr, false);
  EXPECT_EQ(found["complete"], false) << ended.err;
  EXPECT_EQ(found["interrupted"], true);
  EXPECT_EQ(found["failed"], 0);
  EXPECT_EQ(run("sleep 1; pgrep -f '" + GetParam() + "/senders ended$'").out, "");
}

INSTANTIATE_TEST_SUITE_P(Mpi, MpiExplored, testing::ValuesIn(mpi_flavours()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace lightcone
