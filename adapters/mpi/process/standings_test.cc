// Whether a sender is told to wait: never where that could keep its receiver waiting.
#include "process/standings.h"

#include <gtest/gtest.h>

#include <deque>

#include "temporary_folder.h"

namespace lightcone::mpi {
namespace {

using Advice = Standings::Advice;

class StandingsOfRanks : public testing::Test {
 protected:
  void SetUp() override {
    for (int rank = 0; rank < 4; ++rank) {
      auto opened = Standings::open(folder_.path(), rank, 4);
      ASSERT_TRUE(opened);
      ranks_.push_back(std::move(*opened));
    }
  }
  TemporaryFolder folder_;
  std::deque<Standings> ranks_;
};

TEST_F(StandingsOfRanks, WhoeverTakesInItsOwnOrderIsNotWaitedFor) {
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::go);
  ranks_[0].asks(false, 5);
  ranks_[0].waits_for(2);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::go);
}

TEST_F(StandingsOfRanks, WhoeverMustTakeAnothersMessageFirstIsWaitedFor) {
  ranks_[0].asks(true, -1);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::watch);
  ranks_[0].waits_for(2);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::hold);
  EXPECT_EQ(ranks_[2].advice(0, 5), Advice::go) << "it waits for this one";
  ranks_[0].asks(true, 7);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::go) << "it does not ask for such a message";
  EXPECT_EQ(ranks_[1].advice(0, 7), Advice::hold);
}

TEST_F(StandingsOfRanks, NobodyIsMadeToWaitForItself) {
  ranks_[0].asks(true, -1);
  ranks_[0].waits_for(2);
  ranks_[2].waits_for(3);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::hold);
  ranks_[3].waits_for(1);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::go);
  ranks_[3].waits_for(Standings::something);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::go) << "perhaps for this one";
  ranks_[3].waits_for(2);
  EXPECT_EQ(ranks_[1].advice(0, 5), Advice::go) << "a circle";
  EXPECT_EQ(ranks_[1].advice(9, 5), Advice::go) << "not of this host";
}

TEST_F(StandingsOfRanks, CountWhatIsReceived) {
  EXPECT_EQ(ranks_[1].moves(0), 0U);
  ranks_[0].moved();
  ranks_[0].moved();
  EXPECT_EQ(ranks_[1].moves(0), 2U);
  EXPECT_EQ(ranks_[1].moves(7), 0U);
}

}  // namespace
}  // namespace lightcone::mpi
