// Text logs by expressions with named groups.
#include <lightcone/trace/text/text.h>

#include <gtest/gtest.h>

#include <string>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

[[nodiscard]] Expected<Reading> read(const std::string& regex, std::string_view log) {
  return read_text(log, "folder/app.log", {.regex = regex});
}

[[nodiscard]] std::string error_of(const std::string& regex, std::string_view log) {
  const auto reading = read(regex, log);
  return reading ? "no error" : reading.error().text();
}

TEST(Text, SendAndReceiveAreGroups) {
  const auto reading = read(R"re(^(?<time>\S+) (?<process>\w+): (?:sent (?<send>\S+)|got )re"
                            R"re((?<receive>\S+)|(?<label>\w+) x=(?<x>\S+))$)re",
                            "1.5 a: sent m1\r\n"
                            "  at some.stack.trace\n"
                            "2.5 b: got m1\n"
                            "3.5 b: commit x=42\n");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->notes,
            (std::vector<std::string>{"1 line skipped that the expression does not match"}));
  EXPECT_EQ(write_trace_text(reading->computation, Format::jsonl),
            R"({"lightcone": 1, "processes": ["a", "b"]}
{"process": "a", "kind": "send", "message": "m1", "time": 1.5, "source": "app.log:1"}
{"process": "b", "kind": "receive", "message": "m1", "time": 2.5, "source": "app.log:3"}
{"process": "b", "kind": "internal", "labels": ["commit"], )"
            R"("vars": {"x": 42}, "time": 3.5, "source": "app.log:4"}
)");
}

TEST(Text, KindAndMessageAreGroups) {
  const auto reading =
      read(R"re((?<host>\S+) (?<kind>\w+) (?<message>\S*) ?\[(?<labels>[^\]]*)\] ?(?<event>.*))re",
           "a SEND m1 [one, two] hello\nb recv m1 []\nb local  [three] \n");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(write_trace_text(reading->computation, Format::jsonl),
            R"({"lightcone": 1, "processes": ["a", "b"]}
{"process": "a", "kind": "send", "message": "m1", "labels": ["one", "two"], )"
            R"("text": "hello", "source": "app.log:1"}
{"process": "b", "kind": "receive", "message": "m1", "text": "", "source": "app.log:2"}
{"process": "b", "kind": "internal", "labels": ["three"], "text": "", "source": "app.log:3"}
)");
}

TEST(Text, SaysWhatIsWrong) {
  EXPECT_NE(error_of("", "x\n").find("--regex"), std::string::npos);
  EXPECT_NE(error_of("(?<send>x)", "x\n").find("no group named process"), std::string::npos);
  EXPECT_NE(error_of("(?<process>x)(?<kind>y)", "x\n").find("no group message"), std::string::npos);
  EXPECT_NE(error_of("(?<process>x)(?<host>y)", "x\n").find("two groups"), std::string::npos);
  EXPECT_NE(error_of("(?<process>a)", "x\ny\n").find("matches no line"), std::string::npos);
  EXPECT_NE(error_of("(?<process>a*)", "x\n").find("app.log:1: the expression matches here"),
            std::string::npos);
  EXPECT_NE(error_of(R"((?<process>\w) (?<kind>\w+) (?<message>\w*))", "a sent \n")
                .find("needs a message"),
            std::string::npos);
  EXPECT_NE(
      error_of(R"((?<process>\w) (?<kind>\w+) (?<message>\w*))", "a eats m\n").find("not a kind"),
      std::string::npos);
  EXPECT_NE(
      error_of(R"((?<process>\w) (?<time>\w+))", "a noon\n").find("neither a number nor a date"),
      std::string::npos);
  EXPECT_NE(error_of(R"((?<process>\w) (?<receive>\w+))", "a m\n").find("never sent"),
            std::string::npos);
}

TEST(Text, RepairsBytesThatAreNoCharacters) {
  const auto reading = read(R"((?<process>\w+) (?<event>.*))", "a \xff\xfe!\n");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.text(0), "\xef\xbf\xbd\xef\xbf\xbd!");
  EXPECT_EQ(reading->notes.size(), 1U);
}

/// What remains of a trace in plain lines: who, what, labels, text.
TEST(Text, AnyTraceComesBackFromLines) {
  const std::string regex =
      R"re(^(?<process>\S+) (?<kind>send|receive|internal|init) <(?<message>[^>]*)> )re"
      R"re(\[(?<labels>[^\]]*)\]$)re";
  int compared = 0;
  arbitrary::for_all_computations("text", 400, [&](const Computation& c) {
    std::string log;
    for (const EventIndex e : c.order()) {
      if (c.is_duplicate(e)) return;
      const bool receives = c.kind(e) == Kind::receive;
      if (receives && c.sends(e) != none) return;
      std::string messages, labels;
      for (const MessageIndex m : c.takes(e)) messages += c.message_name(m) + ", ";
      if (c.kind(e) == Kind::send) messages = c.message_name(c.sends(e));
      for (const NameIndex label : c.labels(e)) labels += std::string(c.names()[label]) + " ";
      const bool is_plain =
          (messages + labels).find_first_of("<>[]") == std::string::npos && c.message_count() > 0;
      if (!is_plain) return;
      const char* const kind = receives ? "receive" : c.kind(e) == Kind::send ? "send" : "internal";
      log += std::string(c.process_name(c.process_of(e))) + " " + kind + " <" + messages + "> [" +
             labels + "]\n";
    }
    if (log.empty()) return;
    const auto reading = read(regex, log);
    if (!reading) RC_FAIL(reading.error().text() + log);
    const Computation& other = reading->computation;
    RC_ASSERT(other.event_count() == c.event_count());
    RC_ASSERT(other.edge_count() == c.edge_count());
    const definition::HappenedBefore before(c), before_other(other);
    const auto in_other = [&](EventIndex e) {
      return other.event(*other.find_process(c.process_name(c.process_of(e))), c.rank_of(e));
    };
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (EventIndex f = 0; f < c.event_count(); ++f) {
        RC_ASSERT(before(e, f) == before_other(in_other(e), in_other(f)));
      }
    }
    ++compared;
  });
  EXPECT_GT(compared, 0);
}

TEST(Text, AnEmptyLogIsAnEmptyTrace) {
  EXPECT_EQ(read("(?<process>a)", "\n\n")->computation.event_count(), 0U);
}

}  // namespace
}  // namespace lightcone
