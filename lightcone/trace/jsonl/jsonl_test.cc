// JSON Lines: what goes in comes out, and every kind of bad input has its error.
#include <lightcone/trace/jsonl/jsonl.h>

#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>

namespace lightcone {
namespace {

Expected<Reading> read(std::string_view text, bool lenient = false) {
  ReadOptions options;
  options.lenient = lenient;
  return read_jsonl(text, "t.jsonl", options);
}

std::string written(const Computation& c) { return write_trace_text(c, Format::jsonl); }

/// What the reader says of a bad trace, without the hint.
std::string complaint(std::string_view text) {
  const auto reading = read(text);
  if (reading) return "no complaint";
  const std::string all = reading.error().text();
  return all.substr(0, all.find('\n'));
}

TEST(Jsonl, GivesBackWhatWasWritten) {
  arbitrary::for_all_computations("jsonl and back", 1000, [](const Computation& c) {
    const std::string once = written(c);
    const auto reading = read(once);
    if (!reading) RC_FAIL(reading.error().text());
    RC_ASSERT(written(reading->computation) == once);
  });
}

TEST(Jsonl, KeepsEveryMember) {
  const std::string text =
      R"({"lightcone": 1, "processes": ["p1", "p2", "silent"], "made by": {"a": [1, 2]}})"
      "\n"
      R"({"process": "p1", "kind": "init", "labels": ["idle"], "vars": {"x": 0}, )"
      R"("text": "up"})"
      "\n"
      R"({"process": "p1", "kind": "internal", "labels": ["b", "a"], )"
      R"("vars": {"x": 3, "y": 1.0, "z": true, "s": "t"}, "time": 1.5, )"
      R"("text": "a \"b\"", "source": "f.c:1", "k": null})"
      "\n"
      R"({"process": "p1", "kind": "send", "message": "m1", "to": ["p2", "p3"]})"
      "\n"
      R"({"process": "p2", "kind": "receive", "message": "m1", "sends": "m2"})"
      "\n"
      R"({"process": "p2", "kind": "receive", "message": "m1", "duplicate": true})"
      "\n"
      R"({"process": "p1", "kind": "send", "message": "m003"})"
      "\n"
      R"({"process": "p2", "kind": "receive", "message": ["m003", "m2"]})"
      "\n";
  const auto reading = read(text);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(written(reading->computation), text);
}

TEST(Jsonl, ReadsLinesInAnyInterleaving) {
  const auto reading = read(
      "\n{\"process\": \"p2\", \"kind\": \"receive\", \"message\": \"m\"}\r\n"
      "  \n{\"process\": \"p1\", \"kind\": \"send\", \"message\": \"m\"}");
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  EXPECT_EQ(c.process_name(0), "p2");
  EXPECT_EQ(c.order()[0], c.sent_by(0));
}

TEST(Jsonl, ReadsFilesLargerThanAPiece) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += R"({"process": "p)" + std::to_string(i % 7) + R"(", "kind": "internal", "text": ")" +
            std::string(static_cast<std::size_t>(i % 50), 'x') + "\"}\n";
  }
  const auto reading = read(text);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), 20'000U);
  const auto broken = complaint(text + "{\n");
  EXPECT_EQ(broken.substr(0, 27), "t.jsonl:20001: broken JSON:") << broken;
}

TEST(Jsonl, ReadsALineLongerThanAPiece) {
  const std::string long_text(300'000, 'y');
  const auto reading =
      read(R"({"process": "p", "kind": "internal", "text": ")" + long_text + "\"}\n");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.text(0), long_text);
}

TEST(Jsonl, AnEmptyTraceIsAnEmptyComputation) {
  for (const char* text : {"", "\n\n", "\xef\xbb\xbf", "{\"lightcone\": 1}"}) {
    const auto reading = read(text);
    ASSERT_TRUE(reading) << reading.error().text();
    EXPECT_EQ(reading->computation.event_count(), 0U);
  }
}

