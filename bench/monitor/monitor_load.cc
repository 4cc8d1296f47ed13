// Sends events to a monitor as fast as it takes them, or at a rate, and measures what it does.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "load_trace.h"

namespace lightcone::load {
namespace {

using Clock = std::chrono::steady_clock;

struct LoadOptions {
  std::string program;
  std::uint64_t events = 1'000'000, rate = 0, odd = 200;
  std::uint32_t clients = 4;
  double most_memory = 0, most_lag = 0, most_delay = 0;  // MB, s, ms; 0: no limit
  bool stores = false;
};

[[nodiscard]] int connected_socket(std::uint16_t port) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return made;
  ::close(made);
  return -1;
}

void send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      fmt::print(stderr, "the monitor is gone\n");
      std::exit(1);
    }
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// The monitor, with its files in a folder of its own.
class StartedMonitor {
 public:
  explicit StartedMonitor(const LoadOptions& options) {
    folder_ = (std::filesystem::temp_directory_path() / "monitor-load-XXXXXX").string();
    if (::mkdtemp(folder_.data()) == nullptr) std::exit(1);
    std::ofstream(folder_ + "/load.prop") << properties;
    std::vector<std::string> words = {
        options.program, folder_ + "/load.prop", "--listen", "127.0.0.1:0",
        "--http",        "127.0.0.1:0",          "--output", folder_ + "/verdicts"};
    if (options.stores) {
      words.insert(words.end(), {"--state", folder_ + "/state"});
    }
    process_ = ::fork();
    if (process_ == 0) {
      const std::string err = folder_ + "/err";
      ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY, 0600), 2);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    for (int i = 0; i < 1000 && (port_ == 0 || web_ == 0); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::ostringstream said;
      said << std::ifstream(folder_ + "/err").rdbuf();
      port_ = port_after(said.str(), "listens at");
      web_ = port_after(said.str(), "serves metrics at");
    }
  }
  StartedMonitor(const StartedMonitor&) = delete;
  StartedMonitor& operator=(const StartedMonitor&) = delete;
  ~StartedMonitor() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// All metrics; empty if it does not answer.
  [[nodiscard]] std::string metrics() const {
    const int socket = connected_socket(web_);
    if (socket < 0) return {};
    send_all(socket, "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n");
    std::string text;
    char buffer[16384];
    for (ssize_t size = 0; (size = ::recv(socket, buffer, sizeof buffer, 0)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(size));
    }
    ::close(socket);
    return text;
  }
  [[nodiscard]] std::uint64_t verdicts() const {
    std::ifstream file(folder_ + "/verdicts");
    std::uint64_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
  }

 private:
  [[nodiscard]] static std::uint16_t port_after(const std::string& text, const std::string& words) {
    const std::size_t at = text.find(words);
    const std::size_t end = at == std::string::npos ? at : text.find('\n', at);
    if (end == std::string::npos) return 0;
    return static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':', end) + 1)));
  }

  std::string folder_;
  pid_t process_ = -1;
  std::uint16_t port_ = 0, web_ = 0;
};

[[nodiscard]] double metric(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? 0 : std::atof(text.c_str() + at + name.size() + 2);
}

/// Below what bound this part of the durations lies, in milliseconds.
[[nodiscard]] double quantile(const std::string& text, const std::string& name, double part) {
  const double all = metric(text, name + "_count");
  const std::string bucket = "\n" + name + "_bucket{le=\"";
  for (std::size_t at = text.find(bucket); at != std::string::npos;
       at = text.find(bucket, at + 1)) {
    const double bound = std::atof(text.c_str() + at + bucket.size());
    const std::size_t value = text.find("} ", at);
    if (std::atof(text.c_str() + value + 2) >= part * all) return bound * 1000;
  }
  return 0;
}

