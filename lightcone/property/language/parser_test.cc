// What property files mean: every construct, and what binds stronger than what.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"
#include "model/generators/tree_text.h"

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>

#include <random>
#include <string>
#include <vector>

namespace lightcone {
namespace {

Properties parsed(const std::string& text) {
  auto properties = parse_property_syntax(text, "test.prop");
  if (!properties) throw std::runtime_error(properties.error().text());
  return std::move(*properties);
}

/// The tree of the last property of the file.
std::string tree(const std::string& text) { return tree_text(parsed(text).properties.back()); }

std::string pattern_tree(const std::string& pattern) {
  const std::string whole = tree("watch x : some flow matches " + pattern);
  return whole.substr(std::string("some flow matches ").size());
}

std::string label_tree(const std::string& predicate) {
  return tree_text(parsed("label l = " + predicate).labels.back().predicate);
}

std::string formula_tree(const std::string& formula) {
  const Properties properties = parsed("watch w : logic { x := a y := b z := " + formula + " }");
  const auto& logic = std::get<Logic>(properties.properties[0].question);
  return tree_text(logic.equations.back().formula, logic);
}

constexpr auto example = R"(
group  workers = worker-*, backup            # process names, * matches any run of characters
label  busy    = load > 75 and not paused     # a local predicate: variables of one state
label  entered = event == "enter"

forbid  two_in_cs  : possibly   count(in_cs) >= 2
require drained    : definitely all(queue == 0)
watch   agreed     : properly   sum(x) == 10
forbid  stale      : some flow ends with write -> read without invalidate
require prepared   : every longest flow at commit contains prepare
expect  handoff    : some longest flow over {a, b, c} matches (a | c)* b+ c
watch   scattered  : logic {
  y  := p1:owns_D
  x1 := p1:owns_D1 and any y
  x2 := p2:owns_D2 and any y
  z  := p1:owns_D and any x1 and any x2
}
)";

TEST(Parser, ReadsAnExampleOfEverything) {
  const Properties properties = parsed(example);
  ASSERT_EQ(properties.groups.size(), 1U);
  EXPECT_EQ(properties.groups[0].name, "workers");
  EXPECT_EQ(properties.groups[0].patterns, (std::vector<std::string>{"worker-*", "backup"}));
  EXPECT_EQ(properties.find_group("workers"), properties.groups.data());
  EXPECT_EQ(properties.find_group("backup"), nullptr);

  ASSERT_EQ(properties.labels.size(), 2U);
  EXPECT_EQ(properties.labels[0].name, "busy");
  EXPECT_EQ(tree_text(properties.labels[0].predicate), "((load > 75) and (not paused))");
  EXPECT_EQ(properties.labels[1].name, "entered");
  EXPECT_EQ(tree_text(properties.labels[1].predicate), "event='enter'");
  EXPECT_EQ(properties.find_label("entered"), 1U);
  EXPECT_FALSE(properties.find_label("enter"));

  const std::vector<std::tuple<Verb, std::string, std::string>> expected{
      {Verb::forbid, "two_in_cs", "possibly (count(in_cs) >= 2)"},
      {Verb::require, "drained", "definitely all((queue == 0))"},
      {Verb::watch, "agreed", "properly (sum(x) == 10)"},
      {Verb::forbid, "stale", "some flow matches ((.){0,} (write ([^invalidate]){0,} read))"},
      {Verb::require, "prepared", "every longest flow at commit matches ((.){0,} prepare (.){0,})"},
      {Verb::expect, "handoff",
       "some longest flow over {a, b, c} matches (((a | c)){0,} (b){1,} c)"},
      {Verb::watch, "scattered",
       "y := p1:owns_D; x1 := (p1:owns_D1 and (prev y or msg y)); "
       "x2 := (p2:owns_D2 and (prev y or msg y)); "
       "z := (p1:owns_D and (prev x1 or msg x1) and (prev x2 or msg x2)); detect z"}};
  ASSERT_EQ(properties.properties.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Property& property = properties.properties[i];
    EXPECT_EQ(std::tuple(property.verb, property.name, tree_text(property)), expected[i]);
  }
}

TEST(Parser, KeepsPlacesAndTexts) {
  const Properties properties = parsed(example);
  EXPECT_EQ(properties.groups[0].place.line, 2U);
  EXPECT_EQ(properties.groups[0].place.column, 8U);
  EXPECT_EQ(properties.properties[3].place.line, 9U);
  EXPECT_EQ(properties.properties[3].place.column, 9U);
  EXPECT_EQ(properties.properties[3].text, "some flow ends with write -> read without invalidate");
  EXPECT_EQ(properties.properties[5].text,
            "some longest flow over {a, b, c} matches (a | c)* b+ c");
  const auto& logic = std::get<Logic>(properties.properties[6].question);
  EXPECT_EQ(logic.equations[1].text, "p1:owns_D1 and any y");
  EXPECT_EQ(properties.properties[6].text.substr(0, 25), "logic { y := p1:owns_D x1");
  EXPECT_EQ(name_of(Verb::require), "require");
}

TEST(Parser, ReadsPatterns) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"a", "a"},
      {".", "."},
      {"!a", "[^a]"},
      {"!!a", "a"},
      {"!.", "[]"},
      {"[a]", "a"},
      {"[a b]", "[a b]"},
      {"[^a b]", "[^a b]"},
      {"![a b]", "[^a b]"},
      {"![^a b]", "[a b]"},
      {"p1:a", "p1:a"},
      {"!p1:a", "[^p1:a]"},
      {"[p1:a \"b c\":d]", "[p1:a b c:d]"},
      {"\"kv-node-10\":\"a b\"", "kv-node-10:a b"},
      {R"("a\"b\\c\d")", R"(a"b\c\d)"},
      {"a b", "(a b)"},
      {"a b c", "(a b c)"},
      {"a | b", "(a | b)"},
      {"a b | c d", "((a b) | (c d))"},
      {"a (b | c) d", "(a (b | c) d)"},
      {"a*", "(a){0,}"},
      {"a+", "(a){1,}"},
      {"a?", "(a){0,1}"},
      {"a{3}", "(a){3,3}"},
      {"a{0}", "(a){0,0}"},
      {"a{2,}", "(a){2,}"},
      {"a{2,5}", "(a){2,5}"},
      {"a{1000}", "(a){1000,1000}"},
      {"a b*", "(a (b){0,})"},
      {"(a b)*", "((a b)){0,}"},
      {"a*?", "((a){0,}){0,1}"},
      {"a -> b", "(a (.){0,} b)"},
      {"a -> b -> c", "(a (.){0,} b (.){0,} c)"},
      {"a -> b | c", "(a (.){0,} (b | c))"},
      {"a | b -> c", "((a | b) (.){0,} c)"},
      {"a b -> c d", "((a b) (.){0,} (c d))"},
      {"(a -> b) c", "((a (.){0,} b) c)"},
      {"a -> b without c", "(a ([^c]){0,} b)"},
      {"a -> b without [c d]", "(a ([^c d]){0,} b)"},
      {"a -> b without !c", "(a (c){0,} b)"},
      {"a -> b without .", "(a ([]){0,} b)"},
      {"a -> b -> c without d", "(a (.){0,} b ([^d]){0,} c)"},
      {"a -> b without d -> c", "(a ([^d]){0,} b (.){0,} c)"},
      {"a -> b without d -> c without e", "(a ([^d]){0,} b ([^e]){0,} c)"},
      {"a -> (b -> c without d) without e", "(a ([^e]){0,} (b ([^d]){0,} c))"},
      {"flow at some", "(flow at some)"},
      {"\"without\" \"some\"", "(without some)"},
  };
  for (const auto& [text, expected_tree] : expected) {
    EXPECT_EQ(pattern_tree(text), expected_tree) << text;
  }
}

