// Programs whose output MPI decides alone: it is the same recorded, replayed and explored.
#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

constexpr auto npos = std::string::npos;

class MpiUnchanged : public MpiRun {
 protected:
  /// What the ranks print while the program is explored.
  [[nodiscard]] RankLines explored() const {
    const std::string command =
        "mpirun." + GetParam().flavour + " -n 4 sh -c 'exec " + program() + " >> explored.out'";
    const Result result =
        run(mpi_environment() + "timeout 60 lightcone explore --runs 1 -- " + command);
    EXPECT_NE(result.status, 2) << result.err;
    return lines_by_rank(run("cat explored.out").out);
  }
};

TEST_P(MpiUnchanged, Recorded) {
  const Result alone = plain();
  const RankLines expected = lines_by_rank(alone.out);
  EXPECT_FALSE(expected.empty()) << alone.err;
  const Result recorded = record();
  EXPECT_EQ(recorded.status, alone.status) << recorded.err;
  EXPECT_EQ(lines_by_rank(recorded.out), expected) << recorded.err;
  EXPECT_EQ(run("lightcone info rec").status, 0) << run("lightcone info rec").err;
  const Result again = replay();
  EXPECT_EQ(again.status, alone.status) << again.err;
  EXPECT_EQ(lines_by_rank(again.out), expected) << again.err;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiUnchanged,
                         testing::ValuesIn(for_each_mpi({"invalid_arguments once",
                                                         "unusual_calls addresses 70",
                                                         "unusual_calls communicators"})),
                         name_of);

class MpiExploredUnchanged : public MpiUnchanged {};

TEST_P(MpiExploredUnchanged, Explored) { EXPECT_EQ(explored(), lines_by_rank(plain().out)); }
INSTANTIATE_TEST_SUITE_P(Alone, MpiExploredUnchanged,
                         testing::ValuesIn(for_each_mpi({"invalid_arguments",
                                                         "unusual_calls addresses 5",
                                                         "unusual_requests types"})),
                         name_of);

class MpiStatuses : public MpiUnchanged {};

// MPIs themselves set MPI_ERROR in some calls that have one status. The standard forbids it.
TEST_P(MpiStatuses, KeepTheirError) {
  const Result recorded = record();
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const RankLines lines = lines_by_rank(recorded.out);
  ASSERT_TRUE(lines.contains("0"));
  for (const std::string& line : lines.at("0")) {
    const bool is_kept = line.find("error") == std::string::npos || has(line, {"error 4711"});
    EXPECT_TRUE(is_kept && line.find("wrong") == std::string::npos) << line;
  }
  EXPECT_EQ(lines_by_rank(replay().out), lines);
  EXPECT_EQ(explored(), lines);
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiStatuses, testing::ValuesIn(for_each_mpi({"statuses"})),
                         name_of);

class MpiRefused : public MpiRun {};

// What cannot be recorded is named, unless the user accepts that it is not.
TEST_P(MpiRefused, SaysWhy) {
  const bool has_session = GetParam().line == "sessions" && plain().out.find("no session") == npos;
  const bool has_memory = GetParam().line == "shared_window";
  const Result refused = record();
  if (!has_session && !has_memory) {
    EXPECT_EQ(refused.status, 0) << refused.err;
    return;
  }
  EXPECT_NE(refused.status, 0);
  EXPECT_TRUE(has(refused.err, {has_memory ? "uses MPI_Win_allocate_shared, whose values are not"
                                           : "uses MPI_Session_init, and what it does"}));
  if (!has_memory) return;
  const Result accepted = run(
      mpi_environment() + "export LIGHTCONE_UNRECORDED=accept\nlightcone record --out rec2 -- " +
      "mpirun." + GetParam().flavour + " -n 4 " + program());
  EXPECT_EQ(accepted.status, 0) << accepted.err;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRefused,
                         testing::ValuesIn(for_each_mpi({"shared_window", "sessions"})), name_of);

class MpiWrongStatus : public MpiRun {};

// An MPI that does not say which message such a call has got would make a wrong recording of it.
TEST_P(MpiWrongStatus, IsRefusedOrReplays) {
  const Result recorded = record();
  if (recorded.status == 0) return expect_same_replays(recorded);
  EXPECT_TRUE(has(recorded.err, {"uses MPI_Isendrecv with a wildcard"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiWrongStatus,
                         testing::ValuesIn(for_each_mpi({"exchange_of_any"})), name_of);

}  // namespace
}  // namespace lightcone