/// Each client sends some of the processes, round by round.
void send_events(const LoadOptions& options, std::uint16_t port) {
  const std::uint64_t rounds = options.events / (processes * per_round);
  const auto began = Clock::now();
  std::vector<std::thread> threads;
  for (std::uint32_t client = 0; client < options.clients; ++client) {
    threads.emplace_back([&, client] {
      const int socket = connected_socket(port);
      std::string text = "{\"lightcone\": 1, \"execution\": \"load\"}\n";
      for (std::uint64_t round = 0; round < rounds; ++round) {
        for (std::uint32_t p = client; p < processes; p += options.clients) {
          add_round(text, p, round, options.odd);
        }
        const bool is_paced = options.rate != 0;
        if (!is_paced && text.size() < 64 << 10 && round + 1 < rounds) continue;
        send_all(socket, text);
        text.clear();
        if (!is_paced) continue;
        const double due =
            static_cast<double>(round * processes * per_round) / static_cast<double>(options.rate);
        std::this_thread::sleep_until(began + std::chrono::duration_cast<Clock::duration>(
                                                  std::chrono::duration<double>(due)));
      }
      ::close(socket);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Prints a row of the table, and says whether the limit is kept.
[[nodiscard]] bool print_row(const char* what, double value, const char* unit, double limit) {
  const bool is_kept = limit == 0 || value <= limit;
  fmt::print("{:<44} {:>12.4g} {}{}\n", what, value, unit,
             limit == 0 ? "" : fmt::format("  (limit {}{})", limit, is_kept ? "" : ": EXCEEDED"));
  return is_kept;
}

[[nodiscard]] int run_load(const LoadOptions& options) {
  const StartedMonitor monitor(options);
  if (monitor.port() == 0) {
    fmt::print(stderr, "{} does not start\n", options.program);
    return 1;
  }
  const int first = connected_socket(monitor.port());
  send_all(first, beginning("load"));
  // The first round has no receives.
  const std::uint64_t all =
      options.events / (processes * per_round) * processes * per_round - processes;
  double most_lag = 0, most_memory = 0;
  std::atomic<bool> ends = false;
  std::thread watcher([&] {
    while (!ends) {
      const std::string text = monitor.metrics();
      most_lag = std::max(most_lag, metric(text, "lightcone_lag_seconds"));
      most_memory = std::max(most_memory, metric(text, "lightcone_memory_bytes"));
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  const auto began = Clock::now();
  send_events(options, monitor.port());
  const auto sent = Clock::now();
  std::string text;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    text = monitor.metrics();
  } while (metric(text, "lightcone_events_accepted_total") < static_cast<double>(all) ||
           metric(text, "lightcone_events_decided_total") <
               metric(text, "lightcone_events_accepted_total"));
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  ends = true;
  watcher.join();
  ::close(first);
  const double accepted = metric(text, "lightcone_events_accepted_total");
  bool is_good = true;
  static_cast<void>(print_row("events", accepted, "", 0));
  static_cast<void>(print_row("events per second", accepted / seconds, "", 0));
  static_cast<void>(print_row("time to decide the rest after the last was sent",
                              seconds - std::chrono::duration<double>(sent - began).count(), "s",
                              0));
  is_good &= print_row("largest lag", most_lag, "s", options.most_lag);
  is_good &= print_row("99 % of verdicts within", quantile(text, "lightcone_verdict_seconds", 0.99),
                       "ms", options.most_delay);
  is_good &= print_row("most memory", most_memory / 1e6, "MB", options.most_memory);
  static_cast<void>(print_row("verdicts", static_cast<double>(monitor.verdicts()), "", 0));
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace lightcone::load

int main(int argc, char** argv) {
  lightcone::load::LoadOptions options;
  CLI::App app("Sends events to a monitor, and measures what it does.");
  app.add_option("PROGRAM", options.program, "lightcone-monitor")->required();
  app.add_option("--events", options.events, "how many");
  app.add_option("--rate", options.rate, "events per second; 0: as fast as the monitor takes them");
  app.add_option("--clients", options.clients, "connections");
  app.add_option("--odd", options.odd, "a verdict for one in so many rounds");
  app.add_option("--most-memory", options.most_memory, "fail beyond so many MB");
  app.add_option("--most-lag", options.most_lag, "fail beyond so many seconds");
  app.add_option("--most-delay", options.most_delay, "fail beyond so many milliseconds");
  app.add_flag("--state", options.stores, "let the monitor store what it accepts");
  CLI11_PARSE(app, argc, argv);
  return lightcone::load::run_load(options);
}
