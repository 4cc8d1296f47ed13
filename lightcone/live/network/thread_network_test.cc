// Parcels arrive, in order or in any order, and nothing waits forever.
#include <lightcone/network.h>

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] std::vector<std::string> received(ThreadNetwork& network, int count) {
  std::vector<std::string> contents;
  for (int i = 0; i < count; ++i) contents.push_back(network.receive("b")->content);
  return contents;
}

TEST(ThreadNetwork, DeliversInOrderUnlessItIsUnruly) {
  ThreadNetwork orderly, unruly(7);
  std::vector<std::string> sent;
  for (int i = 0; i < 100; ++i) {
    sent.push_back(std::to_string(i));
    orderly.send("b", {"a", sent.back(), ""});
    unruly.send("b", {"a", sent.back(), ""});
  }
  EXPECT_EQ(received(orderly, 100), sent);
  const std::vector<std::string> mixed = received(unruly, 100);
  EXPECT_NE(mixed, sent);
  EXPECT_EQ(std::set<std::string>(mixed.begin(), mixed.end()),
            std::set<std::string>(sent.begin(), sent.end()));
}

TEST(ThreadNetwork, WakesWhoWaitsWhenItIsClosed) {
  ThreadNetwork network;
  EXPECT_FALSE(network.try_receive("b"));
  bool ended = false;
  {
    const std::jthread waiting([&] {
      EXPECT_EQ(network.receive("b")->from, "a");
      ended = !network.receive("b");
    });
    network.send("b", {"a", "x", "tag"});
    network.close();
  }
  EXPECT_TRUE(ended);
  network.send("c", {"a", "y", "tag"});
  EXPECT_EQ(network.try_receive("c")->tag, "tag");
}

}  // namespace
}  // namespace lightcone
