// OTLP JSON as exporters write it, and what is wrong with other texts.
#include <lightcone/executions.h>
#include <lightcone/trace.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lightcone {
namespace {

constexpr std::string_view call = R"({"resourceSpans":[
 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},
                            {"key":"service.instance.id","value":{"stringValue":"1"}}]},
  "scopeSpans":[{"scope":{"name":"http"},"spans":[
   {"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"EEE19B7EC3C1B173","name":"POST","kind":3,
    "startTimeUnixNano":"1544712660000000001","endTimeUnixNano":"1544712661000000001",
    "attributes":[{"key":"url","value":{"stringValue":"/charge"}}]}]}]},
 {"scopeSpans":[{"spans":[
   {"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174",
    "parentSpanId":"eee19b7ec3c1b173","name":"charge","kind":"SPAN_KIND_SERVER",
    "startTimeUnixNano":7,"endTimeUnixNano":9.0,"status":{"code":2},
    "events":[{"timeUnixNano":"8","name":"exception"}]}]}],
  "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"ledger"}}]}}]})";

std::string jsonl(std::string_view text, const ReadOptions& options = {}) {
  const auto reading = read_trace_text(text, "spans", Format::otlp, options);
  if (!reading) return reading.error().text();
  std::string all = write_trace_text(reading->computation, Format::jsonl);
  for (const std::string& note : reading->notes) all += note + "\n";
  return all;
}

TEST(Otlp, ACallIsARequestAndAResponse) {
  EXPECT_EQ(jsonl(call),
            R"({"lightcone": 1, "processes": ["shop/1", "ledger"]}
{"process": "shop/1", "kind": "init", "vars": {"service.name": "shop", "service.instance.id": "1"}}
{"process": "ledger", "kind": "init", "vars": {"service.name": "ledger"}}
{"process": "shop/1", "kind": "send", "message": "request1", "labels": ["POST"], )"
            R"("vars": {"url": "/charge"}, "time": 1544712660.0, )"
            R"("otlp": {"span": {"kind": 3}, "scopeSpans": {"scope": {"name":"http"}}}}
{"process": "ledger", "kind": "receive", "message": "request1", "labels": ["charge"], )"
            R"("time": 7e-09, "otlp": {"span": {"kind": 2}}}
{"process": "ledger", "kind": "internal", "labels": ["exception"], "time": 8e-09}
{"process": "ledger", "kind": "send", "message": "response2", "labels": ["end charge", )"
            R"("error"], "time": 9e-09, "otlp": {"span": {"status": {"code":2}}}}
{"process": "shop/1", "kind": "receive", "message": "response2", "labels": ["end POST"], )"
            R"("vars": {"url": "/charge"}, "time": 1544712661.0}
)");
}

TEST(Otlp, DocumentsMayStandOnLines) {
  std::string line(call);
  std::erase(line, '\n');
  EXPECT_EQ(jsonl(line), jsonl(call));
  EXPECT_EQ(jsonl(line + "\n{\"resourceMetrics\":[]}\n{}\n"),
            jsonl(call) + "1 document without spans passed over\n");
}

/// Each span has a name and a text of its own, and they stay together over all pieces of a text
/// that is read piece by piece, by several threads.
TEST(Otlp, ManySpansKeepTheirNames) {
  constexpr std::size_t lines = 160, spans_of_line = 1000;
  std::string text;
  for (std::size_t i = 0; i < lines * spans_of_line; ++i) {
    const bool begins = i % spans_of_line == 0;
    text += begins ? R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" : ",";
    text += fmt::format(R"({{"traceId":"1","spanId":"{:x}","name":"name of {}",)"
                        R"("startTimeUnixNano":{},"attributes":[)"
                        R"({{"key":"text","value":{{"stringValue":"text of {}"}}}}]}})",
                        i + 1, i, i + 1, i);
    if (i % spans_of_line == spans_of_line - 1) text += "]}]}]}\n";
  }
  const auto reading = read_trace_text(text, "spans", Format::otlp);
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  ASSERT_EQ(c.event_count(), 2 * lines * spans_of_line);
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    const std::size_t span = e / 2;  // each ends when it begins
    ASSERT_EQ(c.labels(e).size(), 1U);
    ASSERT_EQ(c.names()[c.labels(e)[0]],
              fmt::format("{}name of {}", e % 2 == 0 ? "" : "end ", span));
    ASSERT_EQ(c.assignments(e).size(), 1U);
    ASSERT_EQ(c.names()[std::get<NameIndex>(c.assignments(e)[0].value)],
              fmt::format("text of {}", span));
  }
}

TEST(Otlp, AttributesHaveAllKindsOfValues) {
  const auto reading = read_trace_text(
      R"({"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"1","span_id":"2","name":"a",
      "start_time_unix_nano":1,"end_time_unix_nano":2,"attributes":[
      {"key":"s","value":{"stringValue":"x"}},{"key":"i","value":{"intValue":"-5"}},
      {"key":"j","value":{"intValue":6}},{"key":"d","value":{"doubleValue":0.5}},
      {"key":"n","value":{"doubleValue":"-Infinity"}},{"key":"b","value":{"boolValue":true}},
      {"key":"l","value":{"arrayValue":{"values":[{"stringValue":"x"},{"intValue":"1"},{}]}}},
      {"key":"m","value":{"kvlistValue":{"values":[{"key":"k","value":{"boolValue":false}}]}}},
      {"key":"y","value":{"bytesValue":"AAE="}},{"key":"e","value":{}},
      {"key":"v","value":{"arrayValue":{}}},{"key":"w","value":{"kvlistValue":3}}]}]}]}]})",
      "values", Format::otlp);
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  std::map<std::string, Value> values;
  for (const Assignment& a : c.assignments(0)) values[std::string(c.names()[a.variable])] = a.value;
  const auto text = [&](const char* name) {
    return std::string(c.names()[std::get<NameIndex>(values.at(name))]);
  };
  EXPECT_EQ(values.size(), 11U);
  EXPECT_EQ(text("v"), "[]");
  EXPECT_EQ(text("w"), "{}");
  EXPECT_EQ(text("s"), "x");
  EXPECT_EQ(values.at("i"), Value(std::int64_t{-5}));
  EXPECT_EQ(values.at("j"), Value(std::int64_t{6}));
  EXPECT_EQ(values.at("d"), Value(0.5));
  EXPECT_EQ(values.at("n"), Value(-INFINITY));
  EXPECT_EQ(values.at("b"), Value(true));
  EXPECT_EQ(text("l"), R"(["x",1,null])");
  EXPECT_EQ(text("m"), R"({"k":false})");
  EXPECT_EQ(text("y"), "AAE=");
}

