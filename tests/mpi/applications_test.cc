// Applications from Debian's packages, as they are: unharmed by the recording, and replayed.
#include <filesystem>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

/// An application, and how its output is made independent of the time it took.
struct Application {
  std::string name;
  std::string executable;  ///< it is skipped where this is missing
  std::string prepare;     ///< copies of files to the folder it runs in
  std::string launch;
  std::string output;  ///< prints what it has to say, after `launch` has written to `out`
};

std::ostream& operator<<(std::ostream& out, const Application& application) {
  return out << application.name;
}

class MpiApplications : public Shell, public testing::WithParamInterface<Application> {
 protected:
  /// Runs it by this command, and returns its own output.
  [[nodiscard]] Result launched(const std::string& by) const {
    return run(mpi_environment() + "A='" + LIGHTCONE_MPI_APPLICATIONS + "'\n" + GetParam().prepare +
               "\ntimeout 100 " + by + " " + GetParam().launch + " > out\nstatus=$?\n" +
               GetParam().output + "\nexit $status");
  }
  static constexpr const char* record_all_contents =
      "lightcone record --contents rank0,rank1,rank2,rank3 --out rec --";
  /// Runs one rank by its own command line, without a launcher.
  [[nodiscard]] Result replayed_alone(const std::string& rank) const {
    Result alone =
        run("export NOISE=1\nA='" + std::string(LIGHTCONE_MPI_APPLICATIONS) + "'\n" +
            GetParam().prepare + "\ntimeout 100 lightcone replay rec --only rank" + rank +
            " > out 2> err\nstatus=$?\n" + GetParam().output + "\ncat err >&2; exit $status");
    EXPECT_EQ(alone.status, 0) << rank << ": " << alone.err;
    EXPECT_TRUE(has(alone.err, {"1 process, ", "the same events as recorded"})) << alone.err;
    return alone;
  }
};

TEST_P(MpiApplications, RunUnharmedAndReplay) {
  if (!has_command(GetParam().executable)) GTEST_SKIP() << GetParam().executable;
  const Result plain = launched("");
  ASSERT_EQ(plain.status, 0) << plain.err;
  ASSERT_GT(plain.out.size(), 100U) << plain.err;
  const Result recorded = launched("lightcone record --out rec --");
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_EQ(recorded.out, plain.out);
  if (has(recorded.err, {"nothing was recorded"})) return;  // it is linked with no MPI
  const Result replayed = launched("lightcone replay rec --");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_EQ(replayed.out, plain.out);
}

// Rank 0 prints what there is to say.
TEST_P(MpiApplications, EachRankRunsAlone) {
  if (!has_command(GetParam().executable)) GTEST_SKIP() << GetParam().executable;
  const Result recorded = launched(record_all_contents);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  if (has(recorded.err, {"nothing was recorded"})) return;
  int ranks = 0;
  for (const std::string rank : {"0", "1", "2", "3"}) {
    if (!std::filesystem::exists(folder() / "rec" / ("rank" + rank + ".journal"))) continue;
    ++ranks;
    const Result alone = replayed_alone(rank);
    if (rank == "0") {
      EXPECT_EQ(alone.out, recorded.out);
    }
  }
  EXPECT_GE(ranks, 2);
}

// The benchmarks' own numbers are times and rates, and one of them draws a rank by the time of day.
const Application hpcc{"hpcc", "hpcc", "cp $A/hpccinf.txt . && rm -f hpccoutf.txt",
                       "mpirun.openmpi -n 4 hpcc",
                       "grep -vE 'ime|microsec|Node selected|=|CPU|WALL|Compiled' hpccoutf.txt |"
                       " sed -E 's/-?[0-9]+\\.[0-9]+(e[-+]?[0-9]+)?/#/g; s/ +/ /g'"};

const Application lammps{"lammps", "lmp", "",
                         "mpirun.openmpi -n 4 lmp -log none"
                         " -in $A/in.small",
                         "grep -vE 'CPU|Loop time|Performance|wall time|\\|' out"};

