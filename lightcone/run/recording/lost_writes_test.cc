// What could not be written is told without a file.
#include <lightcone/run/recording/lost_writes.h>

#include <gtest/gtest.h>

namespace lightcone {
namespace {

TEST(LostWrites, AreToldToWhoListens) {
  auto listener = LostWrites::listen();
  ASSERT_TRUE(listener.has_value());
  EXPECT_TRUE(listener->take().empty());
  LostWrite{"rank1", "rank1.lct", 7, "No space left"}.tell(listener->address());
  LostWrite{"a \"b\" \xff", "x", 0, ""}.tell(listener->address());
  const auto told = listener->take();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].process, "rank1");
  EXPECT_EQ(told[0].file, "rank1.lct");
  EXPECT_EQ(told[0].events, 7U);
  EXPECT_EQ(told[0].why, "No space left");
  EXPECT_TRUE(listener->take().empty());
}

TEST(LostWrites, AreToldApartFromUnaskedReceives) {
  auto listener = LostWrites::listen();
  ASSERT_TRUE(listener.has_value());
  UnaskedReceive{"cache", 3}.tell(listener->address());
  LostWrite{"rank1", "rank1.lct", 7, "No space left"}.tell(listener->address());
  EXPECT_EQ(listener->take().size(), 1U);
  const auto unasked = listener->take_unasked();
  ASSERT_EQ(unasked.size(), 1U);
  EXPECT_EQ(unasked[0].process, "cache");
  EXPECT_EQ(unasked[0].event, 3U);
  EXPECT_TRUE(listener->take_unasked().empty());
}

TEST(LostWrites, NeedNobodyWhoListens) {
  std::string address;
  {
    auto listener = LostWrites::listen();
    ASSERT_TRUE(listener.has_value());
    address = listener->address();
  }
  LostWrite{"p", "f", 1, "w"}.tell(address);
  LostWrite{"p", "f", 1, "w"}.tell({});
}

}  // namespace
}  // namespace lightcone
