// What lies between a monitor and others: networks that stall, clients that send too fast,
// receivers of verdicts that are gone for a while, and streams of gRPC.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"
#include "monitor/monitor_process.h"
#include "monitor/ring_trace.h"
#include "monitor/shuffled_lines.h"
#include "monitor/stalling_proxy.h"
#include "monitor/told_verdicts.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/monitor.h>
#include <lightcone/trace.h>

#include <fstream>
#include <mutex>

#include "lightcone_monitor.grpc.pb.h"
#include "monitor_service.h"
#include "rpc/rpc_server.h"
#include "serve/web_server.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

class MonitorInANetwork : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(props()) << ring_rules; }
  [[nodiscard]] std::string props() const { return folder_.path() + "/rules.prop"; }
  [[nodiscard]] std::unique_ptr<MonitorProcess> start(std::vector<std::string> more) const {
    more.insert(more.begin(), {props(), "--json", "--listen", "127.0.0.1:0"});
    return std::make_unique<MonitorProcess>(folder_.path(), more);
  }
  static void end_execution(const MonitorProcess& monitor, const std::string& execution) {
    LineClient last(monitor.port());
    last.send("{\"lightcone\": 1, \"execution\": \"" + execution + "\", \"end\": true}\n");
    last.finish();
    while (!last.line(10'000).empty()) {
    }
  }

  TemporaryFolder folder_;
};

