// ShiViz logs: real ones give the known counts, broken ones give an error at the right line.
#include <gtest/gtest.h>
#include <lightcone/trace/shiviz/shiviz.h>

#include <string>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

const std::string chord_regex = R"re((?<host>\S*) (?<clock>{.*})\n(?<event>.*))re";
const std::string facebook_regex =
    R"re((?<ip>(\d{1,3}\.){3}\d{1,3}) (?<date>(\d{1,2}\/){2}\d{4} .*(AM|PM)) )re"
    R"re((?<action>\S*) (?<event>.*)\n(?<host>\w*) (?<clock>.*))re";
const std::string ewd998_regex =
    R"re(^State [0-9]+: <(?<event>\w*) .*>\n\/\\ Host = (?<host>.*)\n)re"
    R"re(\/\\ Clock = "(?<clock>.*)"\n\/\\ active = (?<active>.*)\n)re"
    R"re(\/\\ color = (?<color>.*)\n\/\\ counter = (?<counter>.*))re";

ReadOptions with_regex(std::string regex, std::string execution = {}) {
  ReadOptions options;
  options.regex = std::move(regex);
  options.execution = std::move(execution);
  return options;
}

Expected<Reading> read_sample(const std::string& file, const ReadOptions& options) {
  return read_trace(LIGHTCONE_TEST_DATA "/data/shiviz/" + file, Format::shiviz, options);
}

void expect_counts(const Expected<Reading>& reading, std::uint32_t events, std::uint32_t hosts,
                   std::size_t edges) {
  ASSERT_TRUE(reading.has_value()) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), events);
  EXPECT_EQ(reading->computation.process_count(), hosts);
  EXPECT_EQ(reading->computation.edge_count(), edges);
}

void expect_error(const Expected<Reading>& reading, std::uint64_t line, const std::string& what,
                  const std::string& hint = {}) {
  ASSERT_FALSE(reading.has_value());
  EXPECT_EQ(reading.error().line, line) << reading.error().text();
  EXPECT_NE(reading.error().what.find(what), std::string::npos) << reading.error().text();
  EXPECT_NE(reading.error().hint.find(hint), std::string::npos) << reading.error().text();
}

Expected<Reading> read(std::string_view text, const ReadOptions& options = {}) {
  return read_shiviz(text, "t.log", options);
}

std::string string_value(const Computation& c, EventIndex e, std::string_view variable) {
  for (const Assignment& assignment : c.assignments(e)) {
    if (c.names()[assignment.variable] != variable) continue;
    return std::string(c.names()[std::get<NameIndex>(assignment.value)]);
  }
  return "(none)";
}

TEST(ShivizSamples, Chord) {
  expect_counts(read_sample("chord.log", with_regex(chord_regex)), 1235, 8, 541);
}

TEST(ShivizSamples, Simpledb) { expect_counts(read_sample("simpledb.log", {}), 509, 5, 95); }

TEST(ShivizSamples, Facebook) {
  const auto reading = read_sample("facebook.log", with_regex(facebook_regex));
  expect_counts(reading, 47, 4, 23);
  const Computation& c = reading->computation;
  EXPECT_EQ(c.process_name(0), "alice");
  EXPECT_EQ(c.text(0), "/timeline uid=alice location=kansas");
  EXPECT_EQ(string_value(c, 0, "ip"), "24.22.130.14");
  EXPECT_EQ(string_value(c, 0, "date"), "5/27/2013 10:53:39 AM");
  EXPECT_EQ(string_value(c, 0, "action"), "GET");
}

