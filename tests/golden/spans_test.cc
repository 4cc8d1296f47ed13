// Spans that the SDK of OpenTelemetry for Node wrote, with what its services did (tests/producers).
#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/executions.h>
#include <lightcone/trace/format_detection.h>

#include <set>
#include <string>

namespace lightcone {
namespace {

const std::string otlp_file = LIGHTCONE_SOURCE_DIR "/examples/opentelemetry/shop.otlp.json";
const std::string jaeger_file = LIGHTCONE_TEST_DATA "/data/spans/shop.jaeger.json";
const std::string zipkin_file = LIGHTCONE_TEST_DATA "/data/spans/shop.zipkin.json";

constexpr std::size_t orders = 6;
constexpr std::size_t order_with_retry = 2;  // counted from 0
constexpr std::size_t express_order = 4;

Executions executions_of(const std::string& path, ProcessBy by = ProcessBy::instance) {
  ReadOptions options;
  options.process_by = by;
  auto executions = read_executions(path, detect_format(path).value(), options);
  if (!executions) throw std::runtime_error(executions.error().text());
  return *executions;
}

std::set<std::string> processes_of(const Computation& c) {
  std::set<std::string> names;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) names.emplace(c.process_name(p));
  return names;
}

/// What a service calls and is answered: HTTP and gRPC, which is tried again after an error. A span
/// of a consumer is the child of one producer and, where the format has links, linked to another.
void expect_orders(const std::string& path, bool has_links) {
  const Executions executions = executions_of(path);
  ASSERT_EQ(executions.size(), orders);
  for (std::size_t i = 0; i < orders; ++i) {
    const auto reading = executions.read(i);
    ASSERT_TRUE(reading) << reading.error().text();
    EXPECT_EQ(reading->notes, std::vector<std::string>{});
    const Computation& c = reading->computation;
    EXPECT_EQ(processes_of(c),
              (std::set<std::string>{"ledger/ledger-1", "payments/payments-1", "shop/shop-1"}));
    const std::uint32_t retries = i == order_with_retry ? 1 : 0;
    const std::uint32_t spans = 10 + 3 * retries;
    EXPECT_EQ(c.event_count(), 2 * spans + 1 + retries) << i;  // booked, exception
    EXPECT_EQ(c.message_count(), (has_links ? 6U : 5U) + 2 * retries) << i;
    EXPECT_EQ(c.edge_count(), c.message_count()) << i;
  }
}

TEST(Spans, OfOpenTelemetryAsOtlp) { expect_orders(otlp_file, true); }
TEST(Spans, OfOpenTelemetryAsJaeger) { expect_orders(jaeger_file, true); }
TEST(Spans, OfOpenTelemetryAsZipkin) { expect_orders(zipkin_file, false); }

TEST(Spans, AreProcessesIfAsked) {
  const Executions executions = executions_of(otlp_file, ProcessBy::span);
  const auto reading = executions.read(0);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->computation.process_count(), 10U);
  EXPECT_EQ(reading->computation.edge_count(), 9U + 1U + 2U);  // parents, a link, responses
}

TEST(Spans, AreFoundByContent) {
  EXPECT_EQ(detect_format(otlp_file).value(), Format::otlp);
  EXPECT_EQ(detect_format(jaeger_file).value(), Format::jaeger);
  EXPECT_EQ(detect_format(zipkin_file).value(), Format::zipkin);
}

TEST(Spans, ShowTheChargeThatDidNotWait) {
  const auto properties =
      read_properties(LIGHTCONE_SOURCE_DIR "/examples/opentelemetry/charges.prop");
  ASSERT_TRUE(properties) << properties.error().text();
  for (const std::string& path : {otlp_file, jaeger_file, zipkin_file}) {
    const Executions executions = executions_of(path);
    const auto report = check(*properties, executions);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->verdict(), Verdict::fail);
    ASSERT_EQ(report->properties.size(), 3U);
    const ExecutionsProperty& authorised = report->properties[0];
    EXPECT_EQ(authorised.passed, orders - 1) << path;
    EXPECT_EQ(authorised.failing, std::vector<std::string>{executions.id(express_order)}) << path;
    EXPECT_EQ(report->properties[1].passed, orders);
    EXPECT_EQ(report->properties[2].found, 1U);
    // Each execution alone has the same verdict.
    for (std::size_t i = 0; i < orders; ++i) {
      const auto alone = check(*properties, *executions.read(i));
      ASSERT_TRUE(alone) << alone.error().text();
      EXPECT_EQ(alone->properties[0].verdict, i == express_order ? Verdict::fail : Verdict::pass);
    }
  }
}

}  // namespace
}  // namespace lightcone