TEST(Parser, ReadsFlows) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"some flow matches a", "some flow matches a"},
      {"every flow matches a", "every flow matches a"},
      {"some longest flow ends with a", "some longest flow matches ((.){0,} a)"},
      {"every longest flow contains a", "every longest flow matches ((.){0,} a (.){0,})"},
      {"some flow contains a -> b", "some flow matches ((.){0,} (a (.){0,} b) (.){0,})"},
      {"some flow contains a | b", "some flow matches ((.){0,} (a | b) (.){0,})"},
      {"some flow over {a} matches a", "some flow over {a} matches a"},
      {"some flow over {a, \"b c\"} at !a matches a", "some flow over {a, b c} at [^a] matches a"},
      {"some flow at [^p:a b] matches a", "some flow at [^p:a b] matches a"},
      {"some flow at . matches matches", "some flow at . matches matches"},
  };
  for (const auto& [text, expected_tree] : expected) {
    EXPECT_EQ(tree("watch x : " + text), expected_tree) << text;
  }
}

TEST(Parser, ReadsFormulas) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"c", "c"},
      {"x", "$x"},
      {"\"x\"", "$x"},
      {"p:x", "p:x"},
      {"[x c]", "[x c]"},
      {"!c", "[^c]"},
      {".", "."},
      {"true", "true"},
      {"false", "false"},
      {"initial", "initial"},
      {"send", "send"},
      {"receive", "receive"},
      {"external", "(send or receive)"},
      {"\"send\"", "send"},
      {"prev x", "prev x"},
      {"msg y", "msg y"},
      {"any z", "(prev z or msg z)"},
      {"prev \"x\"", "prev x"},
      {"not c and d", "((not c) and d)"},
      {"not (c and d)", "(not (c and d))"},
      {"not not c", "(not (not c))"},
      {"not prev x", "(not prev x)"},
      {"c or d and e", "(c or (d and e))"},
      {"c and d or e", "((c and d) or e)"},
      {"(c or d) and e", "((c or d) and e)"},
      {"c => d", "((not c) or d)"},
      {"c => d => e", "((not c) or ((not d) or e))"},
      {"(c => d) => e", "((not ((not c) or d)) or e)"},
      {"c or d => e and f", "((not (c or d)) or (e and f))"},
      {"c <=> d", "(c <=> d)"},
      {"c <=> d => e", "(c <=> ((not d) or e))"},
      {"c => d <=> e", "(((not c) or d) <=> e)"},
      {"c <=> d <=> e", "(c <=> (d <=> e))"},
  };
  for (const auto& [text, expected_tree] : expected) {
    EXPECT_EQ(formula_tree(text), expected_tree) << text;
  }
  // A label that is called like a keyword stands in quotes.
  const Properties quoted = parsed("watch w : logic { x := \"send\" }");
  const auto& formula = std::get<Logic>(quoted.properties[0].question).equations[0].formula;
  EXPECT_EQ(formula.kind, Formula::Kind::atom);
}

