// UTF-8 is recognised as simdjson does it; other bytes are replaced.
#include <gtest/gtest.h>
#include <lightcone/base/utf8.h>
#include <simdjson.h>

#include <random>
#include <set>

namespace lightcone {
namespace {

TEST(Utf8, IsToldAsSimdjsonTellsIt) {
  std::mt19937_64 random(1);
  // Bytes at the edges of what is allowed, so that many texts are nearly right.
  const std::string bytes(
      "\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE"
      "\xEF\xF0\xF1\xF3\xF4\xF5\xFF",
      25);
  std::size_t right = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::size_t size = random() % 6; text.size() < size;) {
      text += bytes[random() % bytes.size()];
    }
    const bool expected = simdjson::validate_utf8(text);
    ASSERT_EQ(is_utf8(text), expected);
    const std::string repaired = as_utf8(text);
    ASSERT_TRUE(simdjson::validate_utf8(repaired));
    ASSERT_EQ(repaired == text, expected);
    right += expected;
  }
  EXPECT_GT(right, 10'000U);
}

TEST(Utf8, ReplacesWhatIsNoCharacter) {
  EXPECT_EQ(as_utf8("caf\xE9"), "caf\xEF\xBF\xBD");
  EXPECT_EQ(as_utf8("\xE2\x82"), "\xEF\xBF\xBD");
  EXPECT_EQ(as_utf8("\xE2\xFF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(as_utf8("\xE2\x82\xAC"), "\xE2\x82\xAC");
}

TEST(Utf8, KeepsDifferentNamesDifferent) {
  std::set<std::string> names;
  for (int byte = 0x80; byte < 0x100; ++byte) {
    const std::string name = as_utf8_name(std::string("p") + static_cast<char>(byte));
    EXPECT_TRUE(is_utf8(name));
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 128U);
  EXPECT_EQ(as_utf8_name("p1"), "p1");
}

}  // namespace
}  // namespace lightcone
