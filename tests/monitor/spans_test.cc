// Spans come over gRPC and HTTP, as protocol buffers and JSON; event streams over gRPC.
#include "monitor/monitor_process.h"
#include "monitor/shop_trace.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "lightcone_monitor.grpc.pb.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

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
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel(const std::string& words) const {
    return grpc::CreateChannel("127.0.0.1:" + std::to_string(monitor_->port_of(words)),
                               grpc::InsecureChannelCredentials());
  }
  [[nodiscard]] grpc::Status send_by_grpc(const std::string& bytes) const {
    return send_spans_by_grpc(*monitor_, bytes);
  }
  [[nodiscard]] std::string send_by_http(const std::string& body, const std::string& type) const {
    return send_spans_by_http(*monitor_, body, type);
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
