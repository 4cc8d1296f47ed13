// One rank alone, without a launcher and without the others: it prints what it printed before.
#include <filesystem>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiOnly : public MpiRun {
 protected:
  static constexpr const char* all_ranks = "--contents rank0,rank1,rank2,rank3";

  [[nodiscard]] Result only(const std::string& rank, const std::string& options = {}) const {
    return run("export NOISE=1\ntimeout 60 lightcone replay rec --only rank" + rank + " " +
               options);
  }
  /// Replays each rank alone, by the recorded command.
  void expect_same_alone(const Result& recorded) const {
    const RankLines before = lines_by_rank(recorded.out);
    for (const std::string rank : {"0", "1", "2", "3"}) {
      const Result again = only(rank);
      EXPECT_EQ(again.status, recorded.status) << "rank " << rank << ": " << again.err;
      EXPECT_TRUE(has(again.err, {"1 process, ", "the same events as recorded"})) << rank;
      const RankLines after = lines_by_rank(again.out);
      EXPECT_LE(after.size(), 1U) << again.out;
      const auto lines = [&](const RankLines& of) {
        return of.contains(rank) ? of.at(rank) : std::vector<std::string>();
      };
      EXPECT_EQ(lines(after), lines(before)) << "rank " << rank << ": " << again.err;
    }
  }
};

TEST_P(MpiOnly, EachRankIsTheSame) {
  const Result recorded = record(all_ranks);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  expect_same_alone(recorded);
  // All together, the contents are passed over.
  const Result together = replay();
  EXPECT_EQ(together.status, 0) << together.err;
  EXPECT_EQ(lines_by_rank(together.out), lines_by_rank(recorded.out));
}
INSTANTIATE_TEST_SUITE_P(AllCalls, MpiOnly, testing::ValuesIn(for_each_mpi({"calls"})), name_of);

INSTANTIATE_TEST_SUITE_P(
    Alone, MpiOnly,
    testing::ValuesIn(for_each_mpi({"many_to_one 2000", "unusual_calls communicators",
                                    "unusual_calls addresses 70", "statuses", "callbacks",
                                    "fortran_module", "fortran_include", "fortran_f08", "windows",
                                    "begun_collectives"})),
    name_of);

[[nodiscard]] std::vector<MpiProgram> each_call_alone() {
  std::vector<std::string> lines = all_calls();
  for (std::string& line : lines) line = "calls " + line;
  return for_each_mpi(lines);
}
INSTANTIATE_TEST_SUITE_P(EachCall, MpiOnly, testing::ValuesIn(each_call_alone()), name_of);

class MpiOnlyEnds : public MpiOnly {};

// What the other MPI has recorded is answered as well: contents are bytes.
TEST_P(MpiOnlyEnds, WorksWithTheOtherMpi) {
  if (mpi_flavours().size() < 2) GTEST_SKIP() << "there is one MPI";
  const Result recorded = record(all_ranks);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const std::string other = GetParam().flavour == "openmpi" ? "mpich" : "openmpi";
  const std::string program =
      std::string(LIGHTCONE_MPI_PROGRAMS) + "/" + other + "/" + GetParam().line;
  const Result again = only("0", "-- " + program);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(lines_by_rank(again.out)["0"], lines_by_rank(recorded.out)["0"]);
}

TEST_P(MpiOnlyEnds, ADifferenceIsADivergence) {
  ASSERT_EQ(record(all_ranks).status, 0);
  const std::string calls = std::string(LIGHTCONE_MPI_PROGRAMS) + "/" + GetParam().flavour;
  const Result other = only("0", "--patience 0.4 -- " + calls + "/calls probe_any");
  EXPECT_EQ(other.status, 1) << other.err;
  EXPECT_TRUE(has(other.err, {"rank0 diverged at event", "recorded: ", "came: "}));
}

