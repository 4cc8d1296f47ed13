// `lightcone explore` as it is typed: what it finds in the examples, says, leaves and refuses.
#include "system/shell.h"

namespace lightcone {
namespace {

class Explore : public Shell {
 protected:
  /// The command line of an example, after `--`.
  [[nodiscard]] static std::string example(const std::string& words) {
    return " -- '" LIGHTCONE_EXAMPLES "'/" + words;
  }
  [[nodiscard]] static std::string properties_of(const std::string& name) {
    return "'" LIGHTCONE_SOURCE_DIR "/examples/" + name + "/" + name + ".prop'";
  }
  [[nodiscard]] Result explore(const std::string& words, const std::string& options = {}) const {
    return run("timeout 60 lightcone explore " + options + example(words));
  }
};

TEST_F(Explore, EachExecutionOnce) {
  const auto expect_counts = [&](const std::string& words, int executions, int failed) {
    const Result result = explore(words, "--json");
    EXPECT_EQ(result.status, failed == 0 ? 0 : 1) << words << result.err;
    EXPECT_EQ(result.json()["executions"], executions) << words;
    EXPECT_EQ(result.json()["failed"], failed) << words;
    EXPECT_EQ(result.json()["complete"], true) << words;
  };
  expect_counts("bank_transfer", 1, 0);
  expect_counts("bank_transfer --bug", 8, 1);
  expect_counts("leader_election", 48, 0);
  expect_counts("leader_election --bug", 48, 24);
  expect_counts("work_queue", 816, 0);
  EXPECT_EQ(run("ls -A | grep -v lightcone.exp").out, "");
}

TEST_F(Explore, JsonIsOneDocument) {
  const Result found = explore("bank_transfer --bug --seed 1", "--json --out found");
  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.err, "");
  EXPECT_EQ(found.out,
            "{\"lightcone\":1,\"executions\":8,\"complete\":true,\"not_explored\":[],\"failed\":1,"
            "\"failures\":[{"
            "\"recording\":\"found/8\",\"why\":\"auditor failed: the money is lost\","
            "\"flips\":3}]}\n");
  const Result none = explore("bank_transfer --seed 1", "--json --out none");
  EXPECT_EQ(none.out,
            "{\"lightcone\":1,\"executions\":1,\"complete\":true,\"not_explored\":[],\"failed\":0,"
            "\"failures\":[]}\n");
  EXPECT_EQ(run("ls").out, "found\n");
}

TEST_F(Explore, PeopleReadATable) {
  const Result result = explore("bank_transfer --bug --seed 1");
  EXPECT_TRUE(
      has(result.out, {"8 executions, 1 failed; no other order remains.", "the money is lost",
                       "lightcone.exp/8", "To see one again: lightcone replay lightcone.exp/8"}));
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(has(explore("bank_transfer").out, {"1 execution, none failed; no other order"}));
}

TEST_F(Explore, NotAllOrdersIsNoAnswer) {
  const Result some = explore("bank_transfer --bug", "--runs 3");
  EXPECT_EQ(some.status, 3);
  EXPECT_EQ(some.out, "3 executions, none failed; there may be others.\n");
  EXPECT_EQ(explore("bank_transfer --bug", "--runs 3 --json").json()["complete"], false);
  EXPECT_EQ(explore("leader_election --bug", "--runs 20").status, 1);
  EXPECT_EQ(explore("bank_transfer --bug", "--runs 9").status, 1);
}

TEST_F(Explore, WhatFailsIsARecordingAndATrace) {
  const auto failures = explore("leader_election --bug --seed 1", "--json").json()["failures"];
  ASSERT_EQ(failures.size(), 24U);
  for (const std::size_t which : {std::size_t{0}, std::size_t{23}}) {
    const std::string recording = failures[which]["recording"];
    const Result replayed = run("timeout 60 lightcone replay " + recording);
    EXPECT_EQ(replayed.status, 1) << replayed.err;
    EXPECT_TRUE(has(replayed.err, {failures[which]["why"], "the same events"}));
    EXPECT_EQ(run("lightcone check " + properties_of("leader_election") + " " + recording).status,
              1);
  }
}

TEST_F(Explore, PropertiesAreCheckedInEachExecution) {
  const std::string check = "--json --check " + properties_of("bank_transfer");
  const auto both = explore("bank_transfer --bug", check).json();
  EXPECT_EQ(both["failed"], 1);
  EXPECT_TRUE(has(both["failures"][0]["why"], {"the money is lost"}));
  EXPECT_EQ(explore("bank_transfer", check).status, 0);
  // In four of eight orders the first copy closes its books before the deposit comes.
  write("late.prop", "forbid late : possibly auditor.closed and rome1.balance == 0\n");
  const auto by_property = explore("bank_transfer --bug", "--json --check late.prop").json();
  EXPECT_EQ(by_property["executions"], 8);
  EXPECT_EQ(by_property["failed"], 4);
  EXPECT_EQ(by_property["failures"][0]["why"], "late failed");
  write("bad.prop", "forbid : nothing\n");
  const Result bad = explore("bank_transfer --bug", "--check bad.prop");
  EXPECT_EQ(bad.status, 2);
  EXPECT_TRUE(has(bad.err, {"bad.prop:1"}));
  EXPECT_EQ(explore("bank_transfer --bug", "--check none.prop").status, 2);
}

TEST_F(Explore, ADeadlockNamesWhoWaits) {
  const Result result = explore("work_queue --bug --seed 1", "--json");
  EXPECT_EQ(result.status, 1);
  const auto failures = result.json()["failures"];
  ASSERT_EQ(failures.size(), 12U);
  EXPECT_TRUE(has(failures[0]["why"], {"deadlock", "queue", "anna", "ben"}));
  EXPECT_EQ(failures[0]["flips"], 1);
  const Result replayed = run("timeout 60 lightcone replay lightcone.exp/7");
  EXPECT_TRUE(has(replayed.err, {"3 processes", "the same events", "queue: "}));
}

TEST_F(Explore, OnlyExplorationsAreReplaced) {
  EXPECT_EQ(explore("leader_election --bug").status, 1);
  EXPECT_EQ(explore("bank_transfer --bug").status, 1);
  EXPECT_EQ(run("ls lightcone.exp").out, "8\n");
  EXPECT_EQ(explore("bank_transfer").status, 0);
  EXPECT_EQ(file_count(), 0U) << "an exploration without failures leaves nothing";
  EXPECT_EQ(run("mkdir mine; echo mine > mine/notes.txt").status, 0);
  const Result refused = explore("bank_transfer --bug", "--out mine");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err, {"mine", "notes.txt"}));
  EXPECT_EQ(run("ls mine; cat mine/notes.txt").out, "notes.txt\nmine\n");
}

