// What wrong property files are told: where, what, and what to do; and that none does any harm.
#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {
namespace {

struct Wrong {
  std::string text;
  std::uint64_t line, column;
  std::string said;  ///< a piece of the message or of the hint
};

/// Checks each: refused, at this place, with these words.
void expect_told(const std::vector<Wrong>& inputs) {
  for (const Wrong& wrong : inputs) {
    SCOPED_TRACE(wrong.text);
    const auto properties = parse_property_syntax(wrong.text, "wrong.prop");
    ASSERT_FALSE(properties);
    const Error& error = properties.error();
    EXPECT_EQ(error.file, "wrong.prop");
    EXPECT_EQ(error.line, wrong.line) << error.text();
    EXPECT_EQ(error.column, wrong.column) << error.text();
    EXPECT_NE((error.what + "\n" + error.hint).find(wrong.said), std::string::npos) << error.text();
  }
}

/// The text after `watch x : ` is wrong; columns are counted in it.
void expect_told_of_question(std::vector<Wrong> questions) {
  constexpr std::string_view before = "watch x : ";
  for (Wrong& wrong : questions) {
    wrong.text = std::string(before) + wrong.text;
    wrong.column += before.size();
  }
  expect_told(questions);
}

TEST(ParserErrors, OfStatements) {
  expect_told({
      {"forbit x : some flow contains a", 1, 1, "did you mean `forbid`?"},
      {"some flow contains a", 1, 1,
       "expected group, label, clocks, forbid, expect, require or watch"},
      {"\n\n  contains b", 3, 3, "found `contains`"},
      {"\"label\" a = x", 1, 1, "found \"label\""},
      {"forbid", 1, 7, "expected a name for the property, found the end of the statement"},
      {"forbid : some flow contains a", 1, 8, "expected a name for the property, found `:`"},
      {"forbid x", 1, 9, "expected `:` after the name of the property"},
      {"forbid x some flow contains a", 1, 10, "expected `:` after the name"},
      {"forbid two-in-cs : some flow contains a", 1, 11, "goes in double quotes"},
      {"forbid x :", 1, 11, "expected a question: some, every, logic"},
      {"forbid x :\nforbid y : some flow contains a", 1, 11, "expected a question"},
      {"forbid x : sone flow contains a", 1, 12, "did you mean `some`?"},
      {"forbid x : posibly true", 1, 12, "did you mean `possibly`?"},
      {"watch x : possibly true\nforbid x : possibly true", 2, 8, "first one is on line 1"},
      {"watch x : possibly true;", 1, 24, "a statement ends with its line"},
      {"label = x", 1, 7, "expected a name for the label"},
      {"label busy := x", 1, 12, "expected `=` after the name of the label, found `:=`"},
      {"label busy", 1, 11, "expected `=`"},
      {"label busy =", 1, 13, "expected a number, a name or `(`"},
      {"label kv.busy = x", 1, 9, "goes in double quotes"},
      {"label a = x\nlabel b = y\nlabel a = z", 3, 7, "a second label called `a`"},
      {"label a = b\nlabel b = c or a", 1, 7, "the label `a` is defined by itself"},
  });
}

TEST(ParserErrors, OfGroups) {
  expect_told({
      {"group", 1, 6, "expected a name for the group"},
      {"group = a", 1, 7, "expected a name for the group"},
      {"group g", 1, 8, "expected `=` after the name of the group"},
      {"group g : a", 1, 9, "expected `=`"},
      {"group g =", 1, 10, "expected a process name, or a pattern like worker-*"},
      {"group g =  # none\n", 1, 10, "expected a process name"},
      {"group g = a,", 1, 13, "expected a process name"},
      {"group g = a,,b", 1, 13, "found `,`"},
      {"group g = a, ,b", 1, 14, "found `,`"},
      {"group g =\nlabel x = y", 1, 10, "expected a process name"},
      {"group g = a,\nforbid x : possibly true", 1, 13, "expected a process name"},
      {"group g = a\n  b", 2, 3, "expected a comma or the end of the statement, found `b`"},
      {"group g = \"a\" b", 1, 15, "expected a comma"},
      {"group g = \"a\nlabel x = y", 1, 11, "not closed on its line"},
      {"group g = a\ngroup g = b", 2, 7, "a second group called `g`"},
  });
}

TEST(ParserErrors, OfFlows) {
  expect_told_of_question({
      {"some flo contains a", 1, 6, "did you mean `flow`?"},
      {"some longest contains a", 1, 14, "expected `flow`, found `contains`"},
      {"some flow", 1, 10, "expected `matches`, `ends with` or `contains`"},
      {"some flow match a", 1, 11, "did you mean `matches`?"},
      {"some flow ends a", 1, 16, "expected `with` after `ends`"},
      {"some flow at contains a", 1, 23, "`contains` was taken for the label"},
      {"some flow at a over {b} contains c", 1, 16, "put `over {…}` before `at`"},
      {"some flow at (a) contains c", 1, 14, "only one letter is allowed here"},
      {"some flow over a contains c", 1, 16, "as in `over {a, b}`"},
      {"some flow over {} contains c", 1, 17, "expected a label, found `}`"},
      {"some flow over {a b} contains c", 1, 19, "put commas between the names"},
      {"some flow over {a, b", 1, 21, "expected `}` to end the alphabet"},
      {"some flow contains", 1, 19, "found the end of the statement"},
      {"some flow contains a)", 1, 21, "expected the end of the statement, found `)`"},
      {"some flow contains (a", 1, 22, "expected `)` to close the parenthesis"},
      {"some flow contains ()", 1, 21, "found `)`"},
      {"some flow contains [a b", 1, 24, "expected a label or `]`"},
      {"some flow contains []", 1, 21, "expected a label, found `]`"},
      {"some flow contains [a, b]", 1, 22, "without commas"},
      {"some flow contains a, b", 1, 21, "without commas"},
      {"some flow contains !(a b)", 1, 21, "only one letter is allowed here"},
      {"some flow contains * a", 1, 20, "expected a label, `.`, `!`, `[` or `(`, found `*`"},
      {"some flow contains a |", 1, 23, "expected a label"},
      {"some flow contains a ->", 1, 24, "expected a label"},
      {"some flow contains -> a", 1, 20, "it goes between two patterns"},
      {"some flow contains a => b", 1, 22, "in patterns write `->`, in predicates `not a or b`"},
      {"some flow contains text =~ \"a\"", 1, 25, "texts are matched in predicates"},
      {"some flow contains kv-node:read", 1, 22, "goes in double quotes"},
      {"some flow contains a without b", 1, 22, "write it after an arrow"},
      {"some flow contains a -> b without", 1, 34, "expected a label, `.` or `[`"},
      {"some flow contains p1:", 1, 23, "expected a label of `p1`"},
      {"some flow contains a{2", 1, 23, "expected `}` after the number"},
      {"some flow contains a{}", 1, 22, "expected a number of repetitions"},
      {"some flow contains a{,2}", 1, 22, "expected a number of repetitions, found `,`"},
      {"some flow contains a{1.5}", 1, 22, "expected a number of repetitions"},
      {"some flow contains a{3,2}", 1, 22, "from 3 to 2 repetitions"},
      {"some flow contains a{1001}", 1, 22, "more than 1000 repetitions"},
      {"some flow contains 'a'", 1, 20, "double quotes, not single ones"},
      {"some flow contains \"a", 1, 20, "not closed on its line"},
      {"some flow contains 7zip", 1, 20, "put it in double quotes"},
      {"some flow contains é", 1, 20, "goes in double quotes"},
  });
}

TEST(ParserErrors, OfLogic) {
  expect_told_of_question({
      {"logic", 1, 6, "expected `{` after `logic`"},
      {"logic {}", 1, 7, "a logic block without an equation"},
      {"logic { x := a", 1, 15, "the next equation or `}`, found the end of the statement"},
      {"logic { x := a } }", 1, 18, "expected the end of the statement, found `}`"},
      {"logic { x = a }", 1, 11, "expected `:=` to define a variable"},
      {"logic { a and b }", 1, 11, "expected `:=` to define a variable"},
      {"logic { := a }", 1, 9, "expected an equation, as `x := a and prev y`"},
      {"logic { x := }", 1, 14, "expected a label, a variable"},
      {"logic { x := a and }", 1, 20, "expected a label, a variable"},
      {"logic { x := a b }", 1, 16, "expected an operator, the next equation"},
      {"logic { x := a & b }", 1, 16, "write `and`"},
      {"logic { x := a | b }", 1, 16, "write `or`"},
      {"logic { x := a -> b }", 1, 16, "write `=>`"},
      {"logic { x := (a or b }", 1, 22, "expected `)` to close the parenthesis"},
      {"logic { x := y y := a }", 1, 14, "`y` is not defined above"},
      {"logic { x := x }", 1, 14, "or use its past: `prev x`"},
      {"logic { x := prev y }", 1, 19, "`y` is not a variable of this block"},
      {"logic { lamp := prev lump }", 1, 22, "did you mean `lamp`?"},
      {"logic { x := prev (y) }", 1, 19, "expected a variable of this block"},
      {"logic { x := a x := b }", 1, 16, "`x` is defined a second time"},
      {"logic { x := a detect y }", 1, 23, "`y` is not a variable of this block"},
      {"logic { x := a detect x detect x }", 1, 25, "a second `detect`"},
  });
}

TEST(ParserErrors, OfPredicates) {
  expect_told_of_question({
      {"possibly", 1, 9, "expected a number, a name or `(`"},
      {"possibly x > 3", 1, 10, "name the process, as `p1.x`"},
      {"possibly p1.x = 3", 1, 15, "write `==`"},
      {"possibly 1 < p1.x < 3", 1, 19, "comparisons do not chain"},
      {"possibly p1. > 3", 1, 14, "expected a variable of `p1`"},
      {"possibly foo(x) > 3", 1, 10, "there are count, all, any, sum, min, max"},
      {"possibly sum(x + 1) > 3", 1, 16, "expected `)` to end `sum(`"},
      {"possibly sum(3) > 3", 1, 14, "expected a variable"},
      {"possibly count(p1.x) > 3", 1, 16, "`process == \"p1\"`"},
      {"possibly count(count(x)) > 3", 1, 16, "a local predicate is about one state"},
      {"possibly count() > 3", 1, 16, "expected a number, a name or `(`, found `)`"},
      {"possibly count(x in) > 3", 1, 20, "expected a group or a process"},
      {"possibly count(x in a, b) > 3", 1, 22, "expected `)` to end `count(`"},
      {"possibly p1.x && p2.y", 1, 15, "write `and`"},
      {"possibly p1.x || p2.y", 1, 15, "write `or`"},
      {"possibly !p1.x", 1, 10, "write `not`"},
      {"possibly p1.x > 9223372036854775808", 1, 17, "with a point it is a real"},
      {"possibly p1.x > 1e999", 1, 17, "than a real can be"},
      {"possibly p1.x > 1e-999", 1, 17, "than a real can be"},
      {"possibly (p1.x > 1", 1, 19, "expected `)` to close the parenthesis"},
      {"possibly p1.x > 1 then", 1, 19, "expected the end of the statement, found `then`"},
  });
}

TEST(ParserErrors, CountColumnsInCharacters) {
  expect_told({
      {"label \"ééé\" = x =", 1, 17, "one `=`"},
      {"\xef\xbb\xbflabel a =", 1, 10, "expected a number"},
      {"\tlabel a =", 1, 11, "expected a number"},
      {"label a = x == \"\\\"\" +", 1, 22, "expected a number"},
      {"label a = x ==\r\n\r\n", 1, 15, "expected a number"},
  });
}

TEST(ParserErrors, ShowTheLineWithAMark) {
  const auto first = parse_property_syntax("# é\nlabel \"é\" =\tx = 1\n", "a.prop");
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().text(),
            "a.prop:2:15: one `=` compares nothing\n"
            "    label \"é\" = x = 1\n"
            "                  ^\n"
            "  write `==`");
  // Of a long line only the beginning, which does not end within a character.
  const auto cut = parse_property_syntax("label a = ) # " + std::string(185, ' ') + "éé", "a.prop");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().excerpt.size(), 199U);
  const auto far = parse_property_syntax("label a = " + std::string(300, ' ') + ")", "a.prop");
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().column, 311U);
  EXPECT_EQ(far.error().excerpt, "");
}

}  // namespace
}  // namespace lightcone
