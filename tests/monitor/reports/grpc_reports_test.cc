// Live processes report over gRPC, with TLS and tokens.
#ifdef LIGHTCONE_HAS_GRPC

#include "monitor/reports/secure_reports.h"

#include <lightcone/grpc/reporting.h>

#include <sstream>

namespace lightcone {
namespace {

class ReportsOverGrpc : public SecureReports {
 protected:
  /// Of a process that trusts one certificate alone.
  [[nodiscard]] ProcessOptions over_grpc(const std::string& address, const std::string& token) {
    ProcessOptions options = this->options(address, token);
    std::ostringstream file;
    file << std::ifstream(certificate_.file).rdbuf();
    const std::string certificates = file.str();
    ::grpc::SslCredentialsOptions trusted;
    trusted.pem_root_certs = certificates;
    options.report_over = lightcone::grpc::reporting(::grpc::SslCredentials(trusted));
    return options;
  }
  [[nodiscard]] static std::string address(const MonitorProcess& monitor) {
    return "127.0.0.1:" + std::to_string(monitor.port_of("takes event streams at "));
  }
};

TEST_F(ReportsOverGrpc, TheMonitorHearsOfAllEvents) {
  const auto monitor =
      start_monitor(certificate_, {"--listen", "127.0.0.1:0", "--grpc", "127.0.0.1:0"});
  make_events(*start(over_grpc(address(*monitor), known_token)));
  expect_told(*monitor);
  EXPECT_EQ(errors(), "");
}

TEST_F(ReportsOverGrpc, WithoutATokenNothingIsTaken) {
  const auto monitor =
      start_monitor(certificate_, {"--listen", "127.0.0.1:0", "--grpc", "127.0.0.1:0"});
  for (const char* token : {"", "0123456789abcdeF"}) {
    const auto process = start(over_grpc(address(*monitor), token));
    process->event({.labels = {"bad"}});
    EXPECT_TRUE(hears("the monitor refuses it: the token is missing or not known")) << errors();
    process->event({.labels = {"bad"}});
    EXPECT_GT(process->counts().unreported, 0U);
    errors_.clear();
  }
  EXPECT_EQ(monitor->output(), "");
}

TEST_F(ReportsOverGrpc, AWrongCertificateIsNotTrusted) {
  auto monitor = start_monitor(other_, {"--listen", "127.0.0.1:0", "--grpc", "127.0.0.1:0"});
  const std::string at = address(*monitor);
  const auto process = start(over_grpc(at, known_token));
  make_events(*process);
  EXPECT_TRUE(hears("the monitor at " + at + " cannot be told")) << errors();
  EXPECT_EQ(monitor->output(), "");
  monitor->kill();
  monitor = start_monitor(certificate_, {"--listen", "127.0.0.1:0", "--grpc", at});
  expect_told(*monitor);
  EXPECT_EQ(process->counts().unreported, 0U);
}

TEST_F(ReportsOverGrpc, AMonitorThatIsKilledAndComesBackMissesNothing) {
  const std::string state = folder_.path() + "/state";
  auto monitor = start_monitor(
      certificate_, {"--state", state, "--listen", "127.0.0.1:0", "--grpc", "127.0.0.1:0"});
  const std::string at = address(*monitor);
  const auto process = start(over_grpc(at, known_token));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 5'000; ++k) process->event({.labels = {"good"}});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    monitor->kill();
    process->event({.labels = {"good"}});
    monitor =
        start_monitor(certificate_, {"--state", state, "--listen", "127.0.0.1:0", "--grpc", at});
  }
  for (int k = 15'003; k < 20'000; ++k) process->event({.labels = {"good"}});
  process->event({.labels = {"bad"}});
  expect_told(*monitor);
  EXPECT_EQ(process->counts().unreported, 0U);
}

}  // namespace
}  // namespace lightcone

#endif
