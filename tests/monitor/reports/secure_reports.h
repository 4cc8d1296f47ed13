// A monitor with TLS and tokens, and live processes that report to it.
#pragma once

#include <gtest/gtest.h>
#include <lightcone/process.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "monitor/reports/certificate.h"
#include "monitor/monitor_process.h"
#include "temporary_folder.h"

namespace lightcone {

inline constexpr const char* known_token = "0123456789abcdef";

class SecureReports : public testing::Test {
 protected:
  void SetUp() override {
    if (!certificate_.is_made || !other_.is_made) GTEST_SKIP() << "there is no openssl";
    std::ofstream(props()) << "forbid bad : some flow contains bad\n";
    std::ofstream(tokens()) << known_token << " alice\n";
    ::chmod(tokens().c_str(), 0600);
  }
  [[nodiscard]] std::string props() const { return folder_.path() + "/rules.prop"; }
  [[nodiscard]] std::string tokens() const { return folder_.path() + "/tokens"; }
  [[nodiscard]] std::unique_ptr<MonitorProcess> start_monitor(const Certificate& certificate,
                                                              std::vector<std::string> more) {
    std::vector<std::string> all = {
        props(),          "--json",    "--tokens",     tokens(), "--tls-certificate",
        certificate.file, "--tls-key", certificate.key};
    all.insert(all.end(), more.begin(), more.end());
    auto monitor = std::make_unique<MonitorProcess>(folder_.path(), all);
    return monitor;
  }
  [[nodiscard]] ProcessOptions options(const std::string& address, const std::string& token) {
    ProcessOptions options;
    options.name = "p";
    options.report_to = address;
    options.report_token = token;
    options.report_certificates = certificate_.file;
    options.on_error = [this](const Error& error) {
      const std::lock_guard lock(mutex_);
      errors_ += error.text() + '\n';
    };
    return options;
  }
  [[nodiscard]] std::unique_ptr<Process> start(const ProcessOptions& options) {
    auto started = Process::start(options);
    if (!started) ADD_FAILURE() << started.error().text();
    return started ? std::move(*started) : nullptr;
  }
  [[nodiscard]] std::string errors() {
    const std::lock_guard lock(mutex_);
    return errors_;
  }
  [[nodiscard]] static bool waits_for(const std::function<bool()>& condition) {
    for (int i = 0; i < 1500; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  [[nodiscard]] bool hears(const std::string& words) {
    return waits_for([&] { return errors().find(words) != std::string::npos; });
  }
  /// Many events, the last of which is the only one that is told.
  static void make_events(Process& process) {
    for (int i = 0; i < 20'000; ++i) process.event({.labels = {"good"}});
    process.event({.labels = {"bad"}});
  }
  static void expect_told(MonitorProcess& monitor) {
    EXPECT_TRUE(waits_for([&] {
      return monitor.output().find("\"event\":20001") != std::string::npos;
    })) << monitor.output()
        << monitor.errors();
  }

  TemporaryFolder folder_;
  Certificate certificate_{folder_.path(), "monitor", "DNS:localhost,IP:127.0.0.1"};
  Certificate other_{folder_.path(), "other", "DNS:localhost,IP:127.0.0.1"};
  std::mutex mutex_;
  std::string errors_;
};

}  // namespace lightcone
