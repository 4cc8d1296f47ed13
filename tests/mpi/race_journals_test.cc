// Journals of races: they have the receives that could have taken another message, and replay.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "mpi/mpi_run.h"
#include "mpi/race_entries.h"

namespace lightcone {
namespace {

using Json = nlohmann::json;

class MpiRaces : public MpiRun {};

TEST_P(MpiRaces, ReplayTheSame) {
  const Result recorded = record("--journal races");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_FALSE(has(recorded.err, {"the journals have all receives"})) << recorded.err;
  expect_same_replays(recorded);
}

INSTANTIATE_TEST_SUITE_P(Alone, MpiRaces,
                         testing::ValuesIn(for_each_mpi({"many_to_one 2000", "some_races 50"})),
                         name_of);

/// More programs, which take long. `make check-mpi` runs them.
class MpiRacesOfMore : public MpiRaces {};

TEST_P(MpiRacesOfMore, ReplayTheSame) {
  if (std::getenv("LIGHTCONE_REPLAYS") == nullptr) GTEST_SKIP() << "set LIGHTCONE_REPLAYS";
  const Result recorded = record("--journal races");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  expect_same_replays(recorded);
}
INSTANTIATE_TEST_SUITE_P(
    Alone, MpiRacesOfMore,
    testing::ValuesIn(for_each_mpi({"calls", "ping_pong 100 any", "far_ahead 20000",
                                    "fortran_module", "senders", "two_receivers", "deterministic",
                                    "probe_then_recv", "random_messages"})),
    name_of);

/// The receives with wildcards of these programs are blocking and say what they take.
class MpiRaceEntries : public MpiRun {
 protected:
  [[nodiscard]] Json recorded(const std::string& options) const {
    const Result result = record("--json " + options);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  }
  /// Returns the messages that came first of two that race.
  [[nodiscard]] std::set<std::string> firsts() const {
    const Json races = Json::parse(run("lightcone races --json --pairs rec").out);
    std::set<std::string> firsts;
    for (const Json& pair : races.at("pairs")) firsts.insert(pair.at(0).get<std::string>());
    return firsts;
  }
  [[nodiscard]] std::size_t racing() const { return firsts().size(); }
};

// The orders of two runs differ, but not how many receives there are, and how many of them race.
TEST_P(MpiRaceEntries, AreWhatRacesCounts) {
  const Json races = recorded("--journal races");
  const Json all = races.at("receives");
  EXPECT_EQ(races.at("entered"), racing());
  EXPECT_EQ(races.at("entered"), 20);
  EXPECT_EQ(all, 100 * 6);
  const Json full = recorded("");
  EXPECT_EQ(full.at("entered"), all);
  EXPECT_EQ(full.at("receives"), all);
  // A block per second takes most of these bytes, so a slow run has more of them.
  std::cout << GetParam() << ": bytes of races and full: " << races.at("bytes") << " and "
            << full.at("bytes") << '\n';
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRaceEntries, testing::ValuesIn(for_each_mpi({"some_races 100"})),
                         name_of);

class MpiNearlyAllRace : public MpiRaceEntries {};

TEST_P(MpiNearlyAllRace, HaveEntriesForThem) {
  const Json races = recorded("--journal races");
  EXPECT_EQ(races.at("entered"), racing()) << races;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiNearlyAllRace,
                         testing::ValuesIn(for_each_mpi({"many_to_one 500", "senders"})), name_of);

/// Programs that take messages with wildcards by MPI_Recv alone.
class MpiRaceNames : public MpiRaceEntries {
 protected:
  [[nodiscard]] std::set<std::string> entered() const {
    return messages_in_race_journals((folder() / "rec").string());
  }
};

// Not only as many: the same ones.
TEST_P(MpiRaceNames, AreThoseThatRacesNames) {
  const Result result = record("--journal races");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(has(result.err, {"the journals have all receives"})) << result.err;
  EXPECT_EQ(entered(), firsts());
  const Result again = replay();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(lines_by_rank(again.out), lines_by_rank(result.out));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRaceNames,
                         testing::ValuesIn(for_each_mpi({"random_messages 8 1 blocking",
                                                         "random_messages 8 2 blocking",
                                                         "calls recv_any recv_named_between"})),
                         name_of);

/// `make check-mpi` runs more of them.
class MpiRaceNamesLonger : public MpiRaceNames {};

TEST_P(MpiRaceNamesLonger, AreThoseThatRacesNames) {
  for (int i = 0; i < replays() && !HasFailure(); ++i) {
    const Result result = record("--journal races");
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(entered(), firsts());
  }
}
[[nodiscard]] std::vector<MpiProgram> programs_that_only_receive() {
  std::vector<std::string> lines = {"calls recv_status_ignored", "calls comm_dup",
                                    "calls comm_split",          "calls comm_create",
                                    "calls comm_reuse",          "calls sendrecv_any",
                                    "calls sendrecv_replace_any"};
  for (int seed = 3; seed <= 12; ++seed) {
    lines.push_back("random_messages 20 " + std::to_string(seed) + " blocking");
  }
  return for_each_mpi(lines);
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRaceNamesLonger, testing::ValuesIn(programs_that_only_receive()),
                         name_of);

/// Programs that also begin receives before others, probe and cancel.
class MpiRaceCountsLonger : public MpiRaceEntries {};

TEST_P(MpiRaceCountsLonger, AreAtLeastThoseThatRaceAndAtMostAll) {
  for (int i = 0; i < replays() && !HasFailure(); ++i) {
    const Json races = recorded("--journal races");
    EXPECT_GE(races.at("entered"), racing());
    EXPECT_LE(races.at("entered"), races.at("receives"));
  }
}
[[nodiscard]] std::vector<MpiProgram> programs_that_do_more() {
  std::vector<std::string> lines = all_calls();
  for (std::string& line : lines) line = "calls " + line;
  for (int seed = 1; seed <= 5; ++seed) {
    lines.push_back("random_messages 20 " + std::to_string(seed));
  }
  return for_each_mpi(lines);
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRaceCountsLonger, testing::ValuesIn(programs_that_do_more()),
                         name_of);

class MpiWithoutRaces : public MpiRaceEntries {};

TEST_P(MpiWithoutRaces, LeaveNothingInTheJournals) {
  const Json full = recorded("");
  EXPECT_EQ(full.at("entered"), full.at("receives"));
  const Json races = recorded("--journal races");
  EXPECT_EQ(races.at("entered"), 0);
  EXPECT_EQ(races.at("receives"), full.at("receives"));
}

// The traces are needed only until the races are known.
TEST_P(MpiWithoutRaces, NeedNoTraces) {
  const Json races = recorded("--journal races --journal-only");
  EXPECT_EQ(races.at("entered"), 0);
  EXPECT_EQ(run("ls rec").out.find(".lct"), std::string::npos);
  const Result again = replay();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(has(again.err, {"the same events as recorded"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiWithoutRaces,
                         testing::ValuesIn(for_each_mpi({"ping_pong 100 any"})), name_of);

class MpiRacesOptions : public MpiRun {};

TEST_P(MpiRacesOptions, ARankWithContentsHasAllReceives) {
  const Result recorded = record("--journal races --contents rank0");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const Result alone = run("timeout 60 lightcone replay rec --only rank0");
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_EQ(lines_by_rank(alone.out)["0"], lines_by_rank(recorded.out)["0"]);
  expect_same_replays(recorded);
  const Result explored =
      run(mpi_environment() + "timeout 60 lightcone explore --runs 2 --first rec -- mpirun." +
          GetParam().flavour + " -n 4 " + program());
  EXPECT_TRUE(explored.status == 2 ? has(explored.err, {"--journal full"}) : true) << explored.err;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRacesOptions,
                         testing::ValuesIn(for_each_mpi({"ping_pong 50 any", "senders"})), name_of);

class MpiRacesCutOff : public MpiRun {};

// It is not known which messages the lost events would have sent.
TEST_P(MpiRacesCutOff, HaveAllReceives) {
  const Result recorded = record("--journal races");
  EXPECT_NE(recorded.status, 0);
  EXPECT_TRUE(has(recorded.err, {"the journals have all receives: a process was cut off"}));
  const Result again = replay("--patience 1");
  EXPECT_TRUE(has(again.err, {"the same events"})) << again.err;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiRacesCutOff,
                         testing::ValuesIn(for_each_mpi({"ping_pong 20 any die 1 15 SEGV"})),
                         name_of);

}  // namespace
}  // namespace lightcone
