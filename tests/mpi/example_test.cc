// The example of the guide to MPI: recorded, replayed, explored, and mended.
#include <set>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

constexpr const char* yesterday = " -0.001644933";

class MpiExample : public Shell, public testing::WithParamInterface<std::string> {
 protected:
  /// By a command of Lightcone's, or by none.
  [[nodiscard]] Result energy(const std::string& command, const std::string& arguments = {}) const {
    // After a run that failed, Open MPI waits for two seconds unless it is told not to.
    return run(mpi_environment() + "export OMPI_MCA_odls_base_sigkill_timeout=0\ntimeout 100 " +
               command + " mpirun." + GetParam() + " -n 4 " + LIGHTCONE_MPI_EXAMPLES + "/energy." +
               GetParam() + arguments);
  }
};

TEST_P(MpiExample, HasOneResultForEachOrder) {
  const Result recorded = energy("lightcone record --out rec --");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_TRUE(has(run("lightcone races rec").out, {"2 of 3 received messages"}));
  for (int i = 0; i < replays(); ++i) {
    EXPECT_EQ(energy("lightcone replay rec --").out, recorded.out);
  }
}

TEST_P(MpiExample, IsWrongInFourOfSixOrders) {
  const Result found = energy("lightcone explore --json --", yesterday);
  ASSERT_EQ(found.status, 1) << found.err;
  EXPECT_EQ(found.json()["executions"], 6);
  EXPECT_EQ(found.json()["failed"], 4);
  EXPECT_EQ(found.json()["complete"], true);
  const std::string properties = std::string(LIGHTCONE_MPI_EXAMPLE_SOURCES) + "/energy.prop ";
  const auto report = found.json();
  for (const auto& failed : report["failures"]) {
    EXPECT_EQ(run("lightcone check " + properties + std::string(failed["recording"])).status, 1);
  }
  const std::string first = found.json()["failures"][0]["recording"];
  EXPECT_TRUE(has(energy("lightcone replay " + first + " --").out, {"energy -0.0016448"}));
}

TEST_P(MpiExample, IsMendedByOrder) {
  EXPECT_EQ(energy("lightcone record --out rec --", " --ordered" + std::string(yesterday)).status,
            0);
  EXPECT_TRUE(has(run("lightcone races rec").out, {"None of 3 received messages"}));
  const Result found = energy("lightcone explore --", " --ordered" + std::string(yesterday));
  EXPECT_TRUE(has(found.out, {"none failed; no other order remains with buffered sends."}));
}

// What would be passed over in silence is refused before anything is run.
TEST_P(MpiExample, RefusesWhatIsNotForMpi) {
  for (const std::string option : {"--checkpoint-every 1"}) {
    const Result refused = energy("lightcone record --out rec " + option + " --");
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(has(refused.err, {option.substr(0, option.find(' ')), "is not for MPI programs"}));
    EXPECT_EQ(file_count(), 0U);
  }
  ASSERT_EQ(energy("lightcone record --out rec --").status, 0);
  const Result refused = run("lightcone replay rec --from 1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err, {"is not for MPI programs"}));
}

INSTANTIATE_TEST_SUITE_P(Energy, MpiExample, testing::ValuesIn(mpi_flavours()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace lightcone
