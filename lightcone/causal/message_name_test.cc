// Splitting the names of messages loses nothing.
#include <gtest/gtest.h>
#include <lightcone/causal/message_name.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>

namespace lightcone {
namespace {

TEST(SplitName, TakesTheNumberAtTheEnd) {
  const auto split = [](std::string_view name) {
    const SplitName parts = split_name(name);
    return std::pair(std::string(parts.prefix), parts.number);
  };
  EXPECT_EQ(split("m12"), std::pair(std::string("m"), std::uint64_t{12}));
  EXPECT_EQ(split("m007"), std::pair(std::string("m00"), std::uint64_t{7}));
  EXPECT_EQ(split("m0"), std::pair(std::string("m"), std::uint64_t{0}));
  EXPECT_EQ(split("12"), std::pair(std::string(), std::uint64_t{12}));
  EXPECT_EQ(split("x"), std::pair(std::string("x"), SplitName::no_number));
  EXPECT_EQ(split(""), std::pair(std::string(), SplitName::no_number));
  EXPECT_EQ(split("1234567890123456789012"),
            std::pair(std::string("1234"), std::uint64_t{567890123456789012}));
}

RC_GTEST_PROP(SplitName, LosesNothing, (const std::string& prefix)) {
  const auto digits = *rc::gen::container<std::string>(rc::gen::inRange('0', char('9' + 1)));
  const std::string name = prefix + digits;
  RC_ASSERT(join_name(split_name(name)) == name);
}

}  // namespace
}  // namespace lightcone
