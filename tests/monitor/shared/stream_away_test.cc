// While the stream is away, exporters of spans are told to send them again.
#include "monitor/monitor_process.h"
#include "monitor/shared/nats_server.h"
#include "monitor/shop_trace.h"

#include <gtest/gtest.h>

#include <fstream>
#include <future>

#include "temporary_folder.h"

namespace lightcone {
namespace {

TEST(StreamThatIsAway, SpansAreToBeSentAgain) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "nats-server is not installed";
  const TemporaryFolder folder;
  NatsServer server(folder.path());
  const std::string rules = folder.path() + "/rules.prop";
  std::ofstream(rules) << shop_rules;
  MonitorProcess monitor(folder.path(), {rules, "--json", "--nats", server.url(), "--listen",
                                         "127.0.0.1:0", "--otlp", "127.0.0.1:0"});
  ASSERT_NE(monitor.port(), 0) << monitor.errors();
  EXPECT_TRUE(send_spans_by_grpc(monitor, ShopTrace{'a', true}.request()).ok());
  server.kill();
  auto called = std::async(std::launch::async, [&] {
    return send_spans_by_grpc(monitor, ShopTrace{'b', true}.request()).error_code();
  });
  EXPECT_EQ(send_spans_by_http(monitor, ShopTrace{'c', true}.json(), "application/json"),
            "HTTP/1.1 503 Service Unavailable\r");
  EXPECT_EQ(called.get(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace lightcone