TEST_P(MpiOnlyEnds, WhatCannotRunAloneIsRefused) {
  ASSERT_EQ(record("--contents rank1").status, 0);
  const Result without = only("0");
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(has(without.err, {"recorded without contents", "record --contents rank0"}));
  const Result launched = only("1", "-- mpirun." + GetParam().flavour + " -n 4 " + program());
  EXPECT_EQ(launched.status, 2);
  EXPECT_TRUE(has(launched.err, {"without a launcher", "name the program itself"}));
  EXPECT_EQ(only("1").status, 0) << only("1").err;
}

TEST_P(MpiOnlyEnds, ADebuggerLooksAtIt) {
  ASSERT_EQ(record("--contents rank0").status, 0);
  const Result stopped =
      run("export LIGHTCONE_GDB=echo\ntimeout 60 lightcone replay rec --only rank0 --until "
          "rank0:5 --gdb rank0");
  EXPECT_EQ(stopped.status, 0) << stopped.err;
  EXPECT_TRUE(has(stopped.err, {"rank0 stopped after event 5: pid "}));
  EXPECT_TRUE(has(stopped.out, {"-p ", "-ex continue"}));
  if (!has_command("valgrind")) return;
  const Result checked = only("0", "-- valgrind -q " + program());
  EXPECT_EQ(checked.status, 0) << checked.err;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiOnlyEnds, testing::ValuesIn(for_each_mpi({"calls recv_any"})),
                         name_of);

class MpiOnlyWindows : public MpiOnly {};

// Each MPI has its own way to keep windows.
TEST_P(MpiOnlyWindows, AreRefusedByTheOtherMpi) {
  if (mpi_flavours().size() < 2) GTEST_SKIP() << "there is one MPI";
  ASSERT_EQ(record("--contents rank0").status, 0);
  const std::string other = GetParam().flavour == "openmpi" ? "mpich" : "openmpi";
  const Result refused =
      only("0", "-- " + std::string(LIGHTCONE_MPI_PROGRAMS) + "/" + other + "/" + GetParam().line);
  EXPECT_EQ(refused.status, 1) << refused.err;
  EXPECT_TRUE(has(refused.err, {"and windows that were recorded with", "cannot be replayed with"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiOnlyWindows, testing::ValuesIn(for_each_mpi({"windows"})),
                         name_of);

class MpiOnlyCrash : public MpiOnly {};

// The rank that crashes does so again, alone.
TEST_P(MpiOnlyCrash, ComesAgain) {
  const Result recorded =
      run(mpi_environment() + "timeout 60 lightcone record --contents rank1 --out rec -- mpirun." +
          GetParam().flavour + " -n 2 " + program());
  ASSERT_NE(recorded.status, 0);
  const Result again = only("1", "-- " + program());
  EXPECT_EQ(again.status, 128 + 11) << again.err;
  EXPECT_TRUE(has(again.err, {"the same events", "where the recording ends"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiOnlyCrash,
                         testing::ValuesIn(for_each_mpi({"ping_pong 20 die 1 15 SEGV"})), name_of);

/// Recordings that were made before journals had entries for MPI.
class MpiOldRecordings : public Shell, public testing::WithParamInterface<std::string> {};

TEST_P(MpiOldRecordings, ReplayAsBefore) {
  const std::string recorded = std::string(LIGHTCONE_MPI_RECORDED) + "/" + GetParam();
  const RankLines before = lines_by_rank(run("cat " + recorded + ".txt").out);
  ASSERT_EQ(before.size(), 4U);
  const Result again = run(mpi_environment() + "cp -r " + recorded + " old\ntimeout 60 lightcone " +
                           "replay old -- mpirun." + GetParam() + " -n 4 " +
                           LIGHTCONE_MPI_PROGRAMS + "/" + GetParam() + "/calls");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(lines_by_rank(again.out), before) << again.err;
  EXPECT_TRUE(has(again.err, {"the same events as recorded"}));
}
INSTANTIATE_TEST_SUITE_P(Both, MpiOldRecordings, testing::ValuesIn(mpi_flavours()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lightcone
