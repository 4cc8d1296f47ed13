// Finds the connections of a port among the open files of this program.
#include "serve/slow_clients.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>

namespace lightcone::service {
namespace {

constexpr std::chrono::milliseconds between_looks{250};

[[nodiscard]] std::uint16_t port_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  }
  if (address.ss_family != AF_INET6) return 0;
  return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

/// The other end of a connection of this port; nothing if the file is none.
[[nodiscard]] std::optional<SlowClients::Peer> peer_of(int descriptor, std::uint16_t port) {
  sockaddr_storage own{}, other{};
  socklen_t own_size = sizeof own, other_size = sizeof other;
  auto* const here = reinterpret_cast<sockaddr*>(&own);
  auto* const there = reinterpret_cast<sockaddr*>(&other);
  if (::getsockname(descriptor, here, &own_size) != 0 || port_of(own) != port) return std::nullopt;
  if (::getpeername(descriptor, there, &other_size) != 0) return std::nullopt;
  char host[NI_MAXHOST];
  if (::getnameinfo(there, other_size, host, sizeof host, nullptr, 0, NI_NUMERICHOST) != 0) {
    return std::nullopt;
  }
  return SlowClients::Peer(host, port_of(other));
}

}  // namespace

SlowClients::~SlowClients() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SlowClients::watch(std::uint16_t port) {
  port_ = port;
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, between_looks, [&] { return stops_; })) look();
  });
}

void SlowClients::note(const Peer& peer, Doing doing) {
  const std::lock_guard lock(mutex_);
  Connection& connection = connections_[peer];
  connection.doing = doing;
  connection.since = Clock::now();
}

void SlowClients::find_connections() {
  for (auto& [peer, connection] : connections_) connection.is_there = false;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    const auto peer = peer_of(descriptor, port_);
    if (!peer) continue;
    Connection& connection = connections_[*peer];
    connection.is_there = true;
    connection.descriptor = descriptor;
  }
  std::erase_if(connections_, [](const auto& entry) { return !entry.second.is_there; });
}

bool SlowClients::is_too_slow(const Connection& connection, bool is_crowded) const {
  const auto time = Clock::now() - connection.since;
  switch (connection.doing) {
    case Doing::sends_heading: return time > (is_crowded ? patience_.crowded : patience_.heading);
    case Doing::sends_body:
    case Doing::takes_answer: return time > patience_.body;
    case Doing::waits: return false;
  }
  return false;
}

/// If some wait for their turn, as many of the others go as wait, the slowest first.
void SlowClients::look() {
  find_connections();
  std::vector<std::pair<Peer, Connection>> all(connections_.begin(), connections_.end());
  std::ranges::sort(all, {}, [](const auto& entry) { return entry.second.since; });
  std::size_t waiting = all.size() - std::min(all.size(), patience_.at_a_time);
  for (const auto& [peer, connection] : all) {
    if (!is_too_slow(connection, waiting > 0)) continue;
    if (waiting > 0) --waiting;
    if (peer_of(connection.descriptor, port_) == peer) ::shutdown(connection.descriptor, SHUT_RDWR);
  }
}

}  // namespace lightcone::service
