// A loop that polls and reads the clock: its journal is small, and its readings come again.
#include <filesystem>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiJournalGrowth : public MpiRun {};

TEST_P(MpiJournalGrowth, IsSlowInALoopThatPollsAndReadsTheClock) {
  constexpr std::uintmax_t most_bytes = 2 * 20'000;  // of two seconds
  const std::string launch = "mpirun." + GetParam().flavour + " -n 1 " + program();
  const Result recorded =
      run(mpi_environment() +
          "OMPI_MCA_mpi_yield_when_idle=0 timeout 60 lightcone record --out rec -- " + launch);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_LE(std::filesystem::file_size(folder() / "rec" / "rank0.journal"), most_bytes)
      << recorded.out;
  const Result again = run(mpi_environment() + "timeout 60 lightcone replay rec");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, recorded.out);
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiJournalGrowth,
                         testing::ValuesIn(for_each_mpi({"polls_and_clock 2"})), name_of);

}  // namespace
}  // namespace lightcone
