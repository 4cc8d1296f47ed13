// Jaeger's answers, and what is wrong with other texts.
#include <lightcone/trace.h>

#include <gtest/gtest.h>

namespace lightcone {
namespace {

constexpr std::string_view answer = R"({"data":[{"traceID":"01","spans":[
 {"traceID":"01","spanID":"0a","operationName":"GET","references":[],"startTime":100,"duration":50,
  "tags":[{"key":"span.kind","type":"string","value":"client"}],"logs":[],"processID":"p1"},
 {"traceID":"01","spanID":"0b","operationName":"get",
  "references":[{"refType":"CHILD_OF","traceID":"01","spanID":"0a"},
                {"refType":"FOLLOWS_FROM","traceID":"02","spanID":"0c"}],
  "startTime":7,"duration":2,"logs":[{"timestamp":8,"fields":[{"key":"event","value":"late"}]}],
  "tags":[{"key":"span.kind","value":"server"},{"key":"error","type":"bool","value":true},
          {"key":"bytes","type":"int64","value":12}],"processID":"p2","warnings":null}],
 "processes":{"p1":{"serviceName":"shop","tags":[{"key":"hostname","value":"h"}]},
              "p2":{"serviceName":"store","tags":[{"key":"client-uuid","value":"7"}]}}}],
 "total":0,"limit":0,"offset":0,"errors":null})";

std::string jaeger_as_jsonl(std::string_view text) {
  const auto reading = read_trace_text(text, "answer", Format::jaeger);
  if (!reading) return reading.error().text();
  std::string all = write_trace_text(reading->computation, Format::jsonl);
  for (const std::string& note : reading->notes) all += note + "\n";
  return all;
}

TEST(Jaeger, ACallIsARequestAndAResponse) {
  EXPECT_EQ(jaeger_as_jsonl(answer),
            R"({"lightcone": 1, "processes": ["shop", "store/7"]}
{"process": "shop", "kind": "init", "vars": {"service.name": "shop", "hostname": "h", )"
            R"("host.name": "h"}}
{"process": "store/7", "kind": "init", "vars": {"service.name": "store", )"
            R"("client-uuid": "7", "service.instance.id": "7"}}
{"process": "shop", "kind": "send", "message": "request1", "labels": ["GET"], )"
            R"("vars": {"span.kind": "client"}, "time": 0.0001}
{"process": "store/7", "kind": "receive", "message": "request1", "labels": ["get"], )"
            R"("vars": {"span.kind": "server", "error": true, "bytes": 12}, "time": 7e-06}
{"process": "store/7", "kind": "internal", "labels": ["late"], "vars": {"event": "late"}, )"
            R"("time": 8e-06}
{"process": "store/7", "kind": "send", "message": "response2", "labels": ["end get", )"
            R"("error"], "vars": {"span.kind": "server", "error": true, "bytes": 12}, "time": 9e-06}
{"process": "shop", "kind": "receive", "message": "response2", "labels": ["end GET"], )"
            R"("vars": {"span.kind": "client"}, "time": 0.00015}
1 link left out: to spans that this execution does not have
)");
}

TEST(Jaeger, UnknownMembersAreKept) {
  const auto reading = read_trace_text(
      R"({"data":[{"traceID":"1","spans":[{"traceID":"1","spanID":"1","operationName":"a","flags":1,
      "startTime":1,"processID":"p","warnings":["late"],"logs":[{"timestamp":1,"level":"low",
      "fields":[]}]}],"processes":{"p":{"serviceName":"s","zone":{"x":1}}}}]})",
      "answer", Format::jaeger);
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  EXPECT_EQ(c.extra(0), R"("jaeger": {"span": {"flags": 1, "warnings": ["late"]}})");
  EXPECT_EQ(c.extra(1), R"("jaeger": {"log": {"level": "low"}})");
  EXPECT_EQ(c.extra(2), "");
  EXPECT_EQ(c.extra(c.initial_row(0)), R"("jaeger": {"process": {"zone": {"x":1}}})");
}

TEST(Jaeger, ErrorsSayWhatIsMissing) {
  EXPECT_TRUE(jaeger_as_jsonl("{}").starts_with("answer:1: is not an object with a list `data`"));
  EXPECT_TRUE(jaeger_as_jsonl("{\"data\":[{}]}").starts_with("answer:1: a trace has no list"));
  std::string text(answer);
  text.replace(text.find("\"p2\":"), 5, "\"p3\":");
  EXPECT_TRUE(jaeger_as_jsonl(text).starts_with(
      "answer:1: span 000000000000000b: the trace has no process p2"))
      << jaeger_as_jsonl(text);
}

}  // namespace
}  // namespace lightcone
