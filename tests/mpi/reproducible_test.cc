// The examples of the guide to reproducible runs: another order, and other contents.
#include <fstream>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiReproducible : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  /// One of the examples, run by a command of Lightcone's.
  [[nodiscard]] Result example(const std::string& name, const std::string& command,
                               const std::string& arguments = {}) const {
    return run(mpi_environment() + "export OMPI_MCA_odls_base_sigkill_timeout=0\ntimeout 100 " +
               command + " mpirun." + GetParam() + " -n 4 " + LIGHTCONE_MPI_EXAMPLES + "/" + name +
               "." + GetParam() + " " + arguments);
  }
  void record(const std::string& name, const std::string& out,
              const std::string& arguments = {}) const {
    const Result recorded =
        example(name, "lightcone record --digests --backtrace --out " + out + " --", arguments);
    EXPECT_EQ(recorded.status, 0) << recorded.err;
  }
};

/// Where addresses are the same in each run, memory that is not set may be, too.
[[nodiscard]] bool addresses_are_random() {
  std::ifstream file("/proc/sys/kernel/randomize_va_space");
  int level = 0;
  file >> level;
  return level > 0;
}

TEST_P(MpiReproducible, ContentsDifferAlthoughNoOrderDoes) {
  if (!addresses_are_random()) GTEST_SKIP() << "addresses are not random here";
  record("halo", "a");
  record("halo", "b");
  const Result result = run("lightcone diff --json a b");
  ASSERT_EQ(result.status, 1) << result.out << result.err;
  const auto document = result.json();
  ASSERT_EQ(document["first"].size(), 1U) << result.out;
  const auto& first = document["first"][0];
  EXPECT_EQ(first["process"], "rank2");
  EXPECT_EQ(first["kind"], "contents");
  EXPECT_EQ(first["event"], 5);  // the third send: each step has a send and a receive
  EXPECT_EQ(first["a"]["text"], "4 MPI_DOUBLE");
  EXPECT_EQ(first["a"]["labels"][0], "MPI_Sendrecv");
  const Result text = run("lightcone diff a b");
  EXPECT_TRUE(has(text.out, {"rank2, event 5", "MPI_Sendrecv", "comm:world", "tag:2",
                             "4 MPI_DOUBLE", "between its\n  events 4 and 5"}));
}

TEST_P(MpiReproducible, LinesOfTheSourceAreNamed) {
  record("halo", "a", "--fixed");
  const Result text = run("lightcone diff --all a a");
  EXPECT_EQ(text.status, 0) << text.out;
  std::ifstream lines(folder() / "a" / "sources.tsv");
  std::string all((std::istreambuf_iterator<char>(lines)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(has(all, {"halo.c:"})) << "built without libdw?";
}

TEST_P(MpiReproducible, AFixedProgramIsTheSameEachTime) {
  record("halo", "a", "--fixed");
  record("halo", "b", "--fixed");
  const Result result = run("lightcone diff a b");
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_TRUE(has(result.out, {"The runs are the same.", "Contents were compared at"}));
  const Result replayed = example("halo", "lightcone replay a --", "--fixed");
  EXPECT_TRUE(has(replayed.err, {"the same events and contents"}));
}

TEST_P(MpiReproducible, AnotherOrderIsNamed) {
  // Each failing order of the example is a recording.
  const Result found = example("energy", "lightcone explore --json --", "-0.001644933");
  ASSERT_EQ(found.status, 1) << found.err;
  const auto failures = found.json()["failures"];
  ASSERT_GE(failures.size(), 2U);
  const std::string a = failures[0]["recording"], b = failures[1]["recording"];
  const Result result = run("lightcone diff --json " + a + " " + b);
  ASSERT_EQ(result.status, 1) << result.err;
  const auto document = result.json();
  ASSERT_EQ(document["first"].size(), 1U) << result.out;
  EXPECT_EQ(document["first"][0]["process"], "rank0");
  EXPECT_EQ(document["first"][0]["kind"], "message");
}

TEST_P(MpiReproducible, InTheOrderOfARecordingOnlyTheProgramDiffers) {
  record("energy", "a");
  const Result same = example("energy", "lightcone diff a --");
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_TRUE(has(same.out, {"The runs are the same.", "Contents were compared at"}));
  EXPECT_TRUE(has(same.err, {"energy "}));  // what the program prints
  const Result ordered = example("energy", "lightcone diff a --", "--ordered");
  EXPECT_EQ(ordered.status, 1) << ordered.out << ordered.err;
}

/// A program that exchanges data by neighbourhood collectives and windows of memory. Its argument
/// says what is another value.
class MpiExchanges : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] Result exchanges(const std::string& command, int other) const {
    return run(mpi_environment() + "timeout 100 " + command + " mpirun." + GetParam() + " -n 4 " +
               LIGHTCONE_MPI_PROGRAMS + "/" + GetParam() + "/exchanges " + std::to_string(other));
  }
  void record(const std::string& out, int other) const {
    const Result recorded = exchanges("lightcone record --digests --out " + out + " --", other);
    EXPECT_EQ(recorded.status, 0) << recorded.err;
  }
  /// Where a run with another value differs first from one without: the process and the call.
  void expect_first(int other, const std::string& process, const std::string& call) const {
    const std::string out = "other" + std::to_string(other);
    record(out, other);
    const Result result = run("lightcone diff --json same " + out);
    ASSERT_EQ(result.status, 1) << result.out << result.err;
    const auto first = result.json()["first"];
    ASSERT_EQ(first.size(), 1U) << result.out;
    EXPECT_EQ(first[0]["process"], process) << result.out;
    EXPECT_EQ(first[0]["kind"], "contents") << result.out;
    EXPECT_EQ(first[0]["a"]["labels"][0], call) << result.out;
  }
};

