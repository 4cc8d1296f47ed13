// Receives are matched here as an MPI does it; their order alone must tell the same numbers.
#include "calls/posted_receives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace lightcone::mpi {
namespace {

/// An MPI of one communicator and one receiver, which does everything at random.
class World {
 public:
  explicit World(unsigned seed) : random_(seed) {}

  void step() {
    switch (below(4)) {
      case 0: return post();
      case 1: return arrive({below(3), below(2)});
      case 2: return complete(below(static_cast<int>(matched_.size()) + 1));
      default: return below(8) == 0 ? cancel() : void();
    }
  }
  /// Whatever has got a message is over, in any order; the others are cancelled.
  void end() {
    while (!waiting_.empty()) cancel();
    while (!matched_.empty()) complete(below(static_cast<int>(matched_.size())));
    for (const auto& [receive, number] : over_) EXPECT_EQ(receive->number, number);
    EXPECT_TRUE(posted_.empty());
  }

 private:
  struct Match {
    std::shared_ptr<Receive> receive;
    std::uint64_t number;
    Channel channel;
  };
  struct Message {
    Channel channel;
    std::uint64_t number;
  };

  [[nodiscard]] int below(int limit) {
    return std::uniform_int_distribution<int>(0, limit - 1)(random_);
  }
  /// Only wildcards are cancelled here.
  void post() {
    auto receive = std::make_shared<Receive>();
    if (below(2) == 0) receive->source = below(3);
    if (below(2) == 0) receive->tag = below(2);
    posted_.post(receive);
    const auto message = std::find_if(messages_.begin(), messages_.end(), [&](const auto& there) {
      return receive->accepts(there.channel);
    });
    if (message == messages_.end()) return waiting_.push_back(receive);
    matched_.push_back({receive, message->number, message->channel});
    messages_.erase(message);
  }
  void arrive(Channel channel) {
    const std::uint64_t number = ++sent_[channel.source][channel.tag];
    const auto receive = std::find_if(waiting_.begin(), waiting_.end(),
                                      [&](const auto& there) { return there->accepts(channel); });
    if (receive == waiting_.end()) return messages_.push_back({channel, number});
    matched_.push_back({*receive, number, channel});
    waiting_.erase(receive);
  }
  void complete(int which) {
    if (static_cast<std::size_t>(which) >= matched_.size()) return;
    const Match match = matched_[static_cast<std::size_t>(which)];
    matched_.erase(matched_.begin() + which);
    match.receive->channel = match.channel;
    if (posted_.settle(*match.receive)) {
      EXPECT_EQ(match.receive->number, match.number);
    }
    over_.emplace_back(match.receive, match.number);
  }
  void cancel() {
    if (waiting_.empty()) return;
    if (waiting_.back()->is_wildcard()) {
      posted_.forget(*waiting_.back());
      waiting_.pop_back();
    } else {
      arrive({waiting_.back()->source, waiting_.back()->tag});
    }
  }

  std::mt19937 random_;
  PostedReceives posted_;
  std::vector<Message> messages_;                  // that came before they were wanted
  std::vector<std::shared_ptr<Receive>> waiting_;  // in the order of posting
  std::vector<Match> matched_;
  std::vector<std::pair<std::shared_ptr<Receive>, std::uint64_t>> over_;
  std::uint64_t sent_[3][2] = {};
};

TEST(PostedReceives, HaveTheNumbersOfTheirMessages) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    World world(seed);
    for (int i = 0; i < 60; ++i) world.step();
    world.end();
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

/// Counts by channel against a plain map.
TEST(ChannelCounts, AreThoseOfAPlainMap) {
  std::mt19937 random(1);
  ChannelCounts counts;
  std::map<std::pair<int, int>, std::uint64_t> plain;
  const std::array<int, 3> greatest = {3, 70, 2'147'483'647};
  for (int i = 0; i < 200'000; ++i) {
    const int source = std::uniform_int_distribution(0, 20)(random);
    const int most = greatest[static_cast<std::size_t>(i % 3)];
    const int tag = std::uniform_int_distribution(0, most)(random);
    const std::uint64_t expected = ++plain[std::pair(source, tag)];
    const Channel channel{source, tag};
    ASSERT_EQ(++counts[channel], expected) << source << ' ' << tag;
  }
}

}  // namespace
}  // namespace lightcone::mpi
