// Starts programs, and reads what they print and serve.
#include "started_monitor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace lightcone::load {
namespace {

constexpr int trials = 1000;
constexpr std::chrono::milliseconds between_trials{10};

[[nodiscard]] std::string new_folder() {
  std::string folder = (std::filesystem::temp_directory_path() / "monitor-load-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) std::exit(1);
  return folder;
}

[[nodiscard]] sockaddr_in local_address(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// A port that nobody has now.
[[nodiscard]] std::uint16_t free_port() {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = local_address(0);
  socklen_t size = sizeof address;
  ::bind(made, reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(made, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(made);
  return ntohs(address.sin_port);
}

/// Debian has it where programs of administrators are.
[[nodiscard]] std::string nats_program() {
  const std::string usual = "/usr/sbin/nats-server";
  return std::filesystem::exists(usual) ? usual : "nats-server";
}

void stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  ::sched_setaffinity(0, sizeof cores, &cores);
}

}  // namespace

int connected_socket(std::uint16_t port) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = local_address(port);
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

StartedProgram::StartedProgram(std::vector<std::string> words, const std::string& rules,
                               std::optional<int> core)
    : folder_(new_folder()) {
  std::ofstream(folder_ + "/load.prop") << rules;
  for (std::string& word : words) {
    if (const std::size_t at = word.find("{}"); at != std::string::npos) {
      word.replace(at, 2, folder_);
    }
  }
  process_ = ::fork();
  if (process_ != 0) return;
  if (core) stay_on(*core);
  const std::string err = folder_ + "/err";
  const int file = ::open(err.c_str(), O_CREAT | O_WRONLY, 0600);
  ::dup2(file, 1);
  ::dup2(file, 2);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

StartedProgram::~StartedProgram() {
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  std::filesystem::remove_all(folder_);
}

double StartedProgram::processor_seconds() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
  std::string word;
  while (file >> word && !word.ends_with(')')) {
  }
  constexpr int before_times = 11;
  for (int i = 0; i < before_times; ++i) file >> word;
  double user = 0, system = 0;
  file >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void StartedProgram::pause() const { ::kill(process_, SIGSTOP); }
void StartedProgram::go_on() const { ::kill(process_, SIGCONT); }

std::uint16_t StartedProgram::port_after(const std::string& words) const {
  for (int i = 0; i < trials; ++i) {
    std::ostringstream said;
    said << std::ifstream(folder_ + "/err").rdbuf();
    const std::string text = said.str();
    const std::size_t at = text.find(words);
    const std::size_t end = at == std::string::npos ? at : text.find('\n', at);
    if (end != std::string::npos) {
      return static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':', end) + 1)));
    }
    std::this_thread::sleep_for(between_trials);
  }
  fmt::print(stderr, "no monitor {}\n", words);
  return 0;
}

StartedMonitor::StartedMonitor(const std::string& program, std::string_view rules,
                               std::vector<std::string> more, std::optional<int> core)
    : program_(
          [&] {
            more.insert(more.begin(), {program, "{}/load.prop", "--http", "127.0.0.1:0"});
            return more;
          }(),
          std::string(rules), core),
      web_(program_.port_after("serves metrics at")) {}

std::string StartedMonitor::metrics() const {
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

StartedNats::StartedNats()
    : port_(free_port()),
      program_({nats_program(), "-js", "-a", "127.0.0.1", "-p", std::to_string(port_), "-sd",
                "{}/stream"},
               "") {
  for (int i = 0; i < trials; ++i) {
    if (const int socket = connected_socket(port_); socket >= 0) {
      ::close(socket);
      return;
    }
    std::this_thread::sleep_for(between_trials);
  }
  fmt::print(stderr, "nats-server does not start\n");
  std::exit(1);
}

bool have_parts(const Monitors& monitors) {
  constexpr double partitions = 16;
  const double fair = partitions / static_cast<double>(monitors.size());
  for (int i = 0; i < 600; ++i) {
    const bool is_fair = std::ranges::all_of(monitors, [&](const auto& monitor) {
      return metric(monitor->metrics(), "lightcone_partitions_owned") == fair;
    });
    if (is_fair) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  fmt::print(stderr, "the monitors do not share the stream\n");
  return false;
}

double sum(const Monitors& monitors, const std::string& name) {
  double all = 0;
  for (const auto& monitor : monitors) all += metric(monitor->metrics(), name);
  return all;
}

double metric(const std::string& text, const std::string& name) {
  double sum = 0;
  for (std::size_t at = text.find("\n" + name); at != std::string::npos;
       at = text.find("\n" + name, at + 1)) {
    std::size_t value = at + 1 + name.size();
    if (text[value] == '{') value = text.find("} ", value) + 1;
    if (text[value] == ' ') sum += std::atof(text.c_str() + value);
  }
  return sum;
}

double quantile(const std::string& text, const std::string& name, double part) {
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

bool print_row(const char* what, double value, const char* unit, double limit) {
  const bool is_kept = limit == 0 || value <= limit;
  fmt::print("{:<48} {:>12.4g} {}{}\n", what, value, unit,
             limit == 0 ? "" : fmt::format("  (limit {}{})", limit, is_kept ? "" : ": EXCEEDED"));
  return is_kept;
}

}  // namespace lightcone::load
