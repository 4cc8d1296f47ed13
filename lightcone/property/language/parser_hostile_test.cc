// Hostile property files: deep, long, broken or empty.
#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace lightcone {
namespace {

std::string times(std::size_t count, const std::string& part) {
  std::string out;
  out.reserve(count * part.size());
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

std::string flow(const std::string& pattern) { return "watch x : some flow matches " + pattern; }
std::string logic(const std::string& formula) { return "watch x : logic { x := " + formula + " }"; }
std::string label(const std::string& predicate) { return "label l = " + predicate; }

void expect_refused(const std::string& text, const std::string& said) {
  const auto properties = parse_property_syntax(text, "hostile");
  ASSERT_FALSE(properties) << text.substr(0, 60);
  EXPECT_NE(properties.error().what.find(said), std::string::npos) << properties.error().text();
  EXPECT_LT(properties.error().text().size(), 1000U);
}

void expect_taken(const std::string& text) {
  const auto properties = parse_property_syntax(text, "hostile");
  EXPECT_TRUE(properties) << properties.error().text();
}

constexpr std::size_t many = 50'000;  // enough to overflow a stack
constexpr std::size_t wide = 20'000;  // enough to notice what is quadratic

TEST(HostileProperties, NestTooDeep) {
  for (const std::size_t depth : {std::size_t{201}, many}) {
    const auto nested = [&](const std::string& open, const std::string& close) {
      return times(depth, open) + "a" + times(depth, close);
    };
    const std::string said = "nested more than 200 levels deep";
    expect_refused(flow(nested("(", ")")), said);
    expect_refused(flow(nested("(b ", ")*")), said);
    expect_refused(logic(nested("(", ")")), said);
    expect_refused(logic(nested("not ", "")), said);
    expect_refused(logic(nested("a => ", "")), said);
    expect_refused(logic(nested("a <=> ", "")), said);
    expect_refused(label(nested("(", ")")), said);
    expect_refused(label(nested("not ", "")), said);
    expect_refused(label(nested("-", "")), said);
  }
}

TEST(HostileProperties, NestDeepEnough) {
  const auto nested = [](const std::string& open, const std::string& close) {
    return times(200, open) + "a" + times(200, close);
  };
  expect_taken(flow(nested("(", ")")));
  expect_taken(flow(nested("(b | ", ")" + times(8, "*"))));
  expect_taken(logic(nested("(", ")")));
  expect_taken(logic(nested("b => ", "")));
  expect_taken(label(nested("(", ")")));
  expect_taken(label(nested("(", times(32, " * b") + ")")));
  expect_taken(label(nested("-", "")));
}

// No level copies the levels below it.
TEST(HostileProperties, AreDeepAndWide) {
  const auto nested = [](const std::string& open, const std::string& inner) {
    return times(90, open) + inner + times(90, ")");
  };
  expect_taken(flow(nested("(", times(wide, "a "))));
  expect_taken(flow(nested("(b ", times(wide, "a "))));
  expect_taken(logic(nested("(b => ", times(wide, "a and ") + "a")));
  expect_taken(label(nested("(", times(wide, "a + ") + "a")));
  expect_taken(label(nested("(b * ", "(" + times(wide, "a and ") + "a)")));
}

TEST(HostileProperties, GoOnAndOn) {
  expect_taken(flow(times(many, "!") + "a"));
  expect_taken(flow(times(wide, "a ")));
  expect_taken(flow(times(wide, "a | ") + "a"));
  expect_taken(flow(times(wide, "a -> ") + "a"));
  expect_taken(flow("[" + times(wide, "a ") + "]"));
  expect_taken("watch x : some flow over {" + times(wide, "a, ") + "a} matches a");
  expect_taken(logic(times(wide, "a and ") + "a"));
  expect_taken(label(times(wide, "a or ") + "a"));
  expect_taken(label(times(wide, "a - ") + "a"));
  expect_taken("group g = " + times(many, "a,") + "a");
  expect_taken("group g = " + times(many, "*"));
  expect_taken(flow("\"" + times(wide, "a") + "\""));
  expect_refused(flow("a" + times(many, "*")), "more than 8 repetitions of repetitions");
  expect_refused(flow("a" + times(many, "{2}")), "more than 8 repetitions of repetitions");
  expect_refused(label(times(many, "a * ") + "a"), "more than 32 factors in one product");
}

TEST(HostileProperties, HaveTooManyStatements) {
  std::string labels, properties, equations, chain;
  for (int i = 0; i <= 10'000; ++i) {
    const std::string number = std::to_string(i);
    labels += "label l" + number + " = x\n";
    properties += "watch w" + number + " : possibly true\n";
    if (i < 5000) equations += " x" + number + " := a\n";
    if (i < 300) chain += "label l" + number + " = l" + std::to_string(i + 1) + "\n";
  }
  expect_refused(labels, "the 10001th label");
  expect_refused(properties, "the 10001th property");
  expect_refused("watch x : logic {\n" + equations + "}", "more than 4096 equations");
  expect_taken(chain.substr(0, chain.find("label l100 =")));
  expect_refused(chain + "label l300 = x", "labels that read labels, more than 200 levels deep");
  expect_refused(times(17 << 20, " "), "more than 16 MiB");
}

TEST(HostileProperties, AreFullOfCommas) {
  expect_refused("group g = " + times(many, ","), "expected a process name");
  expect_refused("group g = a" + times(many, ","), "expected a process name");
  expect_refused("watch x : some flow over {" + times(many, ","), "expected a label");
}

TEST(HostileProperties, HaveHugeNumbers) {
  expect_refused(label(times(many, "9")), "is more than an integer can be");
  expect_refused(label("1e" + times(many, "9")), "than a real can be");
  expect_refused(flow("a{" + times(many, "9") + "}"), "is more than an integer can be");
  expect_refused(flow("a{9223372036854775807}"), "more than 1000 repetitions");
  expect_refused(flow("a{0,4294967297}"), "more than 1000 repetitions");
  expect_taken(label("0." + times(many, "1")));
  expect_taken(label(times(many, "0") + "1"));
}

TEST(HostileProperties, HaveBytesOfAllKinds) {
  using namespace std::string_literals;
  expect_refused("\0"s, "a control character (byte 0x00)");
  expect_refused("label a = x\0"s, "a control character (byte 0x00)");
  expect_refused("\x7f", "a control character (byte 0x7f)");
  expect_refused("\xff\xfe", "this character cannot begin a word, a number or a sign");
  expect_taken("# \0 \xff\n"s);
  expect_taken(flow("\"a\0b\""s));
  EXPECT_EQ(parse_property_syntax("group g = a\0b"s, "hostile")->groups[0].patterns[0], "a\0b"s);
}

TEST(HostileProperties, AreNotClosed) {
  expect_refused("watch x : logic {\n  x := a\n\nwatch y : possibly true",
                 "the next equation or `}`");
  expect_refused("watch x : some flow over {a,\nlabel b = x", "expected a label");
  expect_refused(flow("(a\n  b\nlabel b = x"), "expected `)`");
  expect_refused(flow("[a\n  b"), "expected a label or `]`");
  expect_refused(flow("\"a\n\""), "not closed on its line");
  expect_refused(flow("\"a\\\""), "not closed on its line");
  expect_refused(times(many, "("), "expected group");
  expect_refused(times(many, "{\n"), "expected group");
}

// Whatever pieces are strung together: an answer, and an error that points into the text.
TEST(HostileProperties, AreRandom) {
  constexpr std::array pieces{
      "group g", "label l",  "label m =", "watch w :", "forbid x :", "some",      "every",
      "longest", "flow",     "over {",    "at",        "matches",    "ends with", "contains",
      "logic {", "possibly", "prev",      "msg",       "any",        "detect",    "not",
      "and",     "or",       "without",   "in",        "count(",     "sum(",      "event",
      "process", "true",     "a",         "b",         "x :=",       "y",         "p1.x",
      "p1:a",    "\"q",      "\"r s\"",   "1",         "2.5",        "=",         "==",
      "<",       "=>",       "<=>",       "->",        "|",          "*",         "+",
      "?",       "!",        "[",         "[^",        "]",          "(",         ")",
      "{",       "}",        "{2,3}",     ",",         ".",          "-",         "/",
      ":",       "&",        "#",         "\n",        "\n",         "\n  ",      "\t",
      "\r\n",    "é",        "\x01"};
  std::mt19937_64 random(7);
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t n = random() % 24; n > 0; --n) {
      text += pieces[random() % pieces.size()];
      if (random() % 4 != 0) text += ' ';
    }
    const auto properties = parse_property_syntax(text, "random");
    if (properties) continue;
    const Error& error = properties.error();
    ASSERT_FALSE(error.what.empty()) << text;
    ASSERT_GE(error.line, 1U) << text;
    ASSERT_LE(error.line,
              1 + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    ASSERT_GE(error.column, 1U) << text;
    ASSERT_LE(error.column, text.size() + 1) << text;
  }
}

}  // namespace
}  // namespace lightcone