TEST(Parser, ReadsBlocks) {
  EXPECT_EQ(tree("watch w : logic { x := a }"), "x := a; detect x");
  EXPECT_EQ(tree("watch w : logic { x := a y := b }"), "x := a; y := b; detect y");
  EXPECT_EQ(tree("watch w : logic {\nx := a\ny := b\ndetect x\n}"), "x := a; y := b; detect x");
  EXPECT_EQ(tree("watch w : logic {\ndetect x\nx := prev y\ny := b\n}"),
            "x := prev y; y := b; detect x");
  EXPECT_EQ(tree("watch w : logic {\n  x := a and\n  b or\n  c\n}"),
            "x := ((a and b) or c); detect x");
  EXPECT_EQ(tree("watch w : logic {\n detect := a\n detect detect\n}"),
            "detect := a; detect detect");
  EXPECT_EQ(tree("watch w : logic { \"x y\" := a  z := \"x y\" }"),
            "x y := a; z := $x y; detect z");
}

TEST(Parser, ReadsPredicates) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"x", "x"},
      {"x > 3", "(x > 3)"},
      {"x == \"a b\"", "(x == 'a b')"},
      {"1 + 2 * 3", "(1 + (2 * 3))"},
      {"1 * 2 + 3", "((1 * 2) + 3)"},
      {"1 - 2 - 3", "(1 + (-2) + (-3))"},
      {"1 - (2 - 3)", "(1 + (-(2 + (-3))))"},
      {"8 / 4 / 2", "((8 / 4) / 2)"},
      {"8 / 4 * 2", "((8 / 4) * 2)"},
      {"-x * y", "((-x) * y)"},
      {"- -x", "(-(-x))"},
      {"x - -1", "(x + (-(-1)))"},
      {"2.5e-1 < 1e3", "(0.25 < 1000.0)"},
      {"x + 1 >= y - 1", "((x + 1) >= (y + (-1)))"},
      {"x != 1 or x <= 2 and y", "((x != 1) or ((x <= 2) and y))"},
      {"not x == 1", "(not (x == 1))"},
      {"not x and y", "((not x) and y)"},
      {"(x or y) and z", "((x or y) and z)"},
      {"(x > 1) + 1 == 2", "(((x > 1) + 1) == 2)"},
      {"event == \"a\"", "event='a'"},
      {"event != \"a\"", "(not event='a')"},
      {"process == \"p\" and x", "(process='p' and x)"},
      {"event > 3", "(event > 3)"},
      {"true or false", "(true or false)"},
      {"\"text\"", "text"},
      {"9223372036854775807", "9223372036854775807"},
  };
  for (const auto& [text, expected_tree] : expected) EXPECT_EQ(label_tree(text), expected_tree);
}

