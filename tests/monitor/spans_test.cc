// Spans come over gRPC and HTTP, as protocol buffers and JSON; event streams over gRPC.
#include "monitor/monitor_process.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "lightcone_monitor.grpc.pb.h"
#include "temporary_folder.h"
#include "trace_service.grpc.pb.h"

namespace lightcone {
namespace {

/// A message of protocol buffers, field by field.
class ProtoText {
 public:
  ProtoText& bytes(std::uint32_t field, std::string_view value) {
    number(field << 3 | 2);
    number(value.size());
    text_ += value;
    return *this;
  }
  ProtoText& natural(std::uint32_t field, std::uint64_t value) {
    number(field << 3);
    number(value);
    return *this;
  }
  ProtoText& fixed(std::uint32_t field, std::uint64_t value) {
    number(field << 3 | 1);
    for (int i = 0; i < 8; ++i) text_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void number(std::uint64_t value) {
    for (; value >= 128; value >>= 7) text_ += static_cast<char>(value | 128);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

/// A trace in which `shop` asks `bank`, which charges; with an authorisation before it or without.
struct ShopTrace {
  char id = 'a';
  bool is_authorised = true;

  [[nodiscard]] std::string trace() const { return std::string(16, id); }
  [[nodiscard]] static std::string span(const std::string& trace, char id, char parent,
                                        std::string_view name, int kind, std::uint64_t start) {
    ProtoText text;
    text.bytes(1, trace).bytes(2, std::string(8, id));
    if (parent != 0) text.bytes(4, std::string(8, parent));
    return text.bytes(5, name)
        .natural(6, static_cast<std::uint64_t>(kind))
        .fixed(7, start)
        .fixed(8, start + 10)
        .text();
  }
  [[nodiscard]] static std::string resource(std::string_view service,
                                            const std::vector<std::string>& spans) {
    const std::string name = ProtoText().bytes(1, service).text();
    const std::string attribute = ProtoText().bytes(1, "service.name").bytes(2, name).text();
    ProtoText scope;
    for (const std::string& span : spans) scope.bytes(2, span);
    return ProtoText()
        .bytes(1, ProtoText().bytes(1, attribute).text())
        .bytes(2, scope.text())
        .text();
  }
  [[nodiscard]] std::string request() const {
    std::vector<std::string> shop;
    if (is_authorised) shop.push_back(span(trace(), '1', 0, "authorise", 1, 100));
    shop.push_back(span(trace(), '2', 0, "pay", 3, 200));
    const auto bank = {span(trace(), '3', '2', "charge", 2, 203)};
    return ProtoText().bytes(1, resource("shop", shop)).bytes(1, resource("bank", bank)).text();
  }
  [[nodiscard]] std::string json() const {
    const auto one = [&](const char* span_id, const char* parent, const char* name, int kind,
                         int start) {
      std::string hex;
      for (const char c : trace())
        hex += "0123456789abcdef"[c >> 4], hex += "0123456789abcdef"[c & 15];
      return "{\"traceId\":\"" + hex + "\",\"spanId\":\"" + span_id + "\"," + parent +
             "\"name\":\"" + name + "\",\"kind\":" + std::to_string(kind) +
             ",\"startTimeUnixNano\":\"" + std::to_string(start) + "\",\"endTimeUnixNano\":\"" +
             std::to_string(start + 10) + "\"}";
    };
    const auto of = [](const std::string& service, const std::string& spans) {
      return "{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":"
             "\"" +
             service + "\"}}]},\"scopeSpans\":[{\"spans\":[" + spans + "]}]}";
    };
    std::string shop;
    if (is_authorised) shop = one("1111111111111111", "", "authorise", 1, 100) + ",";
    shop += one("2222222222222222", "", "pay", 3, 200);
    const std::string bank =
        one("3333333333333333", "\"parentSpanId\":\"2222222222222222\",", "charge", 2, 203);
    return "{\"resourceSpans\":[" + of("shop", shop) + "," + of("bank", bank) + "]}";
  }
  [[nodiscard]] std::string hex() const {
    std::string text;
    for (const char c : trace()) {
      text += "0123456789abcdef"[c >> 4];
      text += "0123456789abcdef"[c & 15];
    }
    return text;
  }
};

class SpansOfClients : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() + "/rules.prop")
        << "require authorised : every longest flow at charge contains authorise\n";
    monitor_ = std::make_unique<MonitorProcess>(
        folder_.path(),
        std::vector<std::string>{folder_.path() + "/rules.prop", "--json", "--quiet", "0.3",
                                 "--otlp", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--listen",
                                 "127.0.0.1:0", "--state", folder_.path() + "/state", "--keep",
                                 folder_.path() + "/kept"});
    ASSERT_NE(monitor_->port(), 0) << monitor_->errors();
  }
  [[nodiscard]] std::uint16_t port_of(const std::string& words) const {
    const std::string said = monitor_->errors();
    const std::size_t end = said.find('\n', said.find(words));
    return static_cast<std::uint16_t>(std::stoi(said.substr(said.rfind(':', end) + 1)));
  }
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel(const std::string& words) const {
    return grpc::CreateChannel("127.0.0.1:" + std::to_string(port_of(words)),
                               grpc::InsecureChannelCredentials());
  }
  [[nodiscard]] grpc::Status send_by_grpc(const std::string& bytes) const {
    using namespace opentelemetry::proto::collector::trace::v1;
    const auto stub = TraceService::NewStub(channel("spans over gRPC"));
    ExportTraceServiceRequest request;
    if (!request.ParseFromString(bytes)) return {grpc::StatusCode::INTERNAL, "not sent"};
    ExportTraceServiceResponse response;
    grpc::ClientContext context;
    return stub->Export(&context, request, &response);
  }
  [[nodiscard]] std::string send_by_http(const std::string& body, const std::string& type) const {
    LineClient client(port_of("spans over HTTP"));
    client.send("POST /v1/traces HTTP/1.0\r\nHost: localhost\r\nContent-Type: " + type +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return client.line(5000);
  }
  [[nodiscard]] bool is_told(const std::string& part) const {
    for (int i = 0; i < 500; ++i) {
      if (monitor_->output().find(part) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  TemporaryFolder folder_;
  std::unique_ptr<MonitorProcess> monitor_;
};

TEST_F(SpansOfClients, ATraceIsDecidedWhenItIsQuiet) {
  const ShopTrace good{'a', true}, bad{'b', false}, json{'c', false}, posted{'d', false};
  EXPECT_TRUE(send_by_grpc(good.request()).ok());
  const auto status = send_by_grpc(bad.request());
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(send_by_http(json.json(), "application/json"), "HTTP/1.1 200 OK\r");
  EXPECT_EQ(send_by_http(posted.request(), "application/x-protobuf"), "HTTP/1.1 200 OK\r");
  for (const ShopTrace& trace : {bad, json, posted}) {
    EXPECT_TRUE(is_told("\"execution\":\"" + trace.hex() + "\",\"at\":{\"process\":\"bank\""))
        << monitor_->output() << monitor_->errors();
  }
  EXPECT_EQ(monitor_->output().find(good.hex()), std::string::npos) << monitor_->output();
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/kept/" + bad.hex() + ".lct"));
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

TEST_F(SpansOfClients, LateSpansDecideAgain) {
  const ShopTrace bad{'e', false};
  EXPECT_TRUE(send_by_grpc(bad.request()).ok());
  EXPECT_TRUE(is_told("\"verdict\":\"fail\",\"execution\":\"" + bad.hex()));
  EXPECT_TRUE(send_by_grpc(bad.request()).ok());  // all of them twice
  const auto late =
      ShopTrace::resource("bank", {ShopTrace::span(bad.trace(), '4', '2', "charge", 2, 206)});
  EXPECT_TRUE(send_by_grpc(ProtoText().bytes(1, late).text()).ok());
  EXPECT_TRUE(is_told("\"again\":true")) << monitor_->output();
}

TEST_F(SpansOfClients, BadSpansAreRefused) {
  EXPECT_EQ(send_by_http("{\"resourceSpans\": 1}", "application/json"),
            "HTTP/1.1 400 Bad Request\r");
  EXPECT_EQ(send_by_http("\x0a\xff\xff", "application/x-protobuf"), "HTTP/1.1 400 Bad Request\r");
  EXPECT_EQ(send_by_http("x", "text/plain"), "HTTP/1.1 415 Unsupported Media Type\r");
  const std::string no_trace = ShopTrace::resource("s", {ProtoText().bytes(2, "12345678").text()});
  const auto status = send_by_grpc(ProtoText().bytes(1, no_trace).text());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
}

TEST_F(SpansOfClients, EventStreamsOverGrpcAreAnswered) {
  const auto stub = v1::Monitor::NewStub(channel("event streams"));
  grpc::ClientContext context;
  const auto stream = stub->Report(&context);
  v1::EventBatch batch;
  batch.set_lines(
      "{\"lightcone\": 1, \"execution\": \"x\", \"answers\": true}\n{\"process\": \"p\", ");
  EXPECT_TRUE(stream->Write(batch));
  batch.set_lines("\"kind\": \"internal\", \"labels\": [\"charge\"]}\n");
  EXPECT_TRUE(stream->Write(batch));
  v1::EventAnswer answer;
  EXPECT_TRUE(stream->Read(&answer));
  EXPECT_EQ(answer.line(), R"({"execution":"x","stored":{"p":1}})");
  EXPECT_TRUE(is_told("\"execution\":\"x\",\"at\":{\"process\":\"p\",\"event\":1}"));
  batch.set_lines("nonsense\n");
  EXPECT_TRUE(stream->Write(batch));
  stream->WritesDone();
  while (stream->Read(&answer)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace lightcone