TEST(Jsonl, BadLinesAreNamed) {
  const std::string good = R"({"process": "p", "kind": "internal"})"
                           "\n";
  const std::pair<const char*, const char*> cases[] = {
      {"[1]", "t.jsonl:2: this line is not a JSON object"},
      {"{\"process\": \"p\"", "t.jsonl:2: broken JSON"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"x\": tru}", "t.jsonl:2: broken JSON"},
      {"{\"process\": \"p\", \"kind\": \"internal\"} {}",
       "t.jsonl:2: more than one JSON object on a line"},
      {"{\"process\": \"p\", \"kind\": \"intern\"}",
       "t.jsonl:2: unknown kind \"intern\": it is init, internal, send or receive"},
      {"{\"kind\": \"internal\"}", "t.jsonl:2: process is missing"},
      {"{\"process\": \"p\"}", "t.jsonl:2: kind is missing"},
      {"{\"process\": 3, \"kind\": \"internal\"}", "t.jsonl:2: process must be a string"},
      {"{\"process\": \"p\", \"kind\": \"send\"}", "t.jsonl:2: a send needs a message"},
      {"{\"process\": \"p\", \"kind\": \"receive\", \"message\": []}",
       "t.jsonl:2: a receive needs a message"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"message\": \"m\"}",
       "t.jsonl:2: only a send or a receive has a message"},
      {"{\"process\": \"p\", \"kind\": \"send\", \"message\": [\"a\", \"b\"]}",
       "t.jsonl:2: a send has one message; it may have several receivers"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"kind\": \"send\"}",
       "t.jsonl:2: kind occurs twice"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"labels\": \"a\"}",
       "t.jsonl:2: labels must be a list of strings"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"vars\": {\"x\": {}}}",
       "t.jsonl:2: variable x must be a boolean, a number or a string"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"vars\": {\"x\": {\"real\": \"nan\"}}}",
       "t.jsonl:2: variable x must be a boolean, a number or a string"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"vars\": {\"x\": 1, \"y\": 2, \"x\": 1}}",
       "t.jsonl:2: variable x occurs twice"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"vars\": {\"x\": 9223372036854775808}}",
       "t.jsonl:2: variable x is an integer of more than 63 bits: write it as a real or a string"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"vars\": {\"x\": 1e999}}",
       "t.jsonl:2: a number is malformed, or does not fit 64 bits"},
      {"{\"process\": \"p\", \"kind\": \"internal\", \"time\": \"now\"}",
       "t.jsonl:2: time must be a number"},
      {"{\"process\": \"p\", \"kind\": \"init\"}",
       "t.jsonl:2: a process has at most one initial state, before its events"},
      {"{\"lightcone\": 1}", "t.jsonl:2: the header must be the first line"},
      {"{\"process\": \"\xff\", \"kind\": \"internal\"}", "t.jsonl:2: broken JSON"},
  };
  for (const auto& [line, expected] : cases) {
    const std::string said = complaint(good + line + "\n" + good);
    EXPECT_EQ(said.substr(0, std::string_view(expected).size()), expected) << line;
  }
  EXPECT_EQ(
      complaint("{\"lightcone\": 3}"),
      "t.jsonl:1: this is not version 1 or 2 of the trace format, which this Lightcone reads");
}

TEST(Jsonl, BadComputationsAreNamed) {
  const std::string send = R"({"process": "p", "kind": "send", "message": "m"})"
                           "\n";
  const std::string receive = R"({"process": "q", "kind": "receive", "message": "m"})"
                              "\n";
  EXPECT_EQ(complaint(send + send), "t.jsonl:2: message m is sent a second time");
  EXPECT_EQ(complaint(receive), "t.jsonl:1: message m is received but never sent");
  EXPECT_EQ(complaint(send + receive + receive),
            "t.jsonl:3: message m is received a second time by the same process");
  ReadOptions cut_off;  // forgives that the send is lost
  cut_off.cut_off = true;
  const auto twice = read_trace_text(receive + receive, "t.jsonl", Format::jsonl, cut_off);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().what, "message m is received a second time by the same process");
  const auto cyclic = read(R"({"process": "p", "kind": "receive", "message": "b"})"
                           "\n"
                           R"({"process": "p", "kind": "send", "message": "a"})"
                           "\n"
                           R"({"process": "q", "kind": "receive", "message": "a"})"
                           "\n"
                           R"({"process": "q", "kind": "send", "message": "b"})"
                           "\n");
  ASSERT_FALSE(cyclic);
  EXPECT_EQ(cyclic.error().text(),
            "t.jsonl:1: a message would be received before it was sent (a cycle)\n"
            "  p receives b on line 1, and q sends it on line 4; q receives a on line 3, and p "
            "sends it on line 2");
  EXPECT_EQ(complaint(R"({"process": "p", "kind": "receive", "message": "a"})"
                      "\n"
                      R"({"process": "p", "kind": "send", "message": "a"})"
                      "\n"),
            "t.jsonl:1: a message would be received before it was sent (a cycle)");
}

TEST(Jsonl, LenientReadingMakesReceivesInternal) {
  const auto reading = read(R"({"process": "p", "kind": "receive", "message": "lost"})"
                            "\n"
                            R"({"process": "p", "kind": "send", "message": "m"})"
                            "\n"
                            R"({"process": "q", "kind": "receive", "message": ["m", "lost"]})"
                            "\n",
                            true);
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  EXPECT_EQ(c.kind(0), Kind::internal);
  EXPECT_EQ(c.edge_count(), 1U);
  EXPECT_EQ(c.message_count(), 1U);
  EXPECT_EQ(reading->notes,
            (std::vector<std::string>{
                "1 receive without a send taken as internal event",
                "1 receive of several messages lost some of them, whose sends are missing"}));
  EXPECT_TRUE(reading->incomplete);
  EXPECT_EQ(reading->doubts.receives, (std::vector<EventPlace>{{0, 1}, {1, 1}}));
}

