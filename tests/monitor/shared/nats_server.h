// A real nats-server on loopback, which tests kill and start again.
#pragma once

#include "monitor/monitor_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

namespace lightcone {

/// It keeps its port and its files when it is started again.
class NatsServer {
 public:
  explicit NatsServer(std::string folder) : folder_(std::move(folder)), port_(free_port()) {
    start();
  }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;
  ~NatsServer() {
    if (process_ > 0) kill();
  }

  [[nodiscard]] static bool is_installed() {
    for (const char* path : {"/usr/sbin/nats-server", "/usr/bin/nats-server"}) {
      if (std::filesystem::exists(path)) return true;
    }
    return false;
  }
  [[nodiscard]] std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  /// Returns whether it answers.
  bool start() {
    const std::string port = std::to_string(port_);
    process_ = ::fork();
    if (process_ == 0) {
      const int log = ::open((folder_ + "/nats.log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
      ::dup2(log, 1);
      ::dup2(log, 2);
      ::setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
      ::execlp("nats-server", "nats-server", "-js", "-a", "127.0.0.1", "-p", port.c_str(), "-sd",
               (folder_ + "/nats").c_str(), nullptr);
      ::_exit(127);
    }
    for (int i = 0; i < 1000; ++i) {
      LineClient client(port_);
      if (client.is_connected() && client.line(1000).starts_with("INFO")) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  void kill() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  [[nodiscard]] static std::uint16_t free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(socket, reinterpret_cast<const sockaddr*>(&address), size);
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return ntohs(address.sin_port);
  }

  std::string folder_;
  std::uint16_t port_;
  int process_ = -1;
};

}  // namespace lightcone
