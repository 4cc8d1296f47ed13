// The shop over real connections: what is found live is what a check of its traces finds.
#include "grpc/shop.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "live_and_checked.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

/// One run of the shop.
struct ShopResult {
  int accepted = 0;
  Told live, checked;
};

[[nodiscard]] ShopResult run_shop(bool bug) {
  std::ostringstream properties;
  properties << std::ifstream(LIGHTCONE_SOURCE_DIR "/examples/grpc/grpc_shop.prop").rdbuf();
  const TemporaryFolder folder;
  LiveTold live;
  examples::ShopRun run;
  run.bug = bug;
  run.properties = properties.str();
  run.traces = folder.path();
  run.on_detection = live.teller();
  const auto accepted = examples::accepted_orders(run);
  EXPECT_TRUE(accepted) << accepted.error().text();
  return {accepted.value_or(0), live.told(), told_by_check(folder.path(), run.properties)};
}

TEST(GrpcShop, AShopThatWaitsIsRight) {
  const ShopResult result = run_shop(false);
  EXPECT_EQ(result.accepted, 3);
  EXPECT_TRUE(result.live.empty());
  EXPECT_TRUE(result.checked.empty());
}

/// All orders are accepted as before. The payment itself finds that it knows of no authorisation.
TEST(GrpcShop, AChargeThatDoesNotKnowItsAuthorisationIsFoundAtTheCharge) {
  const ShopResult result = run_shop(true);
  EXPECT_EQ(result.accepted, 3);
  EXPECT_EQ(result.live, result.checked);
  EXPECT_EQ(result.live.size(), 3U);
  for (const auto& [property, process, event] : result.live) {
    EXPECT_EQ(property, "authorised");
    EXPECT_EQ(process, "payments");
  }
}

}  // namespace
}  // namespace lightcone
