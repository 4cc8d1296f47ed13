// Spans and parts of snapshots count in the memory that all executions may take.
#include "monitor/shop_trace.h"
#include "monitor/shuffled_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "accept/line_cutter.h"
#include "monitor_service.h"
#include "otlp/span_intake.h"
#include "snapshot/snapshot_intake.h"

namespace lightcone {
namespace {

using service::MonitorService;

/// A trace that fails, with a long name.
[[nodiscard]] std::string long_trace(std::size_t number) {
  std::string trace = std::to_string(number);
  trace.insert(0, 16 - trace.size(), '0');
  const auto shop = {ShopTrace::span(trace, '2', 0, "pay", 3, 200),
                     ShopTrace::span(trace, '4', 0, std::string(2000, 'n') + trace, 1, 300)};
  const auto bank = {ShopTrace::span(trace, '3', '2', "charge", 2, 203)};
  return ProtoText()
      .bytes(1, ShopTrace::resource("shop", shop))
      .bytes(1, ShopTrace::resource("bank", bank))
      .text();
}

[[nodiscard]] double counted_bytes(const MonitorService& service) {
  const std::string text = service.metrics(), name = "\nlightcone_executions_bytes ";
  const std::size_t at = text.find(name);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size()));
}

/// Beyond the limit traces are decided as they are, each once.
TEST(SpanMemoryLimit, TracesAreDecidedWhereThereIsNoMemoryLeft) {
  constexpr std::size_t most = 3'000'000, traces = 4'000;
  std::mutex mutex;
  std::map<std::string, int> told;
  service::ServiceOptions options;
  options.execution_bytes = most;
  options.quiet_trace = std::chrono::hours(1);
  options.span_decider = service::span_decider();
  options.read_batch = [](service::SpanBatch& batch) { return service::read_batch(batch); };
  options.show = [&](const service::VerdictLog::Line& line) {
    const std::lock_guard lock(mutex);
    if (line.json.find("\"verdict\":\"fail\"") != std::string::npos) ++told[line.execution];
  };
  auto service = MonitorService::start(parse_properties(shop_rules, "rules").value(), options);
  ASSERT_TRUE(service) << service.error().text();
  double largest = 0;
  for (std::size_t i = 0; i < traces; ++i) {
    const auto answer =
        service::take_spans(**service, "c", service::SpanBatch::Encoding::protobuf, long_trace(i));
    ASSERT_EQ(answer.what, service::SpanAnswer::What::stored) << answer.why;
    if (i % 10 == 0) {  // what is stored and not decided yet is not counted
      (*service)->settle();
      largest = std::max(largest, counted_bytes(**service));
    }
  }
  EXPECT_GT(largest, 0.5 * most);
  EXPECT_LT(largest, 1.3 * most);
  {
    const std::lock_guard lock(mutex);
    EXPECT_GT(told.size(), traces / 4);  // before any of them was quiet
  }
  EXPECT_TRUE((*service)->stop(true));
  EXPECT_EQ(told.size(), traces);
  for (const auto& [trace, times] : told) EXPECT_EQ(times, 1) << trace;
}

class NoTaker final : public service::ArrivalTaker {
 public:
  void offer(service::Arrival) override {}
  void settle() override {}
};

/// The last states of processes, which are kept for snapshots.
TEST(PartMemory, PartsCountAndHaveALimit) {
  NoTaker behind;
  service::SnapshotIntake intake(
      behind, {[](const std::string&) { return service::SnapshotIntake::Owners(); },
               [](const std::string&) { return true; }});
  const auto memory = std::make_shared<service::ExecutionMemory>(4'000'000);
  intake.count_memory_in(memory);
  const auto source = std::make_shared<QuietSource>();
  service::LineCutter cutter(source, "run", {});
  const auto send = [&](const std::string& text) {
    ASSERT_TRUE(
        cutter.add(text, [&](service::Arrival arrival) { intake.offer(std::move(arrival)); }));
  };
  const auto begin = [](int process) {
    return "{\"lightcone\": 1, \"process\": \"p" + std::to_string(process) +
           "\", \"from\": 1, \"snapshots\": true}\n";
  };
  const auto end = [](int process) {
    return "{\"lightcone\": 1, \"process\": \"p" + std::to_string(process) +
           "\", \"snapshot\": {\"first\": 1, \"events\": 1, \"vars\": {}, \"state\": \"" +
           std::string(100'000, 's') + "\", \"sent\": [], \"received\": []}}\n";
  };
  for (int i = 0; i < 5; ++i) send(begin(i) + end(i));
  EXPECT_GT(memory->bytes(), 500'000U);
  EXPECT_LT(memory->bytes(), 600'000U);
  send(end(0));  // in the place of the one before
  EXPECT_LT(memory->bytes(), 600'000U);
  for (int i = 5; i < 100; ++i) send(begin(i) + end(i));
  EXPECT_LE(memory->bytes(), 1'000'000U);
  for (int i = 0; i < 100; ++i) send(begin(i));  // they are there again
  EXPECT_EQ(memory->bytes(), 0U);
}

}  // namespace
}  // namespace lightcone
