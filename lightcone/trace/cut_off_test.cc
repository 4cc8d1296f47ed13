// Files of text formats that end anywhere, as a program or a collector that is killed leaves them.
#include <lightcone/executions.h>
#include <lightcone/trace.h>

#include <gtest/gtest.h>

#include <string>

namespace lightcone {
namespace {

/// Processes that take turns, so that each event depends on the one before it.
[[nodiscard]] Computation turns(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    const std::string name = i % 2 == 0 ? "ping" : "pong", sent = "m" + std::to_string(i);
    lines += R"({"process": ")" + name + "\", ";
    lines += i == 0 ? R"("kind": "send", "message": ")" + sent + "\"}\n"
                    : R"("kind": "receive", "message": "m)" + std::to_string(i - 1) +
                          R"(", "sends": ")" + sent + "\"}\n";
  }
  auto reading = read_trace_text(lines, "turns", Format::jsonl);
  EXPECT_TRUE(reading) << reading.error().text();
  return std::move(reading->computation);
}

[[nodiscard]] ReadOptions cut_off() {
  ReadOptions options;
  options.cut_off = true;
  return options;
}

TEST(CutOff, FilesAreReadUpToTheirLastWholeEvent) {
  const Computation all = turns(12);
  for (const Format format : {Format::jsonl, Format::shiviz, Format::clocks, Format::otlp}) {
    const std::string text = write_trace_text(all, format);
    EventIndex before = 0;
    bool has_begun = false;  // before that, the text has no event
    for (std::size_t size = 1; size <= text.size(); ++size) {
      const auto reading = read_trace_text(text.substr(0, size), "cut", format, cut_off());
      ASSERT_TRUE(reading || !has_begun) << name_of(format) << ' ' << reading.error().text() << '\n'
                                         << text.substr(0, size);
      if (!reading) continue;
      const EventIndex events = reading->computation.event_count();
      ASSERT_GE(events, before) << name_of(format);
      before = events;
      has_begun = events > 0;
    }
    EXPECT_EQ(before, read_trace_text(text, "whole", format)->computation.event_count());
    EXPECT_GE(before, all.event_count()) << name_of(format);
  }
}

constexpr std::string_view spans =
    R"([{"traceId":"1","id":"1","name":"a","timestamp":1,"duration":8,
"localEndpoint":{"serviceName":"s"}},
{"traceId":"2","id":"2","name":"b","timestamp":1,"duration":8,
"localEndpoint":{"serviceName":"s"}}])";

TEST(CutOff, WholeSpansAreReadAndTheOthersAreNamed) {
  const std::string_view torn = spans.substr(0, spans.size() - 20);
  const auto refused = read_executions_text(torn, "torn", Format::zipkin, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("--cut-off"), std::string::npos) << refused.error().text();
  const auto read = read_executions_text(torn, "torn", Format::zipkin, cut_off());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->size(), 1U);
  ASSERT_EQ(read->notes().size(), 1U);
  EXPECT_EQ(read->notes()[0], "the last value is cut off and left out");
  EXPECT_EQ(read_executions_text(spans, "whole", Format::zipkin, cut_off())->size(), 2U);
}

/// `42` may be the beginning of `42000`.
TEST(CutOff, ALastLineOfATextLogIsNotGuessed) {
  ReadOptions options = cut_off();
  options.regex = R"(^(?<process>\w+) (?<label>\w+) x=(?<x>\d+)$)";
  const auto reading = read_trace_text("a boot x=1\na charge x=42", "log", Format::text, options);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), 1U);
  ASSERT_FALSE(reading->notes.empty());
  EXPECT_EQ(reading->notes[0], "line 2, the last one, is cut off and left out");
  options.cut_off = false;
  EXPECT_EQ(read_trace_text("a boot x=1\na charge x=42", "log", Format::text, options)
                ->computation.event_count(),
            2U);
}

}  // namespace
}  // namespace lightcone