TEST(ShivizSamples, Ewd998HasThreeExecutions) {
  expect_error(read_sample("ewd998.log", with_regex(ewd998_regex)), 0,
               "holds 3 executions: 78 actions (EWD998Chan!EWD998!terminationDetected) (77 events)"
               ", 249 actions (248 events), 666 actions (665 events)",
               "--execution NAME");
  expect_counts(read_sample("ewd998.log", with_regex(ewd998_regex, "1")), 77, 7, 18);
  expect_counts(read_sample("ewd998.log", with_regex(ewd998_regex, "249 actions")), 248, 5, 73);
  const auto third = read_sample("ewd998.log", with_regex(ewd998_regex, "666 actions"));
  expect_counts(third, 665, 7, 194);
  ASSERT_EQ(third->notes.size(), 1U);
  EXPECT_EQ(third->notes[0], "711 lines skipped that the expression does not match.");
  expect_error(read_sample("ewd998.log", with_regex(ewd998_regex, "4")), 0,
               "the log has no execution 4", "there are: 78 actions (EWD998Chan!");
}

TEST(Shiviz, AMinimalLog) {
  const auto reading = read("hello\na {\"a\":1}\nworld\nb {\"b\":1, \"a\":1}");
  expect_counts(reading, 2, 2, 1);
  EXPECT_EQ(reading->computation.text(0), "hello");
  EXPECT_EQ(reading->computation.text(1), "world");
  EXPECT_EQ(reading->computation.message_name(0), "a:1");
  EXPECT_TRUE(reading->notes.empty());
}

TEST(Shiviz, CrlfAndAByteOrderMark) {
  const auto reading = read("\xef\xbb\xbfhello\r\na {\"a\":1}\r\nworld\r\na {\"a\":2}\r\n");
  expect_counts(reading, 2, 1, 0);
  EXPECT_EQ(reading->computation.text(0), "hello");
  EXPECT_EQ(reading->computation.text(1), "world");
}

TEST(Shiviz, TheHeadOfTheFileNamesExpressionAndDelimiter) {
  const std::string head = "(?<host>\\w+) (?<clock>{.*}) (?<event>.*)\n^--$\n";
  const std::string first = "a {\"a\":1} one\na {\"a\":2} two\n";
  expect_counts(read(head + first), 2, 1, 0);
  const std::string log = head + first + "--\n" + "b {\"b\":1} one\n";
  expect_error(read(log), 0, "holds 2 executions: 1 (2 events), 2 (1 event)");
  ReadOptions options;
  options.execution = "2";
  expect_counts(read(log, options), 1, 1, 0);
  options.execution = "1";
  expect_counts(read(log, options), 2, 1, 0);
  expect_error(read(head + "a {\"a\":1} one\na {\"a\":1} two\n"), 4, "the same own entry");
}

TEST(Shiviz, AnEmptyDelimiterInTheHeadIsTheUsualOne) {
  const std::string log = "(?<host>\\w+) (?<clock>{.*}) (?<event>.*)\n\na {\"a\":1} x\n";
  expect_counts(read(log), 1, 1, 0);
  expect_error(read(log + "=== two ===\na {\"a\":1} x\n"), 0,
               "holds 2 executions: 1 (1 event), two (1 event)");
}

TEST(Shiviz, AnOptionWinsOverTheHead) {
  const std::string log =
      "(?<host>\\w+) (?<clock>{.*}) (?<event>.*)\n\na {\"a\":1} | x\na {\"a\":2} | y\n";
  const auto reading = read(log, with_regex(R"re((?<host>\w+) (?<clock>{.*}) \| (?<event>.*))re"));
  expect_counts(reading, 2, 1, 0);
  EXPECT_EQ(reading->computation.text(1), "y");
  EXPECT_TRUE(reading->notes.empty());
}

TEST(Shiviz, TheHeadAlone) {
  expect_error(read("(?<host>\\w+) (?<clock>{.*}) (?<event>.*)"), 0, "matches nothing", "is empty");
  expect_error(read("(?<host>\\w+) (?<clock>{.*}) (?<event>.*)\n"), 0, "matches nothing");
  expect_error(read("(?<host>\\w+) (?<clock>{.*}) (?<event>.*)\n^--$"), 0, "matches nothing");
  expect_error(read("(?<host>\\w+) (?<clock>{.*} (?<event>.*)\n"), 1,
               "missing closing parenthesis");
  expect_error(read("(?<host>\\w+) (?<clock>{.*}) (?<event>.*)\n(\n"), 2, "missing closing");
}

