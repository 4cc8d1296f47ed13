// Whether a sender is told to wait: never where that could keep its receiver waiting. And what may
// be done with messages before their receives.
#include "process/standings.h"

#include <gtest/gtest.h>

#include <deque>

#include "temporary_folder.h"

namespace lightcone::mpi {
namespace {

using Advice = Standings::Advice;
using Early = Standings::Early;

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

TEST_F(StandingsOfRanks, MessagesMayBeReceivedEarly) {
  EXPECT_EQ(ranks_[0].early(1), Early::receive);
  EXPECT_TRUE(ranks_[0].knows(3));
}

TEST_F(StandingsOfRanks, ASynchronousSendIsNotOverEarly) {
  ranks_[1].sends_synchronously();
  EXPECT_EQ(ranks_[0].early(1), Early::match);
  EXPECT_EQ(ranks_[0].early(2), Early::receive);
}

TEST_F(StandingsOfRanks, MessagesOfTheMpiAreLeftThere) {
  ranks_[1].sends_unseen(true);
  EXPECT_EQ(ranks_[0].early(1), Early::nothing);
  ranks_[1].sends_unseen(false);
  EXPECT_EQ(ranks_[0].early(1), Early::receive);
}

TEST_F(StandingsOfRanks, OtherHostsAreNotKnown) {
  EXPECT_EQ(ranks_[0].early(9), Early::nothing);
  EXPECT_EQ(ranks_[0].early(-1), Early::nothing);
  EXPECT_FALSE(ranks_[0].knows(9));
}

}  // namespace
}  // namespace lightcone::mpi
