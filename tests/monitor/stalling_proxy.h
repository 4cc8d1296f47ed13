// A network that holds bytes back: between clients and a monitor, on loopback.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace lightcone {

/// Passes bytes on in pieces of any size, stops for a while now and then, and cuts connections.
class StallingProxy {
 public:
  StallingProxy(std::uint16_t to, std::uint64_t seed)
      : to_(to), seed_(seed), listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    ::bind(listening_, generic, size);
    ::listen(listening_, 16);
    ::getsockname(listening_, generic, &size);
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept(); });
  }
  StallingProxy(const StallingProxy&) = delete;
  StallingProxy& operator=(const StallingProxy&) = delete;
  ~StallingProxy() {
    stops_ = true;
    accepting_.join();
    for (std::thread& thread : connections_) thread.join();
    ::close(listening_);
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] int stalls() const { return stalls_; }
  [[nodiscard]] int cuts() const { return cuts_; }

 private:
  [[nodiscard]] static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  void accept() {
    while (!stops_) {
      pollfd waits{listening_, POLLIN, 0};
      if (::poll(&waits, 1, 50) <= 0) continue;
      const int client = ::accept(listening_, nullptr, nullptr);
      if (client >= 0)
        connections_.emplace_back([this, client, seed = ++seed_] {
          pass_on(client, seed);
          ::close(client);
        });
    }
  }
  void pass_on(int client, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const int monitor = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(to_);
    if (::connect(monitor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      while (!stops_ && pass_piece(client, monitor, random)) {
      }
    }
    ::close(monitor);
  }
  /// False: the connection is over.
  [[nodiscard]] bool pass_piece(int client, int monitor, std::mt19937_64& random) {
    pollfd waits[] = {{client, POLLIN, 0}, {monitor, POLLIN, 0}};
    if (::poll(waits, 2, 50) <= 0) return true;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].revents == 0) continue;
      char buffer[3000];
      const ssize_t size = ::recv(waits[i].fd, buffer, 1 + random() % sizeof buffer, 0);
      if (size <= 0) return false;
      if (random() % 40 == 0) {
        ++stalls_;
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 200));
      }
      if (random() % 80 == 0) {
        ++cuts_;
        return false;  // what was read is lost
      }
      if (::send(waits[1 - i].fd, buffer, static_cast<std::size_t>(size), MSG_NOSIGNAL) != size) {
        return false;
      }
    }
    return true;
  }

  std::uint16_t to_, port_ = 0;
  std::uint64_t seed_;
  int listening_;
  std::atomic<bool> stops_ = false;
  std::atomic<int> stalls_ = 0, cuts_ = 0;
  std::vector<std::thread> connections_;
  std::thread accepting_;
};

}  // namespace lightcone