TEST_F(Explore, WhatCannotBeExploredIsToldApart) {
  const Result without = run("lightcone explore -- echo '[a,b]'");
  EXPECT_EQ(without.status, 2);
  EXPECT_EQ(without.out, "");
  EXPECT_TRUE(has(without.err, {"no process of `echo` has used Lightcone"}));
  const Result misused = explore("bank_transfer --no-such-option");
  EXPECT_EQ(misused.status, 2);
  EXPECT_TRUE(has(misused.err, {"has used Lightcone; it ended with status 2", "run it alone"}));
  const Result unknown = run("lightcone explore -- ./no-such-program");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, {"no-such-program: cannot be run"}));
  EXPECT_EQ(run("lightcone explore").status, 2);
  EXPECT_EQ(run("lightcone explore --runs x -- true").status, 2);
  const Result buffered = explore("bank_transfer", "--unbuffered");
  EXPECT_EQ(buffered.status, 2);
  EXPECT_TRUE(has(buffered.err, {"--unbuffered is for MPI programs only"}));
  EXPECT_EQ(file_count(), 0U);
}

TEST_F(Explore, SaysWhatItFoundWhenItIsEnded) {
  // Hundreds of executions, which take longer than that.
  const std::string explores = "lightcone explore --jobs 1" + example("work_queue --processes");
  const Result ended = run(explores + " &\nsleep 1.5; kill -INT $!; wait $!");
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, {"none failed; interrupted, there may be others."}));
}

// More of this is in the tests of the examples.
TEST_F(Explore, ProcessesOfTheOperatingSystemRunOneAtATime) {
  const Result some = explore("bank_transfer --bug --processes", "--runs 2");
  EXPECT_EQ(some.status, 3) << some.err;
  EXPECT_EQ(some.out, "2 executions, none failed; there may be others.\n");
  const Result first = explore("leader_election --bug --processes", "--json --jobs 1 --runs 14");
  EXPECT_EQ(first.status, 1) << first.err;
  ASSERT_GE(first.json()["failures"].size(), 1U);
  EXPECT_EQ(first.json()["failures"][0]["why"], "exited with 1");
  const std::string recording = first.json()["failures"][0]["recording"];
  const Result replayed = run("timeout 60 lightcone replay " + recording);
  EXPECT_EQ(replayed.status, 1);
  EXPECT_TRUE(has(replayed.err, {"lead", "the same events"}));
}

TEST_F(Explore, ReportsTheSameWithAnyNumberOfJobs) {
  const std::string words = "bank_transfer --bug --processes";
  const Result one = explore(words, "--json --jobs 1");
  EXPECT_EQ(one.status, 1) << one.err;
  EXPECT_EQ(one.json()["executions"], 8);
  EXPECT_EQ(one.json()["failures"][0]["recording"], "lightcone.exp/8");
  for (const char* jobs : {"2", "5"}) {
    const Result several = explore(words, std::string("--json --jobs ") + jobs);
    EXPECT_EQ(several.out, one.out) << jobs << several.err;
    EXPECT_EQ(run("ls -A lightcone.exp").out, "8\n");
  }
  EXPECT_EQ(run("timeout 60 lightcone replay lightcone.exp/8").status, 1);
  EXPECT_EQ(explore(words, "--jobs 0").status, 2);
}

TEST_F(Explore, ShowsWhatEachExecutionPrintedWithoutMixingIt) {
  const Result result = explore("bank_transfer --bug --processes", "--jobs 2 --verbose");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(has(result.err, {"the money is lost"}));
}

}  // namespace
}  // namespace lightcone
