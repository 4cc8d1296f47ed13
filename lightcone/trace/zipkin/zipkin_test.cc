// Zipkin's spans, and what is wrong with other texts.
#include <lightcone/trace.h>

#include <gtest/gtest.h>

namespace lightcone {
namespace {

std::string zipkin_as_jsonl(std::string_view text, ProcessBy by = ProcessBy::instance) {
  ReadOptions options;
  options.process_by = by;
  const auto reading = read_trace_text(text, "list", Format::zipkin, options);
  if (!reading) return reading.error().text();
  return write_trace_text(reading->computation, Format::jsonl);
}

constexpr std::string_view client =
    R"({"traceId":"0a","id":"01","kind":"CLIENT","name":"get","timestamp":10,"duration":5,
"localEndpoint":{"serviceName":"shop"},"tags":{"service.instance.id":"3","n":"5"}})";
constexpr std::string_view server =
    R"({"traceId":"0a","id":"01","shared":true,"kind":"SERVER","name":"get","timestamp":90,
"duration":1,"localEndpoint":{"serviceName":"store"},"tags":{"error":"no"},
"annotations":[{"timestamp":90,"value":"read"}]})";
constexpr std::string_view inner =
    R"({"traceId":"0a","parentId":"01","id":"02","name":"look","timestamp":90,
"localEndpoint":{"serviceName":"disk"}})";

constexpr std::string_view lines =
    R"({"lightcone": 1, "processes": ["shop/3", "store", "disk"]}
{"process": "shop/3", "kind": "init", "vars": {"service.name": "shop", "service.instance.id": "3"}}
{"process": "store", "kind": "init", "vars": {"service.name": "store"}}
{"process": "disk", "kind": "init", "vars": {"service.name": "disk"}}
{"process": "shop/3", "kind": "send", "message": "request1", "labels": ["get"], )"
    R"("vars": {"service.instance.id": "3", "n": "5"}, "time": 1e-05, )"
    R"("zipkin": {"span": {"kind": "CLIENT"}}}
{"process": "store", "kind": "receive", "message": "request1", "sends": "request2", )"
    R"("labels": ["get"], "vars": {"error": "no"}, "time": 9e-05, )"
    R"("zipkin": {"span": {"shared": true, "kind": "SERVER"}}}
)";

TEST(Zipkin, HalvesOfASpanAreClientAndServer) {
  const std::string text =
      "[" + std::string(client) + "," + std::string(server) + ",\n" + std::string(inner) + "]";
  const std::string read = zipkin_as_jsonl(text);
  EXPECT_TRUE(read.starts_with(lines)) << read;
  EXPECT_NE(read.find("\"message\": \"response2\", \"labels\": [\"end get\", \"error\"]"),
            std::string::npos)
      << read;
  const std::string lists =
      "[[" + std::string(client) + "],[" + std::string(server) + ",\n" + std::string(inner) + "]]";
  EXPECT_EQ(zipkin_as_jsonl(lists), read);
  EXPECT_NE(zipkin_as_jsonl(text, ProcessBy::span).find("store/0000000000000001/server"),
            std::string::npos);
}

TEST(Zipkin, TimesAreTheNearestReals) {
  const std::string read = zipkin_as_jsonl(
      R"([{"traceId":"1","id":"1","name":"a","timestamp":1794940400000101,"duration":800,
      "localEndpoint":{"serviceName":"s"}}])");
  EXPECT_NE(read.find(R"("time": 1794940400.000101})"), std::string::npos) << read;
  EXPECT_NE(read.find(R"("time": 1794940400.000901})"), std::string::npos) << read;
}

TEST(Zipkin, UnknownMembersAreKept) {
  const std::string read = zipkin_as_jsonl(
      R"([{"traceId":"1","id":"1","timestamp":1,"debug":true,"remoteEndpoint":{"port":9},"x":null,
      "localEndpoint":{"serviceName":"s","ipv4":"10.0.0.1"},
      "annotations":[{"timestamp":1,"value":"a","host":"h"}]}])");
  EXPECT_NE(read.find(R"("zipkin": {"span": {"debug": true, "remoteEndpoint": {"port":9}, )"
                      R"("localEndpoint": {"ipv4": "10.0.0.1"}}})"),
            std::string::npos)
      << read;
  EXPECT_NE(read.find(R"("zipkin": {"annotation": {"host": "h"}})"), std::string::npos) << read;
}

TEST(Zipkin, ErrorsSayWhatIsMissing) {
  EXPECT_TRUE(zipkin_as_jsonl("[{}]").starts_with("list:1: `traceId` is not an id"));
  EXPECT_TRUE(
      zipkin_as_jsonl("\n[\n{\"traceId\":\"1\"}]").starts_with("list:3: `id` is not an id"));
  EXPECT_TRUE(zipkin_as_jsonl("[{\"traceId\":\"1\",\"id\":\"1\"}]")
                  .starts_with("list:1: span 0000000000000001 has no `timestamp`"));
  EXPECT_TRUE(zipkin_as_jsonl("[1]").starts_with("list:1: a span is not an object"));
  EXPECT_TRUE(zipkin_as_jsonl("[\n{\"traceId\":\"1\"").starts_with("list:2: the file ends in the"));
}

}  // namespace
}  // namespace lightcone
