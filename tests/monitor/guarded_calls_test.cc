// Calls of gRPC and requests over HTTP without a token, too large, or by clients that are slow.
#include "monitor/monitor_process.h"
#include "monitor/shop_trace.h"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "lightcone_monitor.grpc.pb.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

class GuardedCalls : public testing::Test {
 protected:
  void start(std::vector<std::string> more) {
    const std::string rules = folder_.path() + "/rules.prop", tokens = folder_.path() + "/tokens";
    std::ofstream(rules) << shop_rules;
    std::ofstream(tokens) << "0123456789abcdef alice\nfedcba9876543210 bob\n";
    ::chmod(tokens.c_str(), 0600);
    more.insert(more.begin(), {rules, "--json", "--listen", "127.0.0.1:0", "--grpc", "127.0.0.1:0",
                               "--otlp", "127.0.0.1:0"});
    if (more.back() == "--tokens") more.push_back(tokens);
    monitor_ = std::make_unique<MonitorProcess>(folder_.path(), more);
    ASSERT_NE(monitor_->port(), 0) << monitor_->errors();
  }
  [[nodiscard]] std::unique_ptr<v1::Monitor::Stub> stub() const {
    return v1::Monitor::NewStub(
        grpc::CreateChannel("127.0.0.1:" + std::to_string(monitor_->port_of("event streams")),
                            grpc::InsecureChannelCredentials()));
  }
  static void identify(grpc::ClientContext& context, const std::string& token) {
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  }
  /// Reports one event; returns how the stream ended.
  [[nodiscard]] grpc::Status report(const std::string& token, const std::string& lines) const {
    const auto channel = stub();
    grpc::ClientContext context;
    identify(context, token);
    const auto stream = channel->Report(&context);
    v1::EventBatch batch;
    batch.set_lines(lines);
    v1::EventAnswer answer;
    // What is refused is noticed at the next batch.
    for (int i = 0; i < 200 && stream->Write(batch); ++i) {
      batch.clear_lines();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    stream->WritesDone();
    while (stream->Read(&answer)) {
    }
    return stream->Finish();
  }
  [[nodiscard]] grpc::StatusCode send_spans(const std::string& token,
                                            std::size_t padding = 0) const {
    using namespace opentelemetry::proto::collector::trace::v1;
    const auto channel = TraceService::NewStub(
        grpc::CreateChannel("127.0.0.1:" + std::to_string(monitor_->port_of("spans over gRPC")),
                            grpc::InsecureChannelCredentials()));
    ExportTraceServiceRequest request;
    // A field that nobody knows.
    const std::string bytes =
        ShopTrace().request() + ProtoText().bytes(99, std::string(padding, 'x')).text();
    EXPECT_TRUE(request.ParseFromString(bytes));
    ExportTraceServiceResponse response;
    grpc::ClientContext context;
    identify(context, token);
    return channel->Export(&context, request, &response).error_code();
  }
  [[nodiscard]] std::string post_spans(const std::string& headers, std::size_t size) const {
    LineClient client(monitor_->port_of("spans over HTTP"));
    std::string body = ShopTrace().json();
    if (size > body.size()) body.append(size - body.size(), ' ');
    client.send(
        "POST /v1/traces HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n");
    client.send(body);
    return client.line(15'000);
  }

  TemporaryFolder folder_;
  std::unique_ptr<MonitorProcess> monitor_;
};

constexpr const char* charge =
    "{\"process\": \"p1\", \"kind\": \"internal\", \"labels\": [\"charge\"]}\n";

TEST_F(GuardedCalls, NeedATokenThatIsKnown) {
  start({"--tokens"});
  for (const char* token : {"", "0123456789abcdeF"}) {
    EXPECT_EQ(report(token, charge).error_code(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(send_spans(token), grpc::StatusCode::UNAUTHENTICATED);
    const std::string header =
        *token == 0 ? std::string() : "Authorization: Bearer " + std::string(token) + "\r\n";
    EXPECT_EQ(post_spans(header, 0), "HTTP/1.1 401 Unauthorized\r");
  }
  EXPECT_EQ(monitor_->output(), "");
  EXPECT_TRUE(report("0123456789abcdef", charge).ok());
  EXPECT_EQ(send_spans("0123456789abcdef"), grpc::StatusCode::OK);
  EXPECT_EQ(post_spans("Authorization: Bearer fedcba9876543210\r\n", 0), "HTTP/1.1 200 OK\r");
  const auto other = report("fedcba9876543210", charge);
  EXPECT_EQ(other.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(other.error_message(),
            "client `bob` speaks for process `p1`, which is of client `alice`");
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

TEST_F(GuardedCalls, ThatAreTooLargeAreRefused) {
  start({});
  EXPECT_EQ(send_spans("", std::size_t{20} << 20), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(post_spans("", std::size_t{20} << 20), "HTTP/1.1 413 Payload Too Large\r");
  EXPECT_NE(report("", std::string(2 << 20, 'x')).error_message().find("more than"),
            std::string::npos);
  EXPECT_EQ(send_spans(""), grpc::StatusCode::OK);
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

/// A body in chunks does not say how large it is.
TEST_F(GuardedCalls, BodiesInChunksHaveALimit) {
  start({"--http", "127.0.0.1:0", "--tokens"});
  const auto memory = [&] {
    const std::string text =
        web_get(monitor_->web_port(), "/metrics", "Authorization: Bearer 0123456789abcdef\r\n");
    const std::string name = "\nlightcone_memory_bytes ";
    const std::size_t at = text.find(name);
    return at == std::string::npos ? 0.0 : std::stod(text.substr(at + name.size()));
  };
  const auto send_chunks = [&](std::uint16_t port, const std::string& heading) {
    LineClient client(port);
    client.send("POST " + heading +
                "Host: localhost\r\nContent-Type: application/json\r\n"
                "Transfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "100000\r\n" + std::string(1 << 20, ' ') + "\r\n";
    for (int i = 0; i < 64 && client.send(chunk); ++i) {
    }
    client.send("0\r\n\r\n");
    return client.line(15'000);
  };
  const double before = memory();
  ASSERT_GT(before, 0.0);
  EXPECT_EQ(send_chunks(monitor_->web_port(), "/healthz HTTP/1.1\r\n"),
            "HTTP/1.1 401 Unauthorized\r");
  EXPECT_LT(memory(), before + (8 << 20));
  const std::string token = "HTTP/1.1\r\nAuthorization: Bearer 0123456789abcdef\r\n";
  EXPECT_EQ(send_chunks(monitor_->web_port(), "/healthz " + token), "HTTP/1.1 404 Not Found\r");
  EXPECT_EQ(send_chunks(monitor_->port_of("spans over HTTP"), "/v1/traces " + token),
            "HTTP/1.1 413 Payload Too Large\r");
  EXPECT_LT(memory(), before + (48 << 20));
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

/// Those of usual size are taken.
TEST_F(GuardedCalls, BodiesInChunksAreTaken) {
  start({});
  LineClient client(monitor_->port_of("spans over HTTP"));
  const std::string body = ShopTrace().json();
  client.send(
      "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  client.send(fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body));
  EXPECT_EQ(client.line(15'000), "HTTP/1.1 200 OK\r");
}

TEST_F(GuardedCalls, StreamsHaveALimitOfNumberAndRate) {
  start({"--clients", "2", "--rate", "100000"});
  const auto channel = stub();
  grpc::ClientContext first, second;
  const auto one = channel->Report(&first), two = channel->Report(&second);
  v1::EventBatch batch;
  batch.set_lines("{\"lightcone\": 1, \"answers\": true}\n" + std::string(charge));
  v1::EventAnswer answer;
  for (const auto& stream : {one.get(), two.get()}) {
    EXPECT_TRUE(stream->Write(batch));
    EXPECT_TRUE(stream->Read(&answer));
  }
  EXPECT_EQ(report("", charge).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  first.TryCancel();
  static_cast<void>(one->Finish());
  // The monitor notices somewhat later that it is gone.
  for (int i = 0; i < 100 && !report("", charge).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const auto begin = std::chrono::steady_clock::now();
  std::string lines;
  while (lines.size() < 200'000) lines += charge;
  EXPECT_TRUE(report("", lines).ok());
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  second.TryCancel();
  static_cast<void>(two->Finish());
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

/// Clients that say nothing, half a line, or never read their answers.
TEST_F(GuardedCalls, OfSlowClientsHoldNobodyUp) {
  start({});
  const LineClient silent(monitor_->port()), half(monitor_->port()), deaf(monitor_->port());
  half.send("{\"process\": \"half\", \"ki");
  deaf.send("{\"lightcone\": 1, \"answers\": true}\n");
  const auto channel = stub();
  grpc::ClientContext context;
  const auto stream = channel->Report(&context);
  v1::EventBatch batch;
  batch.set_lines("{\"lightcone\": 1, \"answers\": true}\n");
  EXPECT_TRUE(stream->Write(batch));
  // Names are long, so that few answers fill what the network holds.
  const std::string name(1000, 'n');
  std::string line = "{\"process\": \"" + name + "\", \"kind\": \"internal\"}\n";
  batch.set_lines(line);
  LineClient other(monitor_->port());
  other.send("{\"lightcone\": 1, \"answers\": true, \"execution\": \"other\"}\n");
  line.replace(line.find('n'), 1, "m");
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(stream->Write(batch));
    deaf.send(line);
    if (i % 100 != 0) continue;
    other.send(charge);
    EXPECT_EQ(other.line(10'000),
              "{\"execution\":\"other\",\"stored\":{\"p1\":" + std::to_string(i / 100 + 1) + "}}");
  }
  context.TryCancel();
  static_cast<void>(stream->Finish());
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

}  // namespace
}  // namespace lightcone
