// Live processes report over TLS, to monitors that know them or not.
#include "monitor/reports/secure_reports.h"

namespace lightcone {
namespace {

TEST_F(SecureReports, AMonitorWithTlsHearsOfAllEvents) {
  const auto monitor = start_monitor(certificate_, {"--listen", "127.0.0.1:0"});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  for (const char* host : {"127.0.0.1", "localhost"}) {
    ProcessOptions named =
        options(std::string("tls://") + host + ":" + std::to_string(monitor->port()), known_token);
    named.name = host;
    make_events(*start(named));
    EXPECT_TRUE(waits_for([&] {
      return monitor->output().find(std::string("\"") + host + "\",\"event\":20001") !=
             std::string::npos;
    })) << monitor->output();
  }
  EXPECT_EQ(errors(), "");
}

TEST_F(SecureReports, WithoutATokenNothingIsTaken) {
  const auto monitor = start_monitor(certificate_, {"--listen", "127.0.0.1:0"});
  const std::string address = "tls://127.0.0.1:" + std::to_string(monitor->port());
  for (const char* token : {"", "0123456789abcdeF"}) {
    const auto process = start(options(address, token));
    process->event({.labels = {"bad"}});
    EXPECT_TRUE(hears("the monitor refuses it: the token is not known")) << errors();
    process->event({.labels = {"bad"}});
    EXPECT_GT(process->counts().unreported, 0U);
    errors_.clear();
  }
  EXPECT_EQ(monitor->end(), 0);
  EXPECT_EQ(monitor->output(), "");
}

/// Neither the token nor an event goes to a monitor that is not trusted. They are kept for one that
/// is.
TEST_F(SecureReports, AWrongCertificateIsNotTrusted) {
  auto monitor = start_monitor(other_, {"--listen", "127.0.0.1:0"});
  const std::string port = std::to_string(monitor->port());
  const auto process = start(options("tls://127.0.0.1:" + port, known_token));
  make_events(*process);
  EXPECT_TRUE(hears("its certificate is not trusted for `127.0.0.1`: self-signed")) << errors();
  EXPECT_EQ(monitor->output(), "");
  monitor->kill();
  monitor = start_monitor(certificate_, {"--listen", "127.0.0.1:" + port});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  expect_told(*monitor);
  EXPECT_EQ(process->counts().unreported, 0U);
}

TEST_F(SecureReports, ACertificateIsForItsNames) {
  const Certificate elsewhere(folder_.path(), "elsewhere", "DNS:monitor.example");
  const auto monitor = start_monitor(elsewhere, {"--listen", "127.0.0.1:0"});
  for (const char* host : {"127.0.0.1", "localhost"}) {
    ProcessOptions wrong =
        options(std::string("tls://") + host + ":" + std::to_string(monitor->port()), known_token);
    wrong.report_certificates = elsewhere.file;
    const auto process = start(wrong);
    process->event({.labels = {"bad"}});
    EXPECT_TRUE(hears(std::string("not trusted for `") + host + "`")) << errors();
  }
  EXPECT_EQ(monitor->output(), "");
}

TEST_F(SecureReports, AFileWithoutCertificatesIsAnError) {
  ProcessOptions wrong = options("tls://127.0.0.1:1", known_token);
  wrong.report_certificates = props();
  const auto started = Process::start(wrong);
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().text().find("holds no certificates"), std::string::npos);
}

}  // namespace
}  // namespace lightcone
