// Of two monitors that tell the same verdict, one hears that it is too late.
#include "monitor/shared/nats_server.h"

#include <gtest/gtest.h>

#include "nats/nats_link.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

TEST(NatsLink, AVerdictIsToldByOneMonitorOnly) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "nats-server is not installed";
  const TemporaryFolder folder;
  const NatsServer server(folder.path());
  const service::StreamNames names("told-once");
  const auto first = service::NatsLink::connect(server.url(), names);
  ASSERT_TRUE(first) << first.error().text();
  const auto second = service::NatsLink::connect(server.url(), names);
  ASSERT_TRUE(second) << second.error().text();
  const service::OutgoingMessage verdict{
      .subject = names.verdicts_of(0), .id = "1-2-3", .bytes = "{}"};
  const auto told = (*first)->publish_after(verdict, 0);
  ASSERT_TRUE(told) << told.error().text();
  EXPECT_TRUE(told->has_value());
  const auto late = (*second)->publish_after(verdict, 0);
  ASSERT_TRUE(late) << late.error().text();
  EXPECT_FALSE(late->has_value());
}

}  // namespace
}  // namespace lightcone
