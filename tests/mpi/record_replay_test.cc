// Programs of MPI's users, recorded and replayed against noise: each the same order and output.
#include <set>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiReplay : public MpiRun {};

TEST_P(MpiReplay, IsTheSame) {
  const Result recorded = record();
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  expect_same_replays(recorded);
}

// One after the other in one run takes a fraction of the time.
INSTANTIATE_TEST_SUITE_P(AllCalls, MpiReplay, testing::ValuesIn(for_each_mpi({"calls"})), name_of);

[[nodiscard]] std::vector<MpiProgram> each_call() {
  std::vector<std::string> lines = all_calls();
  for (std::string& line : lines) line = "calls " + line;
  return for_each_mpi(lines);
}
INSTANTIATE_TEST_SUITE_P(EachCall, MpiReplay, testing::ValuesIn(each_call()), name_of);

INSTANTIATE_TEST_SUITE_P(
    Alone, MpiReplay,
    testing::ValuesIn(for_each_mpi({"many_to_one 2000", "far_ahead 20000", "thread_level funneled",
                                    "thread_level serialized", "fortran_module", "fortran_include",
                                    "fortran_f08", "senders", "two_receivers", "deterministic",
                                    "stream 1000 tags", "some_of_many 300", "early_messages",
                                    "early_messages 3", "early_edges", "unusual_requests all"})),
    name_of);

/// The lines of a run of `calls`, by program.
[[nodiscard]] std::map<std::string, std::string> text_by_program(const std::string& out) {
  std::map<std::string, std::string> texts;
  for (const auto& [rank, lines] : lines_by_rank(out)) {
    for (const std::string& line : lines) {
      texts[line.substr(0, line.find(':'))] += rank + line.substr(line.find(':')) + "\n";
    }
  }
  return texts;
}

class MpiNoise : public MpiRun {};

// What is the same in every run would be a poor test of replay.
TEST_P(MpiNoise, MakesRunsDiffer) {
  std::map<std::string, std::set<std::string>> seen;
  for (int i = 0; i < 10; ++i) {
    const Result result = plain();
    ASSERT_EQ(result.status, 0) << result.err;
    for (const auto& [program, text] : text_by_program(result.out)) seen[program].insert(text);
  }
  for (const std::string& program : all_calls()) EXPECT_GE(seen[program].size(), 2U) << program;
}
INSTANTIATE_TEST_SUITE_P(AllCalls, MpiNoise, testing::ValuesIn(for_each_mpi({"calls"})), name_of);

class MpiThreads : public MpiRun {};

TEST_P(MpiThreads, ReplayOrAreRefused) {
  const Result recorded = record();
  if (recorded.status == 0 && !has(recorded.out, {"level less"})) {
    expect_same_replays(recorded);
  } else {
    EXPECT_TRUE(has(recorded.err, {"several threads"}));
  }
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiThreads, testing::ValuesIn(for_each_mpi({"threads"})), name_of);

/// Whether one is the beginning of the other.
[[nodiscard]] testing::AssertionResult agree(const std::vector<std::string>& one,
                                             const std::vector<std::string>& other) {
  const std::size_t both = std::min(one.size(), other.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (one[i] != other[i]) {
      return testing::AssertionFailure() << "line " << i + 1 << ": " << one[i] << ", " << other[i];
    }
  }
  return testing::AssertionSuccess();
}

class MpiEndsEarly : public MpiRun {};

// The replay goes as far as the recording, and says where it stops.
TEST_P(MpiEndsEarly, AndSoDoesItsReplay) {
  const Result recorded = record();
  EXPECT_NE(recorded.status, 0);
  EXPECT_EQ(run("lightcone info rec").status, 0);
  const auto before = lines_by_rank(recorded.out)["0"];
  EXPECT_GT(before.size(), 1U) << recorded.out << recorded.err;
  for (int i = 0; i < replays() && !HasFailure(); ++i) {
    const Result again = replay("--patience 1");
    EXPECT_NE(again.status, 124) << "it does not end";
    const auto after = lines_by_rank(again.out)["0"];
    EXPECT_GT(after.size(), 1U) << again.out << again.err;
    EXPECT_TRUE(agree(before, after)) << again.err;
    // Whoever is killed takes others along, which may not have come as far as before.
    const bool is_unknown = again.status == 3 && has(again.err, {"who was first is not known"});
    EXPECT_TRUE(is_unknown || has(again.err, {"the same events"})) << again.err;
  }
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiEndsEarly,
                         testing::ValuesIn(for_each_mpi({"ends_early abort", "ends_early SEGV",
                                                         "ends_early KILL"})),
                         name_of);

class MpiPastTheWrappers : public MpiRun {};

// Never silently wrong: what no wrapper has seen is noticed, and named.
TEST_P(MpiPastTheWrappers, IsNoticed) {
  const Result recorded = record();
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const Result again = replay("--patience 1");
  if (lines_by_rank(again.out) == lines_by_rank(recorded.out) && again.status == 0) return;
  EXPECT_EQ(again.status, 1) << again.out;
  EXPECT_TRUE(has(again.err, {"PMPI"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiPastTheWrappers,
                         testing::ValuesIn(for_each_mpi({"past_the_wrappers"})), name_of);

}  // namespace
}  // namespace lightcone
