// Expressions behave like JavaScript's, and end.
#include <gtest/gtest.h>
#include <lightcone/base/regular_expression.h>

#include <string>
#include <vector>

namespace lightcone {
namespace {

/// Everything the expression matches, match after match.
std::vector<std::string> matches(const std::string& pattern, std::string_view text) {
  const auto expression = RegularExpression::compile(pattern);
  if (!expression) return {expression.error().text()};
  Matches matches(*expression, text);
  std::vector<std::string> found;
  for (;;) {
    const auto next = matches.next();
    if (!next) found.push_back(next.error().text());
    if (!next || !*next) return found;
    found.emplace_back(text.substr(matches.begin(), matches.end() - matches.begin()));
  }
}

using Found = std::vector<std::string>;

TEST(RegularExpression, LinesAndDots) {
  EXPECT_EQ(matches("^.*$", "one\ntwo\n"), (Found{"one", "two", ""}));
  EXPECT_EQ(matches("^b$", "a\nb\nc"), Found{"b"});
  EXPECT_EQ(matches("a.c", "a\nc a\rc"), Found{"a\rc"});
}

TEST(RegularExpression, WhatJavaScriptHas) {
  EXPECT_EQ(matches(R"(\u00e9\x41\/)", "\u00e9A/"), Found{"\u00e9A/"});
  EXPECT_EQ(matches("{.*}", "x {\"a\":1}"), Found{"{\"a\":1}"});
  EXPECT_EQ(matches("a[]|b", "ab"), Found{"b"});
  EXPECT_EQ(matches(R"((?<x>a)?b\k<x>)", "b"), Found{"b"});
  EXPECT_EQ(matches(R"((?<=a)b)", "ab b"), Found{"b"});
}

TEST(RegularExpression, EmptyMatchesGoOn) {
  EXPECT_EQ(matches("x*", "a\u00e9xx"), (Found{"", "", "xx", ""}));
  EXPECT_EQ(matches("(?=b)", "abab"), (Found{"", ""}));
  EXPECT_EQ(matches("", ""), Found{""});
  EXPECT_EQ(matches("a\\Kb", "abab"), (Found{"b", "b"}));
}

TEST(RegularExpression, NamedGroups) {
  const auto expression = RegularExpression::compile("(?<b>b)|(?<a>a)(c)");
  ASSERT_TRUE(expression.has_value());
  ASSERT_EQ(expression->groups().size(), 2U);
  EXPECT_EQ(expression->groups()[0].name, "b");
  EXPECT_EQ(expression->group("a"), 2U);
  EXPECT_EQ(expression->group("c"), std::nullopt);
  Matches matches(*expression, "ac");
  ASSERT_TRUE(matches.next().value());
  EXPECT_EQ(matches.group(1), std::nullopt);
  EXPECT_EQ(matches.group(2), "a");
}

TEST(RegularExpression, GivesUpInTime) {
  const std::string hopeless = std::string(200, 'a') + "!";
  const Found found = matches("(a+)+$", hopeless);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("takes too long"), std::string::npos) << found[0];
}

TEST(RegularExpression, LongTextsAreNoProblem) {
  const std::string text = std::string(1 << 20, 'a') + "\nb";
  EXPECT_EQ(matches("(?:a|c)+\nb", text).size(), 1U);
  EXPECT_EQ(matches("^(?<event>.*)\n", text).size(), 1U);
}

}  // namespace
}  // namespace lightcone
