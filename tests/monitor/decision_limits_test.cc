// A decision that is too hard ends by itself; a monitor that is slow takes nobody for quiet.
#include "monitor/shuffled_lines.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "accept/line_cutter.h"
#include "monitor_service.h"

namespace lightcone {
namespace {

using service::MonitorService;

/// What a service tells, line by line.
struct ToldLines {
  std::mutex mutex;
  std::string lines = {};
  [[nodiscard]] bool contains(const std::string& part) {
    const std::lock_guard lock(mutex);
    return lines.find(part) != std::string::npos;
  }
};

[[nodiscard]] service::ServiceOptions options_telling(ToldLines& told) {
  service::ServiceOptions options;
  options.show = [&told](const service::VerdictLog::Line& line) {
    const std::lock_guard lock(told.mutex);
    told.lines += line.json + '\n';
  };
  return options;
}

void tell_lines(MonitorService& service, const std::string& text) {
  service::LineCutter cutter(std::make_shared<QuietSource>(), "none", {});
  ASSERT_TRUE(
      cutter.add(text, [&](service::Arrival arrival) { service.offer(std::move(arrival)); }));
}

/// Four processes that never hear of each other.
[[nodiscard]] std::string wide_execution(int changes) {
  std::string text = R"({"lightcone": 1, "processes": ["p1", "p2", "p3", "p4"]})"
                     "\n";
  for (int i = 0; i < changes; ++i) {
    for (const char* process : {"p1", "p2", "p3", "p4"}) {
      text += std::string("{\"process\": \"") + process +
              "\", \"kind\": \"internal\", \"vars\": {\"x\": " + std::to_string(2 + i % 97) +
              "}}\n";
    }
  }
  return text;
}

TEST(DecisionLimits, AHardPropertyIsUnknownAndTheNextExecutionIsDecided) {
  constexpr const char* rules =
      "forbid hard   : possibly p1.x * p2.x * p3.x * p4.x == 7919\n"
      "forbid harder : definitely p1.x * p2.x + p3.x * p4.x == 7919\n";
  ToldLines told;
  auto service =
      MonitorService::start(parse_properties(rules, "rules").value(), options_telling(told));
  ASSERT_TRUE(service) << service.error().text();
  const auto begin = std::chrono::steady_clock::now();
  tell_lines(**service, execution_heading("wide") + wide_execution(3000) +
                            execution_heading("wide", true) + execution_heading("small") +
                            wide_execution(1) + execution_heading("small", true));
  (*service)->settle();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(120));
  EXPECT_TRUE(told.contains(R"("property":"hard","verdict":"unknown","execution":"wide")"))
      << told.lines;
  EXPECT_TRUE(told.contains("the limit of states was hit")) << told.lines;
  EXPECT_TRUE(told.contains(R"("property":"hard","verdict":"pass","execution":"small")"))
      << told.lines;
}

/// Takes long for each batch.
class SlowSpans final : public service::SpanDecider {
 public:
  void add(const service::SpanBatch&) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  }
  void decide(const std::string&) override {}
  void ignore(const std::string&) override {}
  void forget(const std::string&) override {}
  [[nodiscard]] const service::SpanCounts& counts() const override { return counts_; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
  [[nodiscard]] std::vector<TraceSize> dispensable() const override { return {}; }
  void give_up(const std::string&) override {}

 private:
  service::SpanCounts counts_;
};

/// Events come all the time, while something else is decided for long.
TEST(SlowMonitor, ExecutionsOfWhichEventsComeAreNotQuiet) {
  ToldLines told;
  service::ServiceOptions options = options_telling(told);
  options.quiet = std::chrono::milliseconds(500);
  options.span_decider = [](const PropertyFile&, service::SpanCallbacks) {
    return std::make_unique<SlowSpans>();
  };
  auto service = MonitorService::start(
      parse_properties("forbid bad : some flow contains bad\n", "rules").value(), options);
  ASSERT_TRUE(service) << service.error().text();
  const auto say = [&](const std::string& label) {
    tell_lines(**service, execution_heading("x") +
                              "{\"process\": \"p\", \"kind\": \"internal\", \"labels\": [\"" +
                              label + "\"]}\n");
  };
  for (int i = 0; i < 80; ++i) {
    say("good");
    if (i == 5 || i == 10) {
      auto batch = std::make_shared<service::SpanBatch>();
      batch->traces = {"t"};
      (*service)->offer({std::make_shared<QuietSource>(), batch, std::chrono::steady_clock::now()});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  say("bad");
  (*service)->settle();
  EXPECT_TRUE(told.contains(R"("verdict":"fail","execution":"x")")) << told.lines;
  EXPECT_NE((*service)->metrics().find("lightcone_events_late_total 0\n"), std::string::npos);
}

}  // namespace
}  // namespace lightcone
