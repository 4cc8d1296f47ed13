// What ranks say of their messages, and what is known of other hosts: nothing.
#include "process/standings.h"

#include <gtest/gtest.h>

#include <deque>

#include "temporary_folder.h"

namespace lightcone::mpi {
namespace {

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
