// How a process reaches the monitor that it reports to, for other ways than TCP and TLS.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A connection to a monitor. It carries lines both ways. One thread uses it.
class MonitorConnection {
 public:
  MonitorConnection() = default;
  MonitorConnection(const MonitorConnection&) = delete;
  MonitorConnection& operator=(const MonitorConnection&) = delete;
  virtual ~MonitorConnection() = default;

  /// False: nothing more can be sent or received.
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Why it is not open, for people; empty: the monitor is not there.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
  /// Sends whole lines. If they cannot be sent before long, the connection is closed.
  virtual void send(std::string_view lines) = 0;
  /// Returns the lines that have come, without their ends. Waits so long for the first of them.
  [[nodiscard]] virtual std::vector<std::string> receive(std::chrono::milliseconds patience) = 0;
};

/// Makes a connection to the monitor at an address, with the token that it asks for. Called in
/// the thread that reports, again and again while there is no connection. It must return before
/// long, also if the monitor is not there.
using ConnectToMonitor = std::function<std::unique_ptr<MonitorConnection>(
    const std::string& address, const std::string& token)>;

}  // namespace lightcone