TEST(Parser, ReadsGlobalPredicates) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"possibly p1.x + p2.x == 2", "possibly ((p1.x + p2.x) == 2)"},
      {"definitely \"kv-node-10\".load > 1", "definitely (kv-node-10.load > 1)"},
      {"properly p1.\"my var\" == \"a\"", "properly (p1.my var == 'a')"},
      {"possibly count(x > 1 and y) == 2", "possibly (count(((x > 1) and y)) == 2)"},
      {"possibly count(x in workers) == 2", "possibly (count(x in workers) == 2)"},
      {"possibly all(\"my label\" in \"my team\")", "possibly all(my label in my team)"},
      {"possibly not any(event == \"a\")", "possibly (not any(event='a'))"},
      {"possibly min(x) < max(x in w) - sum(x) / 2",
       "possibly (min(x) < (max(x in w) + (-(sum(x) / 2))))"},
      {"possibly true", "possibly true"},
  };
  for (const auto& [text, expected_tree] : expected) {
    EXPECT_EQ(tree("watch w : " + text), expected_tree);
  }
}

TEST(Parser, TellsLabelsFromVariables) {
  const Properties properties = parsed(R"(
label twice = once and x
label once  = x > 1
label x     = x > 2
watch w : possibly count(once) + count(y) + sum(x) + min(once) > 0 and all(x)
)");
  EXPECT_EQ(tree_text(properties.labels[0].predicate), "(@once and @x)");
  EXPECT_EQ(tree_text(properties.labels[1].predicate), "(@x > 1)");
  EXPECT_EQ(tree_text(properties.labels[2].predicate), "(x > 2)") << "in its own definition";
  EXPECT_EQ(tree_text(properties.properties[0]),
            "possibly (((count(@once) + count(y) + sum(x) + min(once)) > 0) and all(@x))");
}

