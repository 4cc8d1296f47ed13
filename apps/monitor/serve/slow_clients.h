// Ends connections of clients that keep a web server waiting.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lightcone::service {

struct ClientPatience {
  std::chrono::milliseconds heading{10'000};  ///< for the lines before the body
  std::chrono::milliseconds body{60'000};     ///< and for taking the answer
  std::chrono::milliseconds crowded{1'000};   ///< for a heading, if others wait for their turn
  std::size_t at_a_time = 32;                 ///< how many are served
};

/// The library that serves HTTP limits each read, but not all of them together: who sends a byte
/// now and then would occupy a thread forever. So this looks at the connections of the server's
/// port, and shuts those whose request takes too long. Safe to use from several threads.
class SlowClients {
 public:
  using Peer = std::pair<std::string, int>;  ///< address and port
  enum class Doing : std::uint8_t { sends_heading, sends_body, waits, takes_answer };

  explicit SlowClients(ClientPatience patience) : patience_(patience) {}
  SlowClients(const SlowClients&) = delete;
  SlowClients& operator=(const SlowClients&) = delete;
  ~SlowClients();

  /// Of this port of this machine.
  void watch(std::uint16_t port);
  void note(const Peer& peer, Doing doing);

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    Doing doing = Doing::sends_heading;
    Clock::time_point since = Clock::now();
    int descriptor = -1;  // as seen last
    bool is_there = true;
  };
  void look();
  void find_connections();
  [[nodiscard]] bool is_too_slow(const Connection& connection, bool is_crowded) const;

  ClientPatience patience_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool stops_ = false;
  std::map<Peer, Connection> connections_;
  std::thread thread_;
};

}  // namespace lightcone::service
