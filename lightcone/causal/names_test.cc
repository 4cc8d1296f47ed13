// Names: each once, and found again.
#include <lightcone/computation.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace lightcone {
namespace {

TEST(Names, AreStoredOnce) {
  Names names;
  const NameIndex a = names.intern("a");
  const NameIndex longer = names.intern("a name of more than eight bytes");
  EXPECT_EQ(names.intern("a"), a);
  EXPECT_EQ(names.intern("a name of more than eight bytes"), longer);
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(names[longer], "a name of more than eight bytes");
  EXPECT_EQ(names.find("b"), NameIndex::none);
}

// Short names are cached by their bytes; names that share bytes or lengths must not be mixed up.
RC_GTEST_PROP(Names, GiveBackWhatWasPutIn, (const std::vector<std::string>& texts)) {
  Names names;
  std::vector<NameIndex> indices;
  for (const std::string& text : texts) indices.push_back(names.intern(text));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    RC_ASSERT(names[indices[i]] == texts[i]);
    RC_ASSERT(names.intern(texts[i]) == indices[i]);
    RC_ASSERT(names.find(texts[i]) == indices[i]);
  }
}

// Longer names are remembered by their ends and their length.
TEST(Names, ThatDifferOnlyInTheMiddleAreTwo) {
  Names names;
  std::vector<NameIndex> indices;
  for (int i = 0; i < 300; ++i) {
    indices.push_back(names.intern("the same" + std::to_string(1000 + i) + "the same"));
  }
  EXPECT_EQ(names.size(), indices.size());
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(names.intern("the same" + std::to_string(1000 + i) + "the same"),
              indices[static_cast<std::size_t>(i)]);
  }
}

TEST(Names, WithZeroBytesAreNotShorterOnes) {
  Names names;
  using namespace std::string_view_literals;
  EXPECT_NE(names.intern("a"), names.intern("a\0"sv));
  EXPECT_NE(names.intern(""), names.intern("\0"sv));
}

TEST(Names, OfAnySizeFit) {
  Names names;
  const std::string large(1 << 20, 'x');
  const NameIndex index = names.intern(large);
  for (int i = 0; i < 100'000; ++i) names.intern(std::to_string(i));
  EXPECT_EQ(names[index], large);
  EXPECT_EQ(names[names.intern("77777")], "77777");
}

TEST(NameSets, AreStoredOnceAndKeepTheirOrder) {
  NameSets sets;
  const std::array ab{NameIndex{1}, NameIndex{2}};
  const std::array ba{NameIndex{2}, NameIndex{1}};
  EXPECT_EQ(sets.intern({}), 0U);
  EXPECT_EQ(sets.intern(ab), sets.intern(ab));
  EXPECT_NE(sets.intern(ab), sets.intern(ba));
  EXPECT_TRUE(std::ranges::equal(sets[sets.intern(ba)], ba));
}

}  // namespace
}  // namespace lightcone
