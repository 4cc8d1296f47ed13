// Message tables against a map, for names that count up, jump, and come back.
#include <lightcone/causal/message_table.h>

#include <lightcone/causal/message_name.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace lightcone {
namespace {

RC_GTEST_PROP(MessageTable, FindsWhatAMapFinds, ()) {
  const auto number = rc::gen::oneOf(
      rc::gen::inRange<std::uint64_t>(0, 50), rc::gen::inRange<std::uint64_t>(1000, 5000),
      rc::gen::arbitrary<std::uint64_t>(), rc::gen::just(SplitName::no_number));
  const auto prefix =
      rc::gen::element(NameIndex{0}, NameIndex{1}, NameIndex{20'000}, NameIndex{4'000'000});
  const auto keys = *rc::gen::container<std::vector<std::pair<NameIndex, std::uint64_t>>>(
      rc::gen::pair(prefix, number));
  MessageTable table;
  std::map<std::pair<NameIndex, std::uint64_t>, MessageIndex> expected;
  for (const auto& key : keys) {
    const auto fresh = static_cast<MessageIndex>(expected.size());
    const MessageIndex wanted = expected.emplace(key, fresh).first->second;
    RC_ASSERT(table.find_or_add(key.first, key.second, fresh) == wanted);
  }
}

// A number that first went to the hash table stays there when the array grows past it.
TEST(MessageTable, RemembersWhatCameTooEarly) {
  MessageTable table;
  const NameIndex m{0};
  EXPECT_EQ(table.find_or_add(m, 5000, 0), 0U);
  for (MessageIndex i = 0; i < 4000; ++i) EXPECT_EQ(table.find_or_add(m, i, i + 1), i + 1);
  EXPECT_EQ(table.find_or_add(m, 5000, 9999), 0U);
  EXPECT_EQ(table.find_or_add(m, 5001, 9999), 9999U);
}

}  // namespace
}  // namespace lightcone
