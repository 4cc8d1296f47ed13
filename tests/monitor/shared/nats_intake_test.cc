// What becomes of lines while the stream is away for long.
#include "monitor/shared/nats_server.h"
#include "monitor/shuffled_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "accept/line_cutter.h"
#include "nats/nats_intake.h"
#include "nats/nats_link.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

/// Lines without ranks would count twice if they were sent again. It is told that they may be lost.
TEST(NatsIntake, LinesWithoutRanksAreNotSentAgainForLong) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "nats-server is not installed";
  const TemporaryFolder folder;
  NatsServer server(folder.path());
  const service::StreamNames names("unranked");
  const auto link = service::NatsLink::connect(server.url(), names);
  ASSERT_TRUE(link) << link.error().text();
  service::NatsIntake intake(**link, {.monitor = "m",
                                      .unranked_trial = std::chrono::milliseconds(500),
                                      .note = [](const std::string&) {}});
  const auto send = [&](const std::string& text) {
    service::LineCutter cutter(std::make_shared<QuietSource>(), "run", {});
    ASSERT_TRUE(
        cutter.add(text, [&](service::Arrival arrival) { intake.offer(std::move(arrival)); }));
  };
  send("{\"process\": \"before\", \"kind\": \"internal\"}\n");
  intake.settle();
  server.kill();
  send("{\"process\": \"unranked\", \"kind\": \"internal\"}\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  send("{\"process\": \"ranked\", \"kind\": \"internal\", \"rank\": 1}\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  ASSERT_TRUE(server.start());
  intake.settle();
  const auto last = (*link)->last_of(names.events(), names.events_of(0));
  ASSERT_TRUE(last) << last.error().text();
  std::string all;
  const auto read = (*link)->read(names.events(), names.events_of(0), 1, *last,
                                  [&](const service::StreamMessage& one) { all += one.bytes; });
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_NE(all.find("\"process\":\"unranked\",\"lost\":true"), std::string::npos) << all;
  EXPECT_EQ(all.find("\"process\":\"before\",\"lost\":true"), std::string::npos) << all;
  EXPECT_EQ(all.find("\"process\":\"ranked\",\"lost\":true"), std::string::npos) << all;
  EXPECT_NE(all.find("\"ranked\", \"kind\""), std::string::npos) << all;
}

}  // namespace
}  // namespace lightcone