TEST_F(MonitorInANetwork, ThatStallsAndBreaksDecidesEachEventOnce) {
  const std::string state = folder_.path() + "/state";
  const auto monitor = start({"--state", state});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  const RingTrace trace(1500, 3);
  {
    const StallingProxy proxy(monitor->port(), 17);
    const std::atomic<int> port = proxy.port();
    const std::atomic<bool> gives_up = false;
    std::vector<std::thread> clients;
    for (std::size_t p = 0; p < 3; ++p) {
      clients.emplace_back([&, p] { StubbornClient(trace, p, port).run(gives_up); });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_GT(proxy.stalls(), 0);
    EXPECT_GT(proxy.cuts(), 0);
  }
  end_execution(*monitor, "ring");
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
  ToldVerdicts told;
  std::ifstream file(state + "/verdicts.jsonl");
  for (std::string line; std::getline(file, line);) told.add(line);
  const ToldVerdicts expected = expected_of_ring(trace);
  EXPECT_EQ(told.trouble, "");
  EXPECT_EQ(told.finals, expected.finals);
  EXPECT_EQ(told.places, expected.places);
}

TEST_F(MonitorInANetwork, AClientThatSendsTooFastHasToWaitAndOthersDoNot) {
  const auto monitor = start({"--rate", "50000"});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  const auto lines_of = [](const std::string& process, int count) {
    std::string lines =
        "{\"lightcone\": 1, \"answers\": true, \"process\": \"" + process + "\", \"from\": 1}\n";
    for (int i = 0; i < count; ++i) {
      lines += "{\"process\": \"" + process + "\", \"kind\": \"internal\", \"labels\": [\"x\"]}\n";
    }
    return lines;
  };
  const auto seconds_until_stored = [&](const std::string& process, int count) {
    const auto begin = std::chrono::steady_clock::now();
    LineClient client(monitor->port());
    const std::string lines = lines_of(process, count);
    for (std::size_t at = 0; at < lines.size(); at += 4000) client.send(lines.substr(at, 4000));
    const std::string all = "\"" + process + "\":" + std::to_string(count) + "}";
    while (client.is_connected() && client.line(10'000).find(all) == std::string::npos) {
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  double slow = 0;
  std::thread greedy([&] { slow = seconds_until_stored("greedy", 3000); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double quick = seconds_until_stored("modest", 20);
  greedy.join();
  const double fair = static_cast<double>(lines_of("greedy", 3000).size()) / 50'000;
  EXPECT_GT(slow, 0.5 * fair);
  EXPECT_LT(quick, 0.4 * fair);
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
}

/// Takes verdicts by POST, or refuses them.
class VerdictReceiver {
 public:
  VerdictReceiver() : server_(service::WebServerOptions{{.port = 0}}) {
    server_.on_post("/verdicts", [this](const service::WebRequest& request) {
      const std::lock_guard lock(mutex_);
      if (refusals_ > 0) {
        --refusals_;
        return service::WebAnswer{503, "text/plain", "later\n"};
      }
      std::istringstream lines(request.body);
      for (std::string line; std::getline(lines, line);) told_.add(line);
      return service::WebAnswer{200, "text/plain", ""};
    });
  }
  [[nodiscard]] bool start() { return server_.start().has_value(); }
  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(server_.address().port) + "/verdicts";
  }
  void refuse(int times) {
    const std::lock_guard lock(mutex_);
    refusals_ = times;
  }
  [[nodiscard]] ToldVerdicts told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }

 private:
  service::WebServer server_;
  mutable std::mutex mutex_;
  int refusals_ = 0;
  ToldVerdicts told_;
};

TEST_F(MonitorInANetwork, VerdictsArePostedInOrderAlsoAfterRefusals) {
  VerdictReceiver receiver;
  ASSERT_TRUE(receiver.start());
  receiver.refuse(2);
  const auto monitor = start({"--post", receiver.url()});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  const RingTrace trace(300, 5);
  const std::atomic<int> port = monitor->port();
  const std::atomic<bool> gives_up = false;
  for (std::size_t p = 0; p < 3; ++p) StubbornClient(trace, p, port).run(gives_up);
  end_execution(*monitor, "ring");
  for (int i = 0; i < 1000 && receiver.told().finals.size() < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const ToldVerdicts told = receiver.told(), expected = expected_of_ring(trace);
  EXPECT_EQ(told.trouble, "");
  EXPECT_EQ(told.finals, expected.finals);
  EXPECT_EQ(told.places, expected.places);
  EXPECT_NE(monitor->errors().find("status 503; this is tried again"), std::string::npos);
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
}

TEST_F(MonitorInANetwork, AReceiverThatNeverComesHoldsNobodyUp) {
  const auto monitor = start({"--post", "http://127.0.0.1:1/verdicts"});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  LineClient client(monitor->port());
  client.send("{\"lightcone\": 1, \"answers\": true}\n");
  for (const char* label : {"write", "read"}) {
    client.send(std::string(R"({"process": "p", "kind": "internal", "labels": [")") + label +
                "\"]}\n");
  }
  EXPECT_NE(client.line(5000), "");
  EXPECT_EQ(monitor->end(), 0);
  EXPECT_NE(monitor->output().find("\"stale\""), std::string::npos) << monitor->output();
  EXPECT_NE(monitor->errors().find("could not be sent to"), std::string::npos);
}

/// Sends bytes in a stream of gRPC, in batches of any size; returns how it ended.
[[nodiscard]] grpc::Status stream_to(const service::RpcServer& server, const std::string& text,
                                     std::mt19937_64& random) {
  const auto stub = v1::Monitor::NewStub(grpc::CreateChannel(
      "127.0.0.1:" + std::to_string(server.address().port), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  const auto stream = stub->Report(&context);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = 1 + random() % 200;
    v1::EventBatch batch;
    batch.set_lines(text.substr(at, size));
    if (!stream->Write(batch)) break;
    at += size;
  }
  stream->WritesDone();
  v1::EventAnswer answer;
  while (stream->Read(&answer)) {
  }
  return stream->Finish();
}

/// What is told of lines that come in a stream of gRPC.
[[nodiscard]] ToldVerdicts told_of_stream(const ShuffledLines& lines, const Properties& properties,
                                          std::mt19937_64& random) {
  ToldVerdicts told;
  service::ServiceOptions options;
  options.show = [&](const service::VerdictLog::Line& line) { told.add(line.json); };
  options.note = [](const std::string&) {};
  auto service = service::MonitorService::start(PropertyFile(properties), options);
  if (!service) RC_FAIL(service.error().text());
  {
    auto server = service::RpcServer::start(**service, {.address = {.port = 0}});
    if (!server) RC_FAIL(server.error().text());
    const std::string heading = "{\"lightcone\": 1, \"execution\": \"run\", \"answers\": true}\n";
    const grpc::Status status = stream_to(**server, heading + lines.sent(), random);
    if (!status.ok()) RC_FAIL(status.error_message());
  }
  RC_ASSERT((*service)->stop(true).has_value());
  return told;
}

TEST(MonitorAgreement, TellsTheRecordedRunOfAStreamOverGrpc) {
  std::size_t places = 0;
  arbitrary::for_all_computations("streams over gRPC", 60, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto text = arbitrary::random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    if (!properties || !Monitor::can_check(PropertyFile(*properties))) return;
    const ShuffledLines lines(c, random);
    const ToldVerdicts told = told_of_stream(lines, *properties, random);
    expect_agreement(told, *properties, lines);
    for (const auto& [property, found] : told.places) places += found.size();
  });
  EXPECT_GT(places, 100U / arbitrary::one_in);
}

TEST(MonitorAgreement, TellsTheGlobalPropertiesOfAStreamOverGrpc) {
  std::size_t found = 0;
  arbitrary::for_all_globals("globals over gRPC", 60,
                             [&](const Computation& c, const Properties& properties) {
                               std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
                               const ShuffledLines lines(c, random);
                               const ToldVerdicts told = told_of_stream(lines, properties, random);
                               expect_agreement(told, properties, lines);
                               for (const auto& [property, verdict] : told.finals)
                                 found += verdict.ends_with(" 1") ? 1 : 0;
                             });
  EXPECT_GT(found, 20U / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
