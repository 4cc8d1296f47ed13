// What the public view of a property file shows.
#include <gtest/gtest.h>
#include <lightcone/property.h>
#include <lightcone/property/language/syntax.h>

namespace lightcone {
namespace {

TEST(PropertyFile, ShowsItsProperties) {
  const auto file = parse_properties(
      "label busy = x > 0\n"
      "forbid two : possibly count(busy) >= 2\n"
      "require answer : some flow\n  ends with a\n",
      "a.prop");
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->file(), "a.prop");
  ASSERT_EQ(file->size(), 2U);
  EXPECT_EQ(file->name(0), "two");
  EXPECT_EQ(file->verb(0), Verb::forbid);
  EXPECT_EQ(file->question(0), "possibly count(busy) >= 2");
  EXPECT_EQ(file->line(0), 2U);
  EXPECT_EQ(file->name(1), "answer");
  EXPECT_EQ(name_of(file->verb(1)), "require");
  EXPECT_EQ(file->question(1), "some flow ends with a");
  EXPECT_EQ(file->line(1), 3U);
}

TEST(PropertyFile, CopiesShareTheSyntax) {
  const auto file = parse_properties("watch w : possibly count(x > 0) > 0\n", "a.prop");
  ASSERT_TRUE(file);
  const PropertyFile copy = *file;
  EXPECT_EQ(&copy.syntax(), &file->syntax());
  EXPECT_EQ(copy.syntax().properties.size(), 1U);
}

TEST(PropertyFile, ErrorsNameTheFile) {
  const auto wrong = parse_properties("watch w possibly", "b.prop");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().file, "b.prop");
  EXPECT_EQ(wrong.error().line, 1U);
  const auto missing = read_properties("/nowhere/c.prop");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().file, "/nowhere/c.prop");
}

}  // namespace
}  // namespace lightcone
