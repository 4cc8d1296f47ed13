// Traces of spans of a shop and its bank, and clients that send them.
#pragma once

#include "monitor/monitor_process.h"

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace_service.grpc.pb.h"

namespace lightcone {

inline constexpr const char* shop_rules =
    "require authorised : every longest flow at charge contains authorise\n";

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

[[nodiscard]] inline grpc::Status send_spans_by_grpc(const MonitorProcess& monitor,
                                                     const std::string& bytes) {
  using namespace opentelemetry::proto::collector::trace::v1;
  const auto stub = TraceService::NewStub(
      grpc::CreateChannel("127.0.0.1:" + std::to_string(monitor.port_of("spans over gRPC")),
                          grpc::InsecureChannelCredentials()));
  ExportTraceServiceRequest request;
  if (!request.ParseFromString(bytes)) return {grpc::StatusCode::INTERNAL, "not sent"};
  ExportTraceServiceResponse response;
  grpc::ClientContext context;
  return stub->Export(&context, request, &response);
}

/// Returns the first line of the answer.
[[nodiscard]] inline std::string send_spans_by_http(const MonitorProcess& monitor,
                                                    const std::string& body,
                                                    const std::string& type) {
  LineClient client(monitor.port_of("spans over HTTP"));
  client.send("POST /v1/traces HTTP/1.0\r\nHost: localhost\r\nContent-Type: " + type +
              "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  return client.line(15'000);
}

}  // namespace lightcone
