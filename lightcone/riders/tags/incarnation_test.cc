// Names of incarnations come back as they were made, and nothing else is taken for one.
#include <gtest/gtest.h>
#include <lightcone/riders/tags/incarnation.h>

namespace lightcone {
namespace {

TEST(Incarnation, ComesBackAsItWasSpelt) {
  for (const std::string_view name : {"p1", "a", "p~x", "p~1", "~"}) {
    for (const std::uint32_t number : {1U, 2U, 9U, 10U, 4711U, most_incarnations}) {
      const std::string identity = identity_of(name, number);
      EXPECT_EQ(incarnation_of(identity).name, name) << identity;
      EXPECT_EQ(incarnation_of(identity).number, number) << identity;
    }
  }
  EXPECT_EQ(identity_of("p1", 2), "p1~2");
}

TEST(Incarnation, WhatEndsOtherwiseIsAFirstOne) {
  for (const std::string_view name : {"", "~", "~2", "p~", "p~0", "p~1", "p~02", "p~2x", "p2",
                                      "p~1000001", "p~18446744073709551618", "p~-2", "123"}) {
    EXPECT_EQ(incarnation_of(name).name, name);
    EXPECT_EQ(incarnation_of(name).number, 1U) << name;
  }
}

}  // namespace
}  // namespace lightcone