TEST_P(MpiExchanges, TheFirstValueThatDiffersIsNamed) {
  record("same", 0);
  expect_first(1, "rank1", "MPI_Neighbor_allgather");
  expect_first(2, "rank1", "MPI_Neighbor_alltoallv");
  expect_first(3, "rank1", "MPI_Ineighbor_alltoall");
  expect_first(4, "rank1", "MPI_Neighbor_allgather");
  expect_first(5, "rank1", "MPI_Put");
  expect_first(6, "rank1", "MPI_Get");
  const Result text = run("lightcone diff same other6");
  EXPECT_TRUE(has(text.out, {"rank1", "the same call, other contents", "MPI_Get", "2 MPI_DOUBLE",
                             "Windows of memory are not"}));
}

TEST_P(MpiExchanges, ValuesThatAreReadAndChangedAtOnceAreNamed) {
  record("same", 0);
  const std::vector<std::string> calls = {"MPI_Fetch_and_op", "MPI_Get_accumulate",
                                          "MPI_Compare_and_swap", "MPI_Rget_accumulate"};
  for (const bool gives : {false, true}) {
    const std::string out = gives ? "given" : "found";
    record(out, gives ? 8 : 7);
    const Result result = run("lightcone diff --json same " + out);
    ASSERT_EQ(result.status, 1) << result.out << result.err;
    const auto first = result.json()["first"];
    ASSERT_EQ(first.size(), calls.size()) << result.out;
    for (std::size_t rank = 0; rank < calls.size(); ++rank) {
      EXPECT_EQ(first[rank]["process"], "rank" + std::to_string(rank)) << result.out;
      EXPECT_EQ(first[rank]["kind"], "contents") << result.out;
      const auto labels = first[rank]["a"]["labels"].get<std::vector<std::string>>();
      const std::vector<std::string> expected = {calls[rank], "given"};
      EXPECT_EQ(labels, gives ? expected : std::vector(1, calls[rank])) << result.out;
      EXPECT_EQ(first[rank]["a"]["text"], gives && rank == 2 ? "2 MPI_LONG" : "1 MPI_LONG");
    }
  }
  expect_first(9, "rank2", "MPI_Compare_and_swap");
}

TEST_P(MpiExchanges, WhatLiesBeyondTheEdgeDoesNotCount) {
  record("same", 0);
  record("again", 0);
  const Result result = run("lightcone diff --json same again");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_GT(result.json()["compared_contents"], 30);
  const Result info = run("lightcone info same");
  EXPECT_EQ(info.status, 0) << info.err;
  const Result replayed = exchanges("lightcone replay same --", 0);
  EXPECT_TRUE(has(replayed.err, {"the same events and contents"})) << replayed.err;
  const Result other = exchanges("lightcone replay same --patience 1 --", 3);
  EXPECT_NE(other.status, 0) << other.err;
}

INSTANTIATE_TEST_SUITE_P(Programs, MpiExchanges, testing::ValuesIn(mpi_flavours()),
                         [](const auto& each) { return each.param; });

INSTANTIATE_TEST_SUITE_P(Examples, MpiReproducible, testing::ValuesIn(mpi_flavours()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace lightcone
