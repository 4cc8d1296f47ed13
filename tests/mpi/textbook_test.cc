// Textbook programs: their races by name, all their orders, and what goes wrong in some of them.
#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiTextbook : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] nlohmann::json explore(const std::string& program,
                                       const std::string& options = {}) const {
    return run_by("lightcone explore --json " + options + " --", program).json();
  }
  [[nodiscard]] nlohmann::json races(const std::string& program) const {
    const Result recorded = run_by("lightcone record --out raced --", program);
    EXPECT_EQ(recorded.status, 0) << recorded.err;
    return run("lightcone races --pairs --json raced").json();
  }
  [[nodiscard]] Result run_by(const std::string& command, const std::string& program) const {
    return run(mpi_environment() + "export OMPI_MCA_odls_base_sigkill_timeout=0\ntimeout 100 " +
               command + " mpirun." + GetParam() + " -n 4 " + LIGHTCONE_MPI_PROGRAMS + '/' +
               GetParam() + '/' + program);
  }
};

TEST_P(MpiTextbook, SendersComeInAnyOrder) {
  const auto found = explore("senders");
  EXPECT_EQ(found["executions"], 6);  // 3!
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(races("senders")["pairs"].size(), 3U);  // of three messages
}

TEST_P(MpiTextbook, AnyNumberOfJobsFindsTheSame) {
  for (const std::string program : {"senders", "fails_in_one_order"}) {
    const auto one = explore(program, "--jobs 1"), two = explore(program, "--jobs 2");
    EXPECT_EQ(one, two) << program;
    EXPECT_EQ(one["complete"], true) << program;
  }
}

TEST_P(MpiTextbook, ExplorationsBeginWithARecordedExecution) {
  for (const std::string program : {"senders", "waitany_order", "probe_then_recv"}) {
    for (int i = 0; i < 4; ++i) {
      static_cast<void>(run("rm -rf raced"));
      const Result recorded = run_by("lightcone record --out raced --", program);
      const Result first =
          run_by("lightcone explore --jobs 1 --runs 1 --verbose --first raced --", program);
      EXPECT_EQ(first.status, recorded.status == 0 ? 3 : 1) << program << first.out << first.err;
      EXPECT_TRUE(first.err.starts_with(recorded.out))
          << program << " printed " << recorded.out << " and then " << first.err;
    }
  }
  const auto all = explore("senders", "--first raced");
  EXPECT_EQ(all["executions"], 6);
  EXPECT_EQ(all["complete"], true);
  EXPECT_EQ(run_by("lightcone explore --first nowhere --", "senders").status, 2);
}

TEST_P(MpiTextbook, NamedReceivesDoNotRace) {
  EXPECT_EQ(races("deterministic")["pairs"].size(), 0U);
  EXPECT_EQ(races("deterministic")["traced"].size(), 0U);
  EXPECT_EQ(explore("deterministic")["executions"], 1);
}

TEST_P(MpiTextbook, IndependentReceiversMultiply) {
  EXPECT_EQ(explore("two_receivers")["executions"], 4);
}

TEST_P(MpiTextbook, OneOrderFails) {
  for (const std::string program : {"fails_in_one_order", "waitany_order", "probe_then_recv"}) {
    const auto found = explore(program);
    EXPECT_EQ(found["complete"], true) << program;
    EXPECT_GE(found["failures"].size(), 1U) << program;
    EXPECT_LT(found["failures"].size(), found["executions"].get<std::size_t>()) << program;
  }
}

TEST_P(MpiTextbook, ADeadlockSaysWhoWaitsForWhom) {
  const auto found = explore("deadlocks_in_one_order");
  ASSERT_EQ(found["failures"].size(), 1U);
  EXPECT_EQ(found["failures"][0]["why"],
            "deadlock: rank0 waits in MPI_Recv for a message from rank1, tag 0, on world");
}

INSTANTIATE_TEST_SUITE_P(Mpi, MpiTextbook, testing::ValuesIn(mpi_flavours()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace lightcone