TEST(Otlp, ErrorsNameTheLineAndTheMember) {
  const auto span = [](const std::string& members) {
    return "\n{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{" + members + "}]}]}]}";
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {span(""), "a span has no `traceId`"},
      {span(R"("traceId":"xyz")"), "`traceId` is not an id of at most 32 hexadecimal digits"},
      {span(R"("traceId":"1")"), "a span has no `spanId`, or one of zeros"},
      {span(R"("traceId":"1","spanId":"00")"), "a span has no `spanId`, or one of zeros"},
      {span(R"("traceId":"1","spanId":"2")"), "span 0000000000000002 has no `startTimeUnixNano`"},
      {span(R"("traceId":"1","spanId":"2","startTimeUnixNano":-1)"),
       "`startTimeUnixNano` is not a number of nanoseconds"},
      {span(R"("kind":9)"), "`kind` is not a kind of span"},
      {span(R"("attributes":[{"key":1}])"), "an attribute has no `key` that is a string"},
      {span(R"("attributes":[{"key":"a","value":{"intValue":"x"}}])"),
       "attribute a: `intValue` has a value of another type"},
      {span(R"("attributes":[{"key":"a","value":{"intValue":"99999999999999999999"}}])"),
       "attribute a: `intValue` has a value of another type"},
      {span(R"("events":3)"), "`events` is not a list"},
      {"\n{\"spans\":[]}", "has no `resourceSpans`"},
      {"\n{\"resourceSpans\":[{\"a\" 1}]}", "is not JSON"},
  };
  for (const auto& [text, what] : cases) {
    const std::string error = jsonl(text);
    EXPECT_TRUE(error.starts_with("spans:2: " + what)) << error;
  }
}

