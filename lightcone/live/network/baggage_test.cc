// Tags survive the `baggage` header, beside members of others, and whatever else stands there.
#include <lightcone/transport.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace lightcone {
namespace {

TEST(Baggage, AnyBytesComeBack) {
  EXPECT_TRUE(rc::check([](const std::string& tag) {
    const std::string header = baggage_with_tag(tag, "userId=alice,isProduction=false");
    RC_ASSERT(tag_in_baggage(header) == tag);
    RC_ASSERT(header.starts_with("userId=alice,isProduction=false,lightcone="));
    RC_ASSERT(header.find_first_of("+/ \t\"\\%") == std::string::npos);
  }));
}

/// The examples of RFC 4648, section 10, without padding.
TEST(Baggage, TheValueIsBase64url) {
  EXPECT_EQ(baggage_with_tag(""), "lightcone=");
  EXPECT_EQ(baggage_with_tag("f"), "lightcone=Zg");
  EXPECT_EQ(baggage_with_tag("fo"), "lightcone=Zm8");
  EXPECT_EQ(baggage_with_tag("foo"), "lightcone=Zm9v");
  EXPECT_EQ(baggage_with_tag("foob"), "lightcone=Zm9vYg");
  EXPECT_EQ(baggage_with_tag("\xFB\xFF"), "lightcone=-_8");
}

TEST(Baggage, MembersOfOthersStay) {
  EXPECT_EQ(baggage_with_tag("f", "a=1;secret , lightcone=old, b = 2"),
            "a=1;secret,b = 2,lightcone=Zg");
  EXPECT_EQ(baggage_with_tag("f", " ,, "), "lightcone=Zg");
}

TEST(Baggage, SpacesAndPropertiesAreNotPartOfTheTag) {
  EXPECT_EQ(tag_in_baggage("a=1 ,\tlightcone = Zm9v ; ttl=3 , b=2"), "foo");
  EXPECT_EQ(tag_in_baggage("lightcone=Zg=="), "f");
}

TEST(Baggage, WithoutTheMemberThereIsNoTag) {
  for (const char* header : {"", ",", "a=1", "lightcones=Zg", "Lightcone=Zg", "lightcone"}) {
    EXPECT_EQ(tag_in_baggage(header), "") << header;
  }
}

TEST(Baggage, WhatIsNoBase64urlComesBackAsItStands) {
  for (const char* value : {"Zg+", "Z", "%00", "a b"}) {
    EXPECT_EQ(tag_in_baggage(std::string("lightcone=") + value), value);
  }
}

}  // namespace
}  // namespace lightcone
