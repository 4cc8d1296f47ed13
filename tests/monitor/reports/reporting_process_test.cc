// Live processes report to a monitor, which may come late, be killed, or refuse them.
#include "monitor/monitor_process.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/process.h>
#include <lightcone/trace.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#include "temporary_folder.h"

namespace lightcone {
namespace {

constexpr const char* reporting_rules =
    "forbid stale : some flow ends with write -> read without sync\n"
    "watch  odd   : some flow at read contains write\n"
    "forbid both  : possibly all(inside == 1)\n";

class ReportingProcess : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(props()) << reporting_rules; }
  [[nodiscard]] std::string props() const { return folder_.path() + "/rules.prop"; }
  [[nodiscard]] std::string state() const { return folder_.path() + "/state"; }
  [[nodiscard]] std::unique_ptr<MonitorProcess> start_monitor(std::uint16_t port) const {
    return std::make_unique<MonitorProcess>(
        folder_.path(), std::vector<std::string>{props(), "--json", "--state", state(), "--listen",
                                                 "127.0.0.1:" + std::to_string(port)});
  }
  [[nodiscard]] std::unique_ptr<Process> start_process(const std::string& name,
                                                       std::uint16_t port) {
    ProcessOptions options;
    options.name = name;
    options.trace = folder_.path() + "/" + name + ".lct";
    options.report_to = "127.0.0.1:" + std::to_string(port);
    options.report_execution = "run";
    options.on_error = [this](const Error& error) {
      const std::lock_guard lock(mutex_);
      errors_ += error.text() + '\n';
    };
    auto started = Process::start(options, {.variables = {{"inside", std::int64_t{0}}}});
    if (!started) ADD_FAILURE() << started.error().text();
    return started ? std::move(*started) : nullptr;
  }
  /// Two processes that send each other messages.
  static void talk(Process& a, Process& b, int rounds) {
    for (int i = 0; i < rounds; ++i) {
      a.event({.labels = {i % 3 == 0 ? "write" : "sync"}});
      (void)b.receive(a.send("b"), {.labels = {"read"}});
      b.event({.variables = {{"inside", std::int64_t{i % 2}}}});
      (void)a.receive(b.send("a"));
    }
  }
  /// Ends the execution, and compares what was told with a check of the traces.
  void expect_all_told(MonitorProcess& monitor) const {
    LineClient last(monitor.port());
    last.send("{\"lightcone\": 1, \"execution\": \"run\", \"end\": true}\n");
    last.finish();
    while (!last.line(10'000).empty()) {
    }
    EXPECT_EQ(monitor.end(), 0) << monitor.errors();
    ToldVerdicts told;
    std::ifstream file(state() + "/verdicts.jsonl");
    for (std::string line; std::getline(file, line);) told.add(line);
    EXPECT_EQ(told.trouble, "");
    const auto properties = parse_properties(reporting_rules, "rules");
    const auto traces = folder_.path() + "/traces";
    std::filesystem::create_directory(traces);
    for (const char* name : {"a", "b"}) {
      std::filesystem::copy(folder_.path() + "/" + name + ".lct", traces + "/" + name + ".lct");
    }
    const auto reading = read_trace(traces, Format::lct);
    ASSERT_TRUE(reading) << reading.error().text();
    const auto report = check(*properties, *reading);
    ASSERT_TRUE(report) << report.error().text();
    const ToldVerdicts expected = expected_of(*report);
    EXPECT_EQ(told.finals, expected.finals);
    EXPECT_EQ(told.places, expected.places);
    EXPECT_GT(told.places.size(), 0U);
  }
  [[nodiscard]] std::string errors() {
    const std::lock_guard lock(mutex_);
    return errors_;
  }

  TemporaryFolder folder_;
  std::mutex mutex_;
  std::string errors_;
};

TEST_F(ReportingProcess, TheMonitorHearsOfAllEvents) {
  const auto monitor = start_monitor(0);
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  {
    const auto a = start_process("a", monitor->port());
    const auto b = start_process("b", monitor->port());
    talk(*a, *b, 500);
    EXPECT_EQ(a->counts().unreported, 0U);
  }
  EXPECT_EQ(errors().find("not sent"), std::string::npos) << errors();
  expect_all_told(*monitor);
}

TEST_F(ReportingProcess, AMonitorThatIsKilledAndComesBackMissesNothing) {
  auto monitor = start_monitor(0);
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  const std::uint16_t port = monitor->port();
  {
    const auto a = start_process("a", port);
    const auto b = start_process("b", port);
    for (int turn = 0; turn < 3; ++turn) {
      talk(*a, *b, 200);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      monitor->kill();
      talk(*a, *b, 200);
      monitor = start_monitor(port);
      ASSERT_NE(monitor->port(), 0) << monitor->errors();
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
  }
  EXPECT_EQ(errors().find("not sent"), std::string::npos) << errors();
  expect_all_told(*monitor);
}

TEST_F(ReportingProcess, AProcessDoesNotWaitForAMonitorThatIsNotThere) {
  const auto begin = std::chrono::steady_clock::now();
  const auto a = start_process("a", 1);
  for (int i = 0; i < 20'000; ++i) a->event({.labels = {"write"}});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(a->counts().unreported, 0U);
  EXPECT_NE(errors().find("is not there"), std::string::npos) << errors();
}

TEST_F(ReportingProcess, AProcessIsToldThatItsExecutionHasEnded) {
  const auto monitor = start_monitor(0);
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  const auto a = start_process("a", monitor->port());
  a->event({.labels = {"write"}});
  LineClient last(monitor->port());
  const auto is_told = [&] { return errors().find("has ended") != std::string::npos; };
  for (int i = 0; i < 1000 && !is_told(); ++i) {
    // Before the monitor has heard of the execution, its end means nothing.
    last.send("{\"lightcone\": 1, \"execution\": \"run\", \"end\": true}\n");
    a->event({.labels = {"write"}});
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(is_told()) << errors();
  a->event({.labels = {"write"}});
  EXPECT_GT(a->counts().unreported, 0U);
}

/// A refusal that passes does not end the reports.
TEST_F(ReportingProcess, AMonitorWithTooManyClientsIsToldLater) {
  MonitorProcess monitor(folder_.path(), {props(), "--json", "--clients", "1", "--state", state(),
                                          "--listen", "127.0.0.1:0"});
  ASSERT_NE(monitor.port(), 0) << monitor.errors();
  auto only_one = std::make_unique<LineClient>(monitor.port());
  only_one->send("{\"process\": \"other\", \"kind\": \"internal\", \"execution\": \"x\"}\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  {
    const auto a = start_process("a", monitor.port());
    const auto work = [&](int events) {
      for (int i = 0; i < events; ++i) a->event({.labels = {i % 2 == 0 ? "write" : "read"}});
    };
    work(100);
    const auto is_told = [&] {
      return errors().find("refuses it for now: more than 1 clients") != std::string::npos;
    };
    for (int i = 0; i < 1000 && !is_told(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(is_told()) << errors();
    work(100);
    only_one.reset();
    const auto has_come = [&] {
      return monitor.output().find("\"property\":\"odd\"") != std::string::npos;
    };
    for (int i = 0; i < 1500 && !has_come(); ++i) {
      work(2);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(has_come()) << errors();
    EXPECT_EQ(a->counts().unreported, 0U);
  }
  EXPECT_EQ(errors().find("refuses it: "), std::string::npos) << errors();
}

TEST_F(ReportingProcess, AnAddressThatIsNoneIsAnError) {
  ProcessOptions options;
  options.name = "a";
  options.report_to = "nowhere";
  const auto started = Process::start(options);
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().text().find("is not the address of a monitor"), std::string::npos);
}

}  // namespace
}  // namespace lightcone