TEST(Otlp, OneOfSeveralExecutionsIsChosen) {
  const std::string text =
      R"({"resourceSpans":[{"scopeSpans":[{"spans":[
      {"traceId":"a1","spanId":"1","name":"x","startTimeUnixNano":1,"endTimeUnixNano":2},
      {"traceId":"b2","spanId":"1","name":"y","startTimeUnixNano":1,"endTimeUnixNano":2}]}]}]})";
  EXPECT_EQ(jsonl(text),
            "spans: holds 2 executions, the first of them 000000000000000000000000000000a1\n"
            "  choose one with --execution ID; `lightcone info` lists them");
  ReadOptions options;
  options.execution = "b2";
  EXPECT_NE(jsonl(text, options).find("\"labels\": [\"y\"]"), std::string::npos);
  options.execution = "c3";
  EXPECT_TRUE(jsonl(text, options).starts_with("spans: has no execution c3"));
  const auto executions = read_executions_text(text, "spans", Format::otlp);
  ASSERT_TRUE(executions);
  EXPECT_EQ(executions->size(), 2U);
  EXPECT_EQ(executions->id(1), "000000000000000000000000000000b2");
  EXPECT_EQ(executions->find("0a1"), 0U);
  EXPECT_EQ(executions->find(std::string(30, '0') + "B"), 1U);
  EXPECT_EQ(executions->find("00000"), std::nullopt);  // both begin so
  EXPECT_EQ(executions->read(1)->computation.event_count(), 2U);
}

TEST(Otlp, WhatCannotBeIsLeftOutAndCounted) {
  // The client of 1 ends before it calls again, and the server's first answer is later than that.
  const std::string text = R"({"resourceSpans":[
 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]},
  "scopeSpans":[{"spans":[
  {"traceId":"1","spanId":"1","name":"try","kind":3,"startTimeUnixNano":10,"endTimeUnixNano":20},
  {"traceId":"1","spanId":"2","name":"again","kind":3,"startTimeUnixNano":30,"endTimeUnixNano":40,
   "parentSpanId":"99","links":[{"traceId":"2","spanId":"1"}]}]}]},
 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"b"}}]},
  "scopeSpans":[{"spans":[
  {"traceId":"1","spanId":"3","parentSpanId":"1","name":"try","kind":2,"startTimeUnixNano":100,
   "endTimeUnixNano":400},
  {"traceId":"1","spanId":"4","parentSpanId":"2","name":"again","kind":2,"startTimeUnixNano":200,
   "endTimeUnixNano":300},
  {"traceId":"1","spanId":"4","name":"again","startTimeUnixNano":200,"endTimeUnixNano":300}]}]}]})";
  const auto reading = read_trace_text(text, "spans", Format::otlp);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->notes,
            (std::vector<std::string>{
                "1 span whose parent is missing taken as the beginning of something",
                "1 span left out: another one has the same id",
                "1 link left out: to spans that this execution does not have",
                "1 response left out: it came after the client had gone on without it"}));
  EXPECT_EQ(reading->computation.message_count(), 3U);
}

TEST(Otlp, OfRepeatedAttributesTheLastCounts) {
  for (const int others : {0, 100}) {
    std::string attributes = R"({"key":"x","value":{"doubleValue":"NaN"}},)";
    for (int i = 0; i < others; ++i) {
      attributes += R"({"key":"y)" + std::to_string(i) + R"(","value":{"boolValue":true}},)";
    }
    attributes += R"({"key":"x","value":{"intValue":"5"}})";
    const auto reading = read_trace_text(
        R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"1","name":"p",)"
        R"("startTimeUnixNano":10,"endTimeUnixNano":20,"attributes":[)" +
            attributes + "]}]}]}]}",
        "spans", Format::otlp);
    ASSERT_TRUE(reading) << reading.error().text();
    const auto assigned = reading->computation.assignments(0);
    ASSERT_EQ(assigned.size(), static_cast<std::size_t>(others) + 1);
    EXPECT_EQ(assigned.back().value, Value(std::int64_t{5}));
  }
}