TEST(Shiviz, ExecutionsWithoutEventsDoNotCount) {
  expect_counts(read("=== a ===\nnothing\n=== b ===\nx\na {\"a\":1}\n=== c ===\n"), 1, 1, 0);
  const std::string twice = "=== a ===\nx\na {\"a\":1}\n=== a ===\nx\nb {\"b\":1}\n";
  ReadOptions options;
  options.execution = "a";
  expect_error(read(twice, options), 0, "several executions are named a", "by its number");
  options.execution = "2";
  expect_counts(read(twice, options), 1, 1, 0);
  options.execution = "x";
  expect_error(read("x\na {\"a\":1}\n", options), 0, "no execution x", "there are: 1");
}

TEST(Shiviz, AnotherDelimiter) {
  ReadOptions options;
  options.delimiter = "^run (?<trace>\\w+)$";
  options.execution = "two";
  const std::string log = "run one\nx\na {\"a\":1}\nrun two\ny\na {\"a\":1}\nz\na {\"a\":3}\n";
  expect_error(read(log, options), 8, "the event a:2 is missing");
  options.delimiter = "";
  options.execution = "";
  expect_error(read(log, options), 6, "the same own entry, 1 (the other is on line 3)");
  options.delimiter = "(";
  expect_error(read(log, options), 0, "missing closing parenthesis");
}

