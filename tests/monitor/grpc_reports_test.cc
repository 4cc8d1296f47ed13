// Live processes report over gRPC, with TLS and tokens.
#ifdef LIGHTCONE_HAS_GRPC

#include "monitor/secure_reports.h"

#include <lightcone/grpc/reporting.h>

#include <sstream>

namespace lightcone {
namespace {

class ReportsOverGrpc : public SecureReports {
 protected:
  [[nodiscard]] static ConnectToMonitor trusting(const Certificate& certificate) {
    std::ostringstream text;
    text << std::ifstream(certificate.file).rdbuf();
    return lightcone::grpc::reporting(::grpc::SslCredentials({text.str(), "", ""}));
  }
  [[nodiscard]] static std::string address(const MonitorProcess& monitor) {
    return "127.0.0.1:" + std::to_string(monitor.port_of("takes event streams at "));
  }
};

TEST_F(ReportsOverGrpc, TheMonitorHearsOfAllEvents) {
  const auto monitor = start_monitor(certificate_, {"--grpc", "127.0.0.1:0"});
  ProcessOptions over = options(address(*monitor), known_token);
  over.report_over = trusting(certificate_);
  make_events(*start(over));
  expect_told(*monitor);
  EXPECT_EQ(errors(), "");
}

TEST_F(ReportsOverGrpc, WithoutATokenNothingIsTaken) {
  const auto monitor = start_monitor(certificate_, {"--grpc", "127.0.0.1:0"});
  for (const char* token : {"", "0123456789abcdeF"}) {
    ProcessOptions over = options(address(*monitor), token);
    over.report_over = trusting(certificate_);
    const auto process = start(over);
    process->event({.labels = {"bad"}});
    EXPECT_TRUE(hears("the monitor refuses it: the token is missing or not known")) << errors();
    process->event({.labels = {"bad"}});
    EXPECT_GT(process->counts().unreported, 0U);
    errors_.clear();
  }
  EXPECT_EQ(monitor->output(), "");
}

TEST_F(ReportsOverGrpc, AWrongCertificateIsNotTrusted) {
  auto monitor = start_monitor(other_, {"--grpc", "127.0.0.1:0"});
  const std::string at = address(*monitor);
  ProcessOptions over = options(at, known_token);
  over.report_over = trusting(certificate_);
  const auto process = start(over);
  make_events(*process);
  EXPECT_TRUE(hears("the monitor at " + at + " cannot be told")) << errors();
  EXPECT_EQ(monitor->output(), "");
  monitor->kill();
  monitor = start_monitor(certificate_, {"--grpc", at});
  expect_told(*monitor);
  EXPECT_EQ(process->counts().unreported, 0U);
}

TEST_F(ReportsOverGrpc, AMonitorThatIsKilledAndComesBackMissesNothing) {
  const std::string state = folder_.path() + "/state";
  auto monitor = start_monitor(certificate_, {"--state", state, "--grpc", "127.0.0.1:0"});
  const std::string at = address(*monitor);
  ProcessOptions over = options(at, known_token);
  over.report_over = trusting(certificate_);
  const auto process = start(over);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 5'000; ++k) process->event({.labels = {"good"}});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    monitor->kill();
    process->event({.labels = {"good"}});
    monitor = start_monitor(certificate_, {"--state", state, "--grpc", at});
  }
  for (int k = 15'003; k < 20'000; ++k) process->event({.labels = {"good"}});
  process->event({.labels = {"bad"}});
  expect_told(*monitor);
  EXPECT_EQ(process->counts().unreported, 0U);
}

}  // namespace
}  // namespace lightcone

#endif