// Debian builds mb-mpi without MPI, so there is one rank and nothing to replay.
const Application mrbayes{"mrbayes", "mb-mpi", "rm -f small.nex*; cp $A/small.nex .",
                          "mpirun.openmpi -n 1 /usr/lib/mrbayes-mpi/mb-mpi small.nex",
                          "sed -E 's/-- [0-9:]+$//' out | grep -vE 'second|stamp|default start'; "
                          "grep -v ID small.nex.run1.p"};

// As often as it is told: left to itself, it repeats as often as there is time.
const Application netpipe_openmpi{"netpipe_openmpi", "NPopenmpi", "",
                                  "mpirun.openmpi -n 2 NPopenmpi -n 5 -u 65536 2> err",
                                  "sed -E '/^lightcone/d; s/-->.*//; s/0.[0-9]+ .*//' err"};
const Application netpipe_mpich{"netpipe_mpich", "NPmpich2", "",
                                "mpirun.mpich -n 2 NPmpich2 -n 5 -u 65536 2> err",
                                "sed -E '/^lightcone/d; s/-->.*//; s/0.[0-9]+ .*//' err"};

INSTANTIATE_TEST_SUITE_P(All, MpiApplications,
                         testing::Values(hpcc, lammps, mrbayes, netpipe_openmpi, netpipe_mpich),
                         [](const auto& each) { return each.param.name; });

/// The one application that there is for both MPIs.
class MpiApplicationsOfBoth : public MpiApplications {};

// As on a machine where only the other MPI is installed.
TEST_P(MpiApplicationsOfBoth, RunAloneWithTheOtherMpi) {
  const bool is_openmpi = GetParam().executable == "NPopenmpi";
  const std::string other = is_openmpi ? "NPmpich2" : "NPopenmpi";
  if (!has_command(GetParam().executable) || !has_command(other)) GTEST_SKIP() << "netpipe";
  const Result recorded = launched("lightcone record --contents rank0,rank1 --out rec --");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  ASSERT_GT(recorded.out.size(), 100U);
  for (const std::string rank : {"0", "1"}) {
    const Result alone = run("timeout 100 lightcone replay rec --only rank" + rank + " -- " +
                             other + " -n 5 -u 65536 > out 2> err\nstatus=$?\n" +
                             GetParam().output + "\ncat err >&2; exit $status");
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_TRUE(has(alone.err, {"1 process, ", "the same events as recorded"})) << alone.err;
    if (rank == "0") {
      EXPECT_EQ(alone.out, recorded.out);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, MpiApplicationsOfBoth,
                         testing::Values(netpipe_openmpi, netpipe_mpich),
                         [](const auto& each) { return each.param.name; });

class MpiPython : public MpiApplications {};

// Its output depends on the order of messages, so only the replay is the same as the recording.
TEST_P(MpiPython, Replays) {
  const Result recorded = launched("lightcone record --out rec --");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  for (int i = 0; i < replays() && !HasFailure(); ++i) {
    const Result replayed = launched("lightcone replay rec --");
    EXPECT_EQ(replayed.status, 0) << replayed.err;
    EXPECT_EQ(lines_by_rank(replayed.out), lines_by_rank(recorded.out)) << replayed.err;
  }
}

TEST_P(MpiPython, EachRankRunsAlone) {
  const Result recorded = launched(record_all_contents);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  RankLines before = lines_by_rank(recorded.out);
  for (const std::string rank : {"0", "1", "2", "3"}) {
    EXPECT_EQ(lines_by_rank(replayed_alone(rank).out)[rank], before[rank]) << rank;
  }
}

const Application python{"python", "python3", "",
                         "mpirun.openmpi -n 4 /usr/bin/python3 $A/wildcards.py", "cat out"};
INSTANTIATE_TEST_SUITE_P(MpiApplications, MpiPython, testing::Values(python),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace lightcone