TEST(Otlp, ManyRequestsToOneProcessAreOneMessage) {
  const std::string text = R"({"resourceSpans":[
 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]},
  "scopeSpans":[{"spans":[
  {"traceId":"1","spanId":"1","name":"p","startTimeUnixNano":10,"endTimeUnixNano":20}]}]},
 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"b"}}]},
  "scopeSpans":[{"spans":[
  {"traceId":"1","spanId":"2","parentSpanId":"1","name":"x","startTimeUnixNano":1,
   "endTimeUnixNano":2},
  {"traceId":"1","spanId":"3","parentSpanId":"1","name":"y","startTimeUnixNano":3,
   "endTimeUnixNano":4}]}]}]})";
  const auto reading = read_trace_text(text, "spans", Format::otlp);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.message_count(), 1U);
  EXPECT_EQ(reading->computation.edge_count(), 2U);
}

TEST(Otlp, AProcessIsWhatTheUserSays) {
  const std::string text = R"({"resourceSpans":[{"resource":{"attributes":[
  {"key":"service.name","value":{"stringValue":"a"}},
  {"key":"host.name","value":{"stringValue":"h"}},
  {"key":"process.pid","value":{"intValue":"12"}}]},"scopeSpans":[{"spans":[
  {"traceId":"1","spanId":"1","name":"p","startTimeUnixNano":10,"endTimeUnixNano":20,
   "attributes":[{"key":"thread.id","value":{"intValue":"7"}}]}]}]}]})";
  const auto process = [&](ProcessBy by) {
    ReadOptions options;
    options.process_by = by;
    const auto reading = read_trace_text(text, "spans", Format::otlp, options);
    return std::string(reading->computation.process_name(0));
  };
  EXPECT_EQ(process(ProcessBy::service), "a");
  EXPECT_EQ(process(ProcessBy::instance), "a/h:12");
  EXPECT_EQ(process(ProcessBy::thread), "a/h:12/thread 7");
  EXPECT_EQ(process(ProcessBy::span), "a/0000000000000001");
}

/// Times of day have more nanoseconds than a real can tell apart.
TEST(Otlp, TimesOfDayComeBack) {
  const std::string line =
      R"({"process": "p", "kind": "internal", "labels": ["a"], "time": 1794940400.594})";
  const auto first = read_trace_text(line + "\n", "trace", Format::jsonl);
  ASSERT_TRUE(first);
  const std::string spans = write_trace_text(first->computation, Format::otlp);
  EXPECT_NE(spans.find("\"1794940400594000000\""), std::string::npos) << spans;
  const auto second = read_trace_text(spans, "spans", Format::otlp);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->computation.time(0), 1794940400.594);
}

TEST(Otlp, WhatIsWrittenIsReadAgain) {
  const auto reading = read_trace_text(
      R"({"process": "p", "kind": "init", "vars": {"x": 1, "service.name": "q"}}
{"process": "p", "kind": "send", "message": "m", "labels": ["a", "b"], "time": 2.5}
{"process": "r", "kind": "receive", "message": "m", "vars": {"ok": true, "r": {"real": "NaN"}}}
)",
      "trace", Format::jsonl);
  ASSERT_TRUE(reading);
  EXPECT_EQ(write_trace_text(reading->computation, Format::otlp),
            R"({"resourceSpans":[{"resource":{"attributes":[)"
            R"({"key":"service.name","value":{"stringValue":"p"}},)"
            R"({"key":"x","value":{"intValue":"1"}}]},"scopeSpans":[{"spans":[)"
            R"({"traceId":"6c69676874636f6e6500000000000001","spanId":"0000000000000001",)"
            R"("name":"a","kind":1,"startTimeUnixNano":"2500000000",)"
            R"("endTimeUnixNano":"2500000000"}]}]}]})"
            "\n"
            R"({"resourceSpans":[{"resource":{"attributes":[)"
            R"({"key":"service.name","value":{"stringValue":"r"}}]},"scopeSpans":[{"spans":[)"
            R"({"traceId":"6c69676874636f6e6500000000000001","spanId":"0000000000000002",)"
            R"("name":"","kind":1,"startTimeUnixNano":"1","endTimeUnixNano":"1",)"
            R"("attributes":[{"key":"ok","value":{"boolValue":true}},)"
            R"({"key":"r","value":{"doubleValue":"NaN"}}],)"
            R"("links":[{"traceId":"6c69676874636f6e6500000000000001",)"
            R"("spanId":"0000000000000001"}]}]}]}]})"
            "\n");
}

}  // namespace
}  // namespace lightcone