TEST(Shiviz, EscapedQuotes) {
  const auto reading = read(R"(x
a {\"a\":1, \"b \\\"q\\\"\":0}
)");
  expect_counts(reading, 1, 1, 0);
}

TEST(Shiviz, HostsWithQuotesAndOtherLetters) {
  const auto reading =
      read("x\n\"h\" {\"\\\"h\\\"\":1}\ny\nzürich-é {\"z\\u00fcrich-é\":1, \"\\\"h\\\"\":1}\n");
  expect_counts(reading, 2, 2, 1);
  EXPECT_EQ(reading->computation.process_name(0), "\"h\"");
  EXPECT_EQ(reading->computation.process_name(1), "zürich-é");
}

TEST(Shiviz, BytesThatAreNotUtf8AreReplaced) {
  const auto reading = read("caf\xe9\nh\xff {\"h\xff\":1}\nok\nh\xff {\"h\xff\":2}\n");
  expect_counts(reading, 2, 1, 0);
  EXPECT_EQ(reading->computation.text(0), "caf\xef\xbf\xbd");
  ASSERT_EQ(reading->notes.size(), 1U);
  EXPECT_EQ(reading->notes[0], "3 lines repaired that held bytes that are not UTF-8.");
}

TEST(Shiviz, NulBytesAreCharacters) {
  using namespace std::string_view_literals;
  const auto reading = read("a\0b\nh\0 {\"h\\u0000\":1}\n"sv);
  expect_counts(reading, 1, 1, 0);
  EXPECT_EQ(reading->computation.text(0), "a\0b"sv);
  expect_error(read("x\nh {\"h\0\":1}\n"sv), 2, "not a JSON object");
}

TEST(ShivizErrors, AnExpressionThatMatchesNothing) {
  expect_error(read(""), 0, "matches nothing", "the log is empty");
  expect_error(read("\n\n"), 0, "matches nothing", "the log is empty");
  expect_error(read("one\ntwo\nthree\nfour"), 0, "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})",
               "--regex; the log begins\n    one\n    two\n    three");
}

TEST(ShivizErrors, AnExpressionWithoutItsGroups) {
  expect_error(read("x", with_regex("(?<host>.*)")), 0, "has no group named clock and event",
               "(?<clock>...)");
  expect_error(read("x", with_regex("(?<host>.*)(?<clock>.)(?<evnt>.)")), 0,
               "has no group named event");
  expect_error(read("x", with_regex("(a+)+$")), 0, "no group named host and clock and event");
  expect_error(read("x", with_regex("(?<host>[")), 0, "is wrong at character");
  expect_error(read("x", with_regex("(?<host>\xff)")), 0, "is wrong at character");
  expect_error(read("x", with_regex(std::string(100'000, 'a'))), 0, "is wrong at character");
}

TEST(ShivizErrors, AnExpressionThatTakesTooLong) {
  const std::string slow = R"re((?<event>(a+)+)\n(?<host>\S+) (?<clock>{.*}))re";
  const std::string log = "a\nh {\"h\":1}\n" + std::string(5000, 'a') + "!\nh {\"h\":2}\n";
  expect_error(read(log, with_regex(slow)), 2, "takes too long", "repetitions inside repetitions");
  ReadOptions options;
  options.delimiter = "^(x+x+)+y$";
  expect_error(read("a\nh {\"h\":1}\n" + std::string(5000, 'x') + "\ny", options), 1,
               "takes too long");
}

TEST(ShivizErrors, AGroupThatMatchesNothing) {
  const std::string optional = R"re((?<event>.*)\n(?:(?<host>h) |i )(?<clock>{.*})?)re";
  expect_error(read("x\nh {\"h\":1}\ny\ni {\"h\":2}\n", with_regex(optional)), 4,
               "its group host matches nothing");
  expect_error(read("x\nh \n", with_regex(optional)), 1, "its group clock matches nothing");
  expect_error(read("x\n {\"h\":1}\n"), 2, "its group host matches nothing");
}

TEST(ShivizErrors, ClocksThatAreNotJson) {
  const auto bad = [](const std::string& clock, const std::string& what) {
    expect_error(read("x\na {\"a\":1}\ny\na " + clock + "\nz\na {\"a\":3}\n"), 4, what);
  };
  for (const char* clock : {"{a:2}", "{\"a\":2,}", "{\"a\" 2}", "{\"a\":2} {\"b\":1}", "{{}", "{]}",
                            "{\"a:2}", "{\"a\":2 \"b\":1}", "{\"a\":2}}", "{\"a\":}"}) {
    bad(clock, "");
  }
  bad("{a:2}", "the clock is not a JSON object");
  bad("{\"a\":2} {\"b\":1}", "the clock is not a JSON object");
  bad("{\"a\":{\"b\":2}}", "the clock entry for a is {");
  bad("{\"a\":[2]}", "the clock entry for a is [");
  bad("{\"a\":\"2\"}", "is \"2\", which is not a non-negative integer");
  bad("{\"a\":2.0}", "is 2.0, which is not a non-negative integer");
  bad("{\"a\":-2}", "is -2, which is not a non-negative integer");
  bad("{\"a\":null}", "is null, which is not a non-negative integer");
  bad("{\"a\":4294967296}", "is 4294967296, which does not fit 32 bits");
  bad("{\"a\":2, \"a\":2}", "the clock entry for a occurs twice");
  bad("{}", "has no entry for a");
  bad("{\"b\":1}", "has no entry for a");
}

TEST(ShivizErrors, LinesAreThoseOfTheFile) {
  const std::string head = "(?<host>\\w+)\\n(?<clock>{.*})\\n(?<event>.*)\n^--$\n";
  expect_error(
      read(head + "a\n{\"a\":1}\nx\n--\nb\n{\"b\":1}\nx\n\n\nb\n{\"b\":3}\ny", with_regex("", "2")),
      13, "the event b:2 is missing before this one");
}

TEST(ShivizLenient, MissingEventsAreCounted) {
  ReadOptions options;
  options.lenient = true;
  const auto reading = read("x\na {\"a\":1, \"b\":5}\n", options);
  expect_counts(reading, 1, 1, 0);
  ASSERT_EQ(reading->notes.size(), 1U);
  EXPECT_EQ(reading->notes[0], "1 reference to an event that the log does not have ignored.");
}

TEST(Shiviz, ProgressIsTold) {
  ReadOptions options;
  int calls = 0;
  options.progress = [&](std::string_view, std::uint64_t done, std::uint64_t total) {
    ++calls;
    EXPECT_LE(done, total);
  };
  expect_counts(read("x\na {\"a\":1}\n", options), 1, 1, 0);
  EXPECT_GT(calls, 0);
}

}  // namespace
}  // namespace lightcone
