// Commands on several ranks of Open MPI and of MPICH: the same answers as on one.
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "system/shell.h"

namespace lightcone {
namespace {

const std::string posets = std::string(LIGHTCONE_TEST_DATA) + "/data/posets/";

/// Launched by the MPI whose name is the parameter.
class OnRanks : public Shell, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Shell::SetUp();
    if (!has_command(launcher())) GTEST_SKIP() << launcher() << " is not installed";
    if (!is_built()) GTEST_SKIP() << "built without " << GetParam();
  }
  [[nodiscard]] static bool is_built() {
    return std::filesystem::exists(std::filesystem::path(LIGHTCONE_PROGRAM).parent_path() / "mpi" /
                                   fmt::format("liblightcone-ranks-{}.so", GetParam()));
  }
  [[nodiscard]] static std::string launcher() { return std::string("mpirun.") + GetParam(); }
  [[nodiscard]] Result on(int ranks, const std::string& words) const {
    return run(
        fmt::format("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                    "OMPI_MCA_rmaps_base_oversubscribe=1\n"
                    "export ASAN_OPTIONS=detect_leaks=0\n"  // MPIs do not free all
                    "{} -n {} lightcone {}",
                    launcher(), ranks, words));
  }
  /// Compares the answer of some ranks with that of the program alone.
  void expect_same(int ranks, const std::string& words) const {
    const Result alone = run("lightcone " + words);
    const Result all = on(ranks, words);
    EXPECT_EQ(all.out, alone.out) << words << '\n' << all.err;
    EXPECT_EQ(all.status, alone.status) << words;
  }
};

TEST_P(OnRanks, CountsPosets) {
  for (const int ranks : {1, 2, 4, 16}) {
    const auto count = [&](const std::string& poset) {
      return on(ranks, "states --json --from clocks " + posets + poset).json()["count"];
    };
    EXPECT_EQ(count("d-100.txt"), 1'177'996) << ranks;
    if (ranks != 4) continue;
    EXPECT_EQ(count("d-50.txt"), 590'976);
    EXPECT_EQ(count("d-300.txt"), 42'695'907);
  }
}

TEST_P(OnRanks, CountsRandomComputations) {
  for (int seed = 1; seed <= 3; ++seed) {
    ASSERT_EQ(run(fmt::format("lightcone generate -s {} -p {} -n 120 --message-rate 0.{} -o t.lct",
                              seed, 5 + seed, 2 + seed))
                  .status,
              0);
    expect_same(3, "states t.lct");
  }
}

TEST_P(OnRanks, HitsTheSameLimits) {
  const std::string poset = " --from clocks " + posets + "d-300.txt";
  expect_same(3, "states --json --limit-states 1M" + poset);
  const Result late = on(3, "states --json --limit-time 0" + poset);
  EXPECT_EQ(late.status, 3);
  EXPECT_EQ(late.json()["limit"], "time");
  expect_same(2, "states --json --limit-memory 1k" + poset);
}

TEST_P(OnRanks, AnswersOtherQuestionsOnOne) {
  const std::string poset = " --from clocks " + posets + "d-10.txt";
  expect_same(3, "states --list" + poset);
  expect_same(2, "states --observations" + poset);
  expect_same(2, "states --inevitable" + poset);
  const Result piped = run("lightcone generate -o t.jsonl && lightcone states --json t.jsonl");
  EXPECT_EQ(on(3, "states --json --from jsonl - < t.jsonl").out, piped.out);
}

TEST_P(OnRanks, ChecksGlobalProperties) {
  ASSERT_EQ(run("lightcone generate -s 5 -p 12 -n 48 --message-rate 0.3 --variable x:0.9:int "
                "-o t.jsonl")
                .status,
            0);
  // Too many states for what is tried before the ranks are asked; alone, a solver would try first.
  write("p.prop", "forbid never : possibly max(x) * min(x) == sum(x) * 3 + 1000001\n");
  const Result all = on(4, "check -v p.prop t.jsonl");
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_TRUE(has(all.out, {"no global state satisfies it", "6,806,210 global states enumerated"}));
  const Result limited = on(2, "check --json --limit-states 3M --limit-time 3 p.prop t.jsonl");
  EXPECT_EQ(limited.status, 3);
  EXPECT_EQ(limited.json()["verdict"], "unknown");
  write("p.prop",
        "forbid few : possibly sum(x) == 7\nwatch some : definitely sum(x) >= 3\n"
        "expect it : properly sum(x) == 0\n");
  expect_same(2, "check --json p.prop t.jsonl");
}

TEST_P(OnRanks, SearchesForObservationsTogether) {
  std::string counters;
  for (int x = 0; x <= 101; ++x) {
    for (int p = 1; p <= 4; ++p) {
      counters += fmt::format(R"({{"process": "p{}", "kind": "{}", "vars": {{"x": {}}}}})", p,
                              x == 0 ? "init" : "internal", x) +
                  '\n';
    }
  }
  write("t.jsonl", counters);
  // All states of 60 events, which is not seen to be a sum; too many lie below for a quick search.
  write("p.prop", "require layer : definitely sum(x) * sum(x) == 3600\n");
  expect_same(3, "check -v p.prop t.jsonl");
  expect_same(2, "check --json --limit-states 400k p.prop t.jsonl");
}

TEST_P(OnRanks, TellsErrorsOnce) {
  const auto errors = [](const Result& result) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = result.err.find("lightcone: ", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  };
  for (const char* words : {"states nothing.jsonl", "info t.jsonl"}) {
    const Result result = on(3, words);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_EQ(errors(result), 1U) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_TRUE(has(on(2, "races t.jsonl").err,
                  {"`races` does not run on several ranks", "only `check` and `states` do"}));
  EXPECT_EQ(on(3, "--version").out, run("lightcone --version").out);
}

INSTANTIATE_TEST_SUITE_P(Mpi, OnRanks, testing::Values("openmpi", "mpich"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace lightcone