// Lines that together look like as many objects as there are lines, and are not one each.
TEST(Jsonl, LinesThatOnlyLookRegularAreNot) {
  const std::string event = R"({"process": "p", "kind": "internal")";
  EXPECT_EQ(complaint(event + "}," + event + "}\n" + event + "\n, \"text\": \"t\"}\n"),
            "t.jsonl:1: more than one JSON object on a line");
  EXPECT_EQ(complaint(event + "},\n" + event + "}\n").substr(0, 22), "t.jsonl:1: broken JSON");
  EXPECT_EQ(complaint(event + R"(, "k": [{})"
                              "\n"
                              R"({}]})"
                              "\n")
                .substr(0, 22),
            "t.jsonl:1: broken JSON");
  EXPECT_EQ(complaint(event + "\n}\n").substr(0, 22), "t.jsonl:1: broken JSON");
}

TEST(Jsonl, KeepsNumbersOfAnySizeInUnknownMembers) {
  const std::string line =
      R"({"process": "p", "kind": "internal", "id": 123456789012345678901234567890, "r": 1.10})";
  const auto reading = read(line);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.extra(0), R"("id": 123456789012345678901234567890, "r": 1.10)");
}

TEST(Jsonl, DigestsAreSixteenDigits) {
  const std::string begin = R"({"process": "p", "kind": "internal", "digest": )";
  const auto reading = read(begin + "\"00000000000000ff\"}\n" + begin + "\"other\"}\n" + begin +
                            "7}\n" + begin + "\"0000000000000000\"}\n");
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  EXPECT_EQ(c.digest(0), 255U);
  for (EventIndex e = 1; e < 4; ++e) EXPECT_FALSE(c.digest(e));
  EXPECT_EQ(c.extra(1), "\"digest\": \"other\"");
  EXPECT_EQ(c.extra(2), "\"digest\": 7");
  EXPECT_EQ(read(written(c))->computation.digest(0), 255U);
}

/// Texts of growing and shrinking sizes, some of which are not regular.
TEST(Jsonl, LinesThatWereHandedOverOutliveTheParserAndTheText) {
  struct Piece {
    std::string text;
    JsonlLines lines = {};
    std::size_t bytes = 0;
  };
  std::vector<Piece> pieces;
  {
    JsonlParser parser;
    std::vector<char> room;
    for (const std::size_t count : {1U, 300U, 2U, 40U, 299U, 3000U, 1U, 0U, 500U}) {
      Piece& piece = pieces.emplace_back();
      for (std::size_t i = 0; i < count; ++i) {
        const std::string name = std::to_string(pieces.size()) + "-" + std::to_string(i);
        const bool is_odd = count == 40 && i == 20;
        piece.text += R"({"process": "p)" + name + R"(", "kind": "internal", "labels": ["l)" +
                      name + "\"]" + (is_odd ? R"(, "extra": 1})" : "}") + "\n";
      }
      room.assign(JsonlParser::room_before + piece.text.size() + JsonlParser::room_after, 'x');
      std::ranges::copy(piece.text, room.begin() + JsonlParser::room_before);
      parser.parse(std::span(room).subspan(JsonlParser::room_before, piece.text.size()), 1,
                   piece.lines);
      piece.bytes = parser.hand_over(piece.lines);
      std::ranges::fill(room, 'y');
    }
  }
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const JsonlLines& lines = pieces[k].lines;
    ASSERT_FALSE(lines.error) << k;
    EXPECT_EQ(lines.lines.size(),
              static_cast<std::size_t>(std::ranges::count(pieces[k].text, '\n')));
    for (std::size_t i = 0; i < lines.lines.size(); ++i) {
      const std::string name = std::to_string(k + 1) + "-" + std::to_string(i);
      EXPECT_EQ(lines.lines[i].process, "p" + name);
      EXPECT_EQ(lines[lines.lines[i].labels].front(), "l" + name);
    }
    EXPECT_LE(pieces[k].bytes, 4096 + 8 * pieces[k].text.size()) << k;
  }
}

TEST(Jsonl, NumbersKeepTheirKind) {
  const std::string line =
      R"({"process": "p", "kind": "internal", "vars": {"a": -9223372036854775808, )"
      R"("b": 9223372036854775807, "c": 1.0, "d": 0.1, "e": -0.0, "f": 1e+300}, )"
      R"("time": 0.30000000000000004})";
  const auto reading = read(line);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(written(reading->computation),
            "{\"lightcone\": 1, \"processes\": [\"p\"]}\n" + line + "\n");
}

}  // namespace
}  // namespace lightcone
