// What a live process says to a monitor, line by line, over connections that break.
#include <lightcone/live/report/reporter.h>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <lightcone/process.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>

namespace lightcone {
namespace {

/// Listens on loopback, and reads what one client after the other says.
class LoneMonitor {
 public:
  explicit LoneMonitor(int family = AF_INET) : listening_(::socket(family, SOCK_STREAM, 0)) {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_addr = in6addr_loopback;
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_six = family == AF_INET6;
    auto* const address =
        is_six ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
    socklen_t size = is_six ? sizeof six : sizeof four;
    if (::bind(listening_, address, size) != 0) return;
    ::listen(listening_, 4);
    ::getsockname(listening_, address, &size);
    port_ = ntohs(is_six ? six.sin6_port : four.sin_port);
  }
  LoneMonitor(const LoneMonitor&) = delete;
  LoneMonitor& operator=(const LoneMonitor&) = delete;
  ~LoneMonitor() {
    hang_up();
    ::close(listening_);
  }

  /// Reads until the text was said; false: it was not in five seconds.
  [[nodiscard]] bool hears(const std::string& text) {
    for (int i = 0; i < 500; ++i) {
      if (said_.find(text) != std::string::npos) return true;
      read();
    }
    return false;
  }
  void hang_up() {
    if (client_ >= 0) ::close(client_);
    client_ = -1;
    said_.clear();
  }
  void answer(const std::string& line) const {
    EXPECT_EQ(::send(client_, line.data(), line.size(), 0), static_cast<ssize_t>(line.size()));
  }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  void read() {
    pollfd waits{client_ >= 0 ? client_ : listening_, POLLIN, 0};
    if (::poll(&waits, 1, 10) <= 0) return;
    if (client_ < 0) {
      client_ = ::accept(listening_, nullptr, nullptr);
      return;
    }
    char buffer[4096];
    const ssize_t size = ::recv(client_, buffer, sizeof buffer, 0);
    if (size > 0) said_.append(buffer, static_cast<std::size_t>(size));
  }

  int listening_, client_ = -1, port_ = 0;
  std::string said_;
};

[[nodiscard]] std::string address_of(const LoneMonitor& monitor, const std::string& host) {
  return host + ':' + std::to_string(monitor.port());
}

TEST(Reporter, SendsTheTimeThatTheProgramGives) {
  LoneMonitor monitor;
  ProcessOptions options;
  options.name = "p";
  options.report_to = address_of(monitor, "127.0.0.1");
  const auto process = Process::start(options);
  ASSERT_TRUE(process) << process.error().text();
  (*process)->event({.labels = {"b"}, .time = 12.5});
  EXPECT_TRUE(monitor.hears("\"labels\": [\"b\"], \"time\": 12.5")) << monitor.said();
  (*process)->event({.labels = {"c"}, .time = 0.1});
  EXPECT_TRUE(monitor.hears("\"time\": 0.1,")) << monitor.said();
  monitor.answer("{\"stored\": {\"p\": 2}}\n");
}

TEST(Reporter, TellsOfALossOverEachConnection) {
  LoneMonitor monitor;
  int notes = 0;
  auto reporter = Reporter::start({.address = address_of(monitor, "127.0.0.1"),
                                   .process = "p",
                                   .most_bytes = 10,
                                   .on_error = [&](const Error&) { ++notes; }});
  ASSERT_TRUE(reporter) << reporter.error().text();
  (*reporter)->add(1, "{\"x\":1}\n");
  (*reporter)->add(2, "{\"x\":2}\n");  // there is no room for it
  EXPECT_TRUE(monitor.hears("\"lost\": true")) << monitor.said();
  monitor.hang_up();
  EXPECT_TRUE(monitor.hears("\"lost\": true")) << monitor.said();
  monitor.answer("{\"stored\": {\"p\": 1}}\n");
  reporter->reset();
  EXPECT_EQ(notes, 1);  // the program hears of it once
}

/// A refusal that passes has a bound.
TEST(Reporter, GivesUpAMonitorThatRefusesItForLong) {
  LoneMonitor monitor;
  std::mutex mutex;
  std::string notes;
  const auto has_said = [&](const std::string& words) {
    const std::lock_guard lock(mutex);
    return notes.find(words) != std::string::npos;
  };
  auto reporter = Reporter::start({.address = address_of(monitor, "127.0.0.1"),
                                   .process = "p",
                                   .longest_refusal = std::chrono::milliseconds(500),
                                   .on_error = [&](const Error& error) {
                                     const std::lock_guard lock(mutex);
                                     notes += error.text() + '\n';
                                   }});
  ASSERT_TRUE(reporter) << reporter.error().text();
  (*reporter)->add(1, "{\"x\":1}\n");
  int connections = 0;
  for (; connections < 20 && !has_said("has refused it for"); ++connections) {
    if (!monitor.hears("{\"x\":1}")) break;
    monitor.answer("{\"refused\": \"full\", \"again\": true}\n");
    monitor.hang_up();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(has_said("the monitor refuses it for now: full")) << notes;
  EXPECT_TRUE(has_said("has refused it for")) << notes;
  EXPECT_GE(connections, 3);
  (*reporter)->add(2, "{\"x\":2}\n");
  EXPECT_EQ((*reporter)->lost(), 1U);
}

TEST(Reporter, TriesAllAddressesOfAName) {
  for (const auto& [family, host] : {std::pair(AF_INET, "localhost"), std::pair(AF_INET6, "[::1]"),
                                     std::pair(AF_INET, "127.0.0.1")}) {
    LoneMonitor monitor(family);
    if (monitor.port() == 0) continue;  // there is no IPv6 here
    auto reporter = Reporter::start({.address = address_of(monitor, host), .process = "p"});
    ASSERT_TRUE(reporter) << reporter.error().text();
    (*reporter)->add(1, "{\"x\":1}\n");
    EXPECT_TRUE(monitor.hears("{\"x\":1}")) << host << ' ' << monitor.said();
    monitor.answer("{\"stored\": {\"p\": 1}}\n");
  }
}

}  // namespace
}  // namespace lightcone
