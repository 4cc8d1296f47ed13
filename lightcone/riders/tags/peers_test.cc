// The room for peers, and what is known of their knowledge, are bounded in bytes; and which
// incarnation is meant.
#include <lightcone/riders/tags/peers.h>

#include <gtest/gtest.h>

namespace lightcone {
namespace {

TEST(KnowledgeRoom, ALongRowIsForgottenAlone) {
  Knowledge knowledge(2);
  knowledge.learn(5, 1, 7);
  knowledge.learn(0, 5, 9);
  for (std::uint32_t entry = 0; entry < 1'000'000; ++entry) knowledge.learn(6, entry, 1);
  EXPECT_EQ(knowledge.of(5, 1), 7U);
  EXPECT_EQ(knowledge.of(0, 5), 9U);
  EXPECT_EQ(knowledge.of(6, 999'999), 1U);
  EXPECT_LE(knowledge.bytes(), Knowledge::usual_bytes / 4 + 2 * Knowledge::row_bytes + 100);
}

TEST(KnowledgeRoom, ManyRowsAreBoundedTogether) {
  Knowledge knowledge(2);
  for (std::uint32_t peer = 2; peer < 50'000; ++peer) {
    for (std::uint32_t entry = 0; entry < 5; ++entry) knowledge.learn(peer, entry, peer);
    ASSERT_LE(knowledge.bytes(), Knowledge::usual_bytes);
  }
  EXPECT_EQ(knowledge.of(49'999, 4), 49'999U);
}

TEST(KnowledgeRoom, WhatIsForgottenLeavesRoom) {
  Knowledge knowledge(0);
  for (std::uint32_t entry = 0; entry < 100; ++entry) knowledge.learn(3, entry, 1);
  std::vector<bool> forgotten(100, true);
  forgotten[7] = false;
  knowledge.forget(forgotten);
  EXPECT_EQ(knowledge.of(3, 7), 1U);
  EXPECT_EQ(knowledge.of(3, 8), 0U);
  EXPECT_EQ(knowledge.bytes(), Knowledge::row_bytes + Knowledge::value_bytes);
}

TEST(Peers, TheLatestIncarnationIsMeantAlsoAfterAnEarlierOne) {
  Peers peers({"a"});
  const std::uint32_t first = *peers.find_or_add_latest("p");
  EXPECT_EQ(*peers.find_or_add_latest("p"), first);
  const std::uint32_t second = *peers.find_or_add(Peers::hash_of("p~2"), 0);  // someone spoke of it
  EXPECT_EQ(*peers.find_or_add_latest("p"), second);
  EXPECT_EQ(*peers.find_or_add_latest("p"), second);
  EXPECT_EQ(*peers.find_or_add_latest("a"), 0U);
  peers.begin_trial();
  EXPECT_TRUE(peers.find_or_add(Peers::hash_of("p~3"), 0));
  peers.undo_trial();
  EXPECT_EQ(*peers.find_or_add_latest("p"), second);
  const std::uint32_t fourth = *peers.find_or_add(std::string_view("p~4"));
  peers.heard_from(fourth);
  EXPECT_EQ(*peers.find_or_add_latest("p"), fourth);
}

constexpr PeerRoom small{
    .most = 100, .most_bytes = 1000, .most_spoken_of = 300, .bytes = 50, .named_bytes = 100};

TEST(PeerRoom, IsCountedInBytes) {
  Peers peers({"a", "b"}, small);
  EXPECT_TRUE(peers.find_or_add(std::string_view("a")));
  ASSERT_TRUE(peers.find_or_add(std::string_view(std::string(800, 'x'))));  // 950
  EXPECT_FALSE(peers.find_or_add(std::string_view("y")));
  EXPECT_TRUE(peers.lacks_room());
  EXPECT_TRUE(peers.find_or_add(std::uint64_t{1}, 0));
  EXPECT_FALSE(peers.find_or_add(std::uint64_t{2}, 1));
  peers.begin_trial();
  EXPECT_EQ(peers.make_room().size(), 1U);
  EXPECT_TRUE(peers.find_or_add(std::uint64_t{2}, 1));
}

TEST(PeerRoom, OfWhatOnePeerSpeaksOfIsBounded) {
  Peers peers({"a", "b"}, small);
  for (std::uint64_t i = 1; i <= 6; ++i) ASSERT_TRUE(peers.find_or_add(i, 0)) << i;
  EXPECT_FALSE(peers.find_or_add(std::uint64_t{7}, 0));
  EXPECT_FALSE(peers.lacks_room()) << "no one else has to be forgotten for it";
  EXPECT_TRUE(peers.find_or_add(std::uint64_t{7}, 1));
}

TEST(PeerRoom, WhatIsTakenBackLeavesRoom) {
  Peers peers({"a"}, small);
  const std::uint64_t hash = Peers::hash_of("spoken of");
  ASSERT_TRUE(peers.find_or_add(hash, 0));
  for (int i = 0; i < 100; ++i) {
    peers.begin_trial();
    ASSERT_TRUE(peers.find_or_add(std::string_view("spoken of"))) << i;
    ASSERT_TRUE(peers.find_or_add(std::string_view(std::string(500, 'x')))) << i;
    ASSERT_TRUE(peers.find_or_add(std::uint64_t{1}, 0)) << i;
    peers.undo_trial();
  }
  EXPECT_FALSE(peers.is_named(*peers.find(hash)));
}

}  // namespace
}  // namespace lightcone
