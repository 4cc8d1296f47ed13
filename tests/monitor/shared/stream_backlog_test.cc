// A stream that holds more than a monitor should have in memory.
#include "monitor/monitor_process.h"
#include "monitor/shared/nats_server.h"
#include "monitor/shared/streamed_verdicts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "nats/fetch_room.h"
#include "nats/nats_link.h"
#include "nats/partition_names.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using service::FetchRoom;
using service::NatsLink;
using service::StreamNames;
using std::chrono::milliseconds;

TEST(FetchRoom, HasSoManySharesAndGetsThemBack) {
  FetchRoom room(3 * FetchRoom::share_bytes);
  auto first = room.take(milliseconds(0)), second = room.take(milliseconds(0));
  {
    const auto third = room.take(milliseconds(0));
    EXPECT_TRUE(first && second && third);
    EXPECT_FALSE(room.take(milliseconds(1)));
  }
  EXPECT_TRUE(room.take(milliseconds(0)));
  FetchRoom small(1);
  EXPECT_TRUE(small.take(milliseconds(0)));
}

class StreamBacklog : public testing::Test {
 protected:
  static constexpr std::size_t partitions = 16;

  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "there is no nats-server";
    std::ofstream(folder_.path() + "/rules.prop") << "forbid late : some flow contains late\n";
    server_ = std::make_unique<NatsServer>(folder_.path());
    auto link = NatsLink::connect(server_->url(), StreamNames());
    ASSERT_TRUE(link) << link.error().text();
    link_ = std::move(*link);
  }
  [[nodiscard]] static std::string heading(const std::string& execution) {
    return "{\"lightcone\": 1, \"execution\": \"" + execution + "\"}\n";
  }
  /// Lines of so many events of a process.
  [[nodiscard]] static std::string events_of(const std::string& process, int count) {
    std::string lines;
    for (int i = 0; i < count; ++i) {
      lines += "{\"process\": \"" + process + "\", \"kind\": \"internal\"}\n";
    }
    return lines;
  }
  void publish(const std::string& execution, const std::string& lines) {
    service::OutgoingMessage message;
    message.subject = link_->names().events_of(service::partition_of(execution, partitions));
    message.bytes = heading(execution) + lines;
    const auto published = link_->publish(message);
    ASSERT_TRUE(published) << published.error().text();
  }
  [[nodiscard]] std::unique_ptr<MonitorProcess> start() const {
    return std::make_unique<MonitorProcess>(
        folder_.path(),
        std::vector<std::string>{folder_.path() + "/rules.prop", "--json", "--nats", server_->url(),
                                 "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"});
  }
  /// Waits until so many events are decided. Returns the most memory meanwhile, in MB.
  [[nodiscard]] static double memory_until(const MonitorProcess& monitor, std::uint64_t events) {
    double most = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(4);
    for (std::uint64_t decided = 0; decided < events;
         std::this_thread::sleep_for(milliseconds(20))) {
      const auto status = nlohmann::json::parse(web_get(monitor.web_port(), "/status"));
      decided = status["decided"];
      most = std::max(most, status["memory"].get<double>() / 1e6);
      if (std::chrono::steady_clock::now() < end) continue;
      ADD_FAILURE() << status.dump() << '\n' << monitor.errors();
      break;
    }
    return most;
  }

  TemporaryFolder folder_;
  std::unique_ptr<NatsServer> server_;
  std::unique_ptr<NatsLink> link_;
};

TEST_F(StreamBacklog, IsNotTakenIntoMemoryAtOnce) {
  constexpr int per_message = 6'000, per_execution = 25, executions = 16;  // 96 MB
  const std::string lines = events_of("p", per_message);
  for (int i = 0; i < per_execution; ++i) {
    for (int e = 0; e < executions; ++e) publish("run-" + std::to_string(e), lines);
  }
  const auto monitor = start();
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  const double most =
      memory_until(*monitor, std::uint64_t{per_message} * per_execution * executions);
  EXPECT_LT(most, 160);
  RecordProperty("megabytes", std::to_string(most));
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
}

/// The first message waits for the last one, and what lies between is more than the room.
TEST_F(StreamBacklog, IsReadOnWhereAnExecutionWaitsForItsEnd) {
  constexpr int per_message = 6'000, messages = 100;
  const std::string execution = "waits";
  publish(execution, "{\"process\": \"q\", \"kind\": \"receive\", \"message\": \"m\"}\n");
  const std::string lines = events_of("q", per_message);
  for (int i = 0; i < messages; ++i) publish(execution, lines);
  publish(execution,
          "{\"process\": \"p\", \"kind\": \"send\", \"message\": \"m\", \"to\": \"q\"}\n"
          "{\"process\": \"q\", \"kind\": \"internal\", \"labels\": [\"late\"]}\n"
          "{\"lightcone\": 1, \"execution\": \"waits\", \"end\": true}\n");
  const auto monitor = start();
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  StreamedVerdicts verdicts(server_->url(), "lightcone", partitions);
  ASSERT_TRUE(verdicts.wait_for_end(execution, 1)) << monitor->errors();
  EXPECT_EQ(verdicts.told[execution].finals.at("late"), "fail 1");
  EXPECT_EQ(verdicts.told[execution].trouble, "");
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
}

TEST_F(StreamBacklog, IsFetchedInPiecesAndALargeMessageComesAlone) {
  const std::string lines = events_of("p", 2'500);  // 97 kB
  for (int i = 0; i < 5; ++i) publish("run", lines);
  const auto partition = service::partition_of("run", partitions);
  const auto consumer = service::NatsConsumer::start(*link_, partition, 1);
  ASSERT_TRUE(consumer) << consumer.error().text();
  std::vector<std::uint64_t> numbers;
  const auto take = [&](auto fetched) {
    EXPECT_TRUE(fetched) << fetched.error().text();
    for (const auto& message : *fetched) numbers.push_back(message.sequence);
    (*consumer)->acknowledge();
    return fetched->size();
  };
  EXPECT_EQ(take((*consumer)->fetch_one()), 1U);
  EXPECT_EQ((*consumer)->pending(), 4U);
  EXPECT_EQ(take((*consumer)->fetch_pending(1'000)), 1U);
  EXPECT_EQ(take((*consumer)->fetch_pending(250'000)), 2U);
  EXPECT_EQ(take((*consumer)->fetch_pending(250'000)), 1U);
  EXPECT_EQ((*consumer)->pending(), 0U);
  EXPECT_EQ(take((*consumer)->fetch_one()), 0U);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace lightcone