TEST(Parser, ReadsGroups) {
  const auto patterns = [](const std::string& text) { return parsed(text).groups[0].patterns; };
  using Patterns = std::vector<std::string>;
  EXPECT_EQ(patterns("group g = a"), (Patterns{"a"}));
  EXPECT_EQ(patterns("group g = a-*-b.c:1/x , *"), (Patterns{"a-*-b.c:1/x", "*"}));
  EXPECT_EQ(patterns("group g = my process, b  # c, d"), (Patterns{"my process", "b"}));
  EXPECT_EQ(patterns("group g = a,\n  b,\n\n  # between\n  c\n"), (Patterns{"a", "b", "c"}));
  EXPECT_EQ(patterns("group g = a,\nb"), (Patterns{"a", "b"})) << "a comma wants more";
  EXPECT_EQ(patterns("group g =\n  a"), (Patterns{"a"}));
  EXPECT_EQ(patterns("group g = \"a,b\", \"c#d\" , \"e\\\"\"\r\n"),
            (Patterns{"a,b", "c#d", "e\""}));
  EXPECT_EQ(patterns("group g = a,\n  label, watch"), (Patterns{"a", "label", "watch"}));
  EXPECT_EQ(parsed("group \"my team\" = a").groups[0].name, "my team");
  EXPECT_EQ(parsed("group g = a\nlabel l = x\ngroup h = b").groups.size(), 2U);
}

TEST(Parser, StatementsGoOnOverLines) {
  EXPECT_EQ(tree("watch x :\n  some flow\n  contains a\n  -> b\n"),
            "some flow matches ((.){0,} (a (.){0,} b) (.){0,})");
  EXPECT_EQ(tree("watch x : some flow matches (a\n| b\n) c"), "some flow matches ((a | b) c)");
  EXPECT_EQ(tree("watch x : some flow matches a ->\nb"), "some flow matches (a (.){0,} b)");
  EXPECT_EQ(tree("watch x : some flow over {\na,\nb\n} matches a"),
            "some flow over {a, b} matches a");
  EXPECT_EQ(tree("  watch x : some flow\n    matches a\n  watch y : some flow matches b"),
            "some flow matches b");
  EXPECT_EQ(parsed("label a = x > 1 and\nx < 3\nlabel b = y").labels.size(), 2U);
  EXPECT_EQ(parsed("label a = x\n  label b = y").labels.size(), 2U) << "however it is indented";
  EXPECT_EQ(parsed("\xef\xbb\xbflabel a = x\r\nlabel b = y\r\n").labels.size(), 2U);
  EXPECT_EQ(parsed("watch x : some flow\n  matches a\n  | \"b\\\"c\"").properties[0].text,
            "some flow matches a | \"b\\\"c\"");
}

TEST(Parser, CommentsAndBlankLinesSayNothing) {
  for (const char* text : {"", "\n\n", "# nothing", "# nothing\n", "  \t\r\n# a\n\n#\n"}) {
    const Properties properties = parsed(text);
    EXPECT_TRUE(properties.properties.empty() && properties.labels.empty()) << text;
  }
  EXPECT_EQ(tree("watch x : some flow # no\n  matches \"#\" # a\n"), "some flow matches #");
  EXPECT_EQ(tree("watch x : logic { # no\n  x := a # or b\n  # y := b\n}"), "x := a; detect x");
}

TEST(Parser, ReadsItsOwnTexts) {
  arbitrary::for_all_computations("texts of properties", 300, [](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Properties properties =
        parsed(arbitrary::random_properties(random, arbitrary::property_options(c)));
    for (const Property& property : properties.properties) {
      const auto again = parse_property_syntax("watch again : " + property.text, "text");
      if (!again) RC_FAIL(again.error().text());
      RC_ASSERT(again->properties[0].text == property.text);
      RC_ASSERT(tree_text(again->properties[0]) == tree_text(property));
    }
  });
}

}  // namespace
}  // namespace lightcone
