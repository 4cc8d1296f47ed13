// The warehouse over real connections: its logs look right, and a check of its traces finds the
// state.
#include "grpc/warehouse.h"

#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/trace.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "temporary_folder.h"

namespace lightcone {
namespace {

/// Handles an order; returns what a check of the traces says of the property.
[[nodiscard]] Verdict verdict_on_warehouse(bool careful) {
  const TemporaryFolder folder;
  std::vector<std::string> log;
  examples::WarehouseRun run;
  run.careful = careful;
  run.traces = folder.path();
  run.log = [&](const std::string& line) { log.push_back(line); };
  const auto handled = examples::handle_order(run);
  EXPECT_TRUE(handled) << handled.error().text();
  // The same both times: by the clock, the order had left before it was refunded.
  EXPECT_EQ(log, (std::vector<std::string>{"shipping begins", "shipping ends", "refund begins",
                                           "refund ends"}));
  std::ostringstream text;
  text << std::ifstream(LIGHTCONE_SOURCE_DIR "/examples/grpc/warehouse.prop").rdbuf();
  const auto properties = parse_properties(text.str(), "warehouse.prop");
  const auto reading = read_trace(folder.path(), Format::lct);
  EXPECT_TRUE(reading) << reading.error().text();
  const auto report = check(properties.value(), reading.value());
  return report.value().properties.front().verdict;
}

TEST(GrpcWarehouse, NoLineShowsThatAnOrderIsShippedAndRefundedAtOnce) {
  EXPECT_EQ(verdict_on_warehouse(false), Verdict::fail);
}

TEST(GrpcWarehouse, AnOrderThatIsRecalledFirstIsNotRefundedWhileItIsShipped) {
  EXPECT_EQ(verdict_on_warehouse(true), Verdict::pass);
}

}  // namespace
}  // namespace lightcone
