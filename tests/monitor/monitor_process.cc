// Starts and kills monitors, and speaks to them over plain sockets.
#include "monitor/monitor_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The number after the last colon of the line with these words.
[[nodiscard]] std::uint16_t port_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  const std::size_t end = at == std::string::npos ? at : text.find('\n', at);
  if (end == std::string::npos) return 0;
  return static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':', end) + 1)));
}

}  // namespace

MonitorProcess::MonitorProcess(const std::string& folder, std::vector<std::string> arguments)
    : folder_(folder) {
  arguments.insert(arguments.begin(), LIGHTCONE_MONITOR_PROGRAM);
  const bool serves_web = std::ranges::find(arguments, "--http") != arguments.end();
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const std::string out = folder + "/out", err = folder + "/err";
  std::ofstream(err).close();  // what another one said there is not taken for this one's
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    ::dup2(::open(out.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600), 1);
    ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), 2);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  for (int i = 0; i < 2000 && (port_ == 0 || (serves_web && web_port_ == 0)); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::string said = errors();
    port_ = port_after(said, "listens at");
    web_port_ = port_after(said, "serves metrics at");
    if (::waitpid(process_, nullptr, WNOHANG) != 0) {
      process_ = -1;
      return;
    }
  }
}

MonitorProcess::~MonitorProcess() {
  if (process_ > 0) kill();
}

int MonitorProcess::wait() {
  int status = -1;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::uint16_t MonitorProcess::port_of(const std::string& words) const {
  const std::string said = errors();
  const std::size_t at = said.find(words);
  if (at == std::string::npos) return 0;
  const std::size_t end = said.find('\n', at);
  return static_cast<std::uint16_t>(std::stoi(said.substr(said.rfind(':', end) + 1)));
}

void MonitorProcess::kill() {
  ::kill(process_, SIGKILL);
  wait();
}

int MonitorProcess::end() {
  if (process_ < 0) return -1;
  ::kill(process_, SIGTERM);
  return wait();
}

std::string MonitorProcess::output() const { return text_of(folder_ + "/out"); }
std::string MonitorProcess::errors() const { return text_of(folder_ + "/err"); }

LineClient::LineClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket_, generic, sizeof address) == 0) return;
  ::close(socket_);
  socket_ = -1;
}

LineClient::~LineClient() {
  if (socket_ >= 0) ::close(socket_);
}

bool LineClient::send(const std::string& text) const {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t sent = ::send(socket_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

std::string LineClient::line(int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    if (const std::size_t found = rest_.find('\n'); found != std::string::npos) {
      const std::string line = rest_.substr(0, found);
      rest_.erase(0, found + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd waits{socket_, POLLIN, 0};
    if (is_gone_) return std::exchange(rest_, {});  // a last line without its end
    if (left.count() < 0 || ::poll(&waits, 1, static_cast<int>(left.count())) <= 0) {
      return {};
    }
    char buffer[4096];
    const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
    if (size <= 0) is_gone_ = true;
    if (size > 0) rest_.append(buffer, static_cast<std::size_t>(size));
  }
}

void LineClient::finish() const { ::shutdown(socket_, SHUT_WR); }

std::string web_get(std::uint16_t port, const std::string& path, const std::string& headers,
                    bool whole) {
  LineClient client(port);
  if (!client.is_connected()) return {};
  client.send("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n" + headers + "\r\n");
  std::string all;
  for (;;) {
    const std::string line = client.line(5000);
    if (line.empty() && !client.is_connected()) break;
    all += line + '\n';
  }
  if (whole) return all;
  const std::size_t body = all.find("\r\n\r\n");
  return body == std::string::npos ? all : all.substr(body + 4);
}

}  // namespace lightcone
