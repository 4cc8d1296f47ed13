// The program `lightcone-monitor` as a process that tests start, kill and start again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lightcone {

/// A monitor that listens on 127.0.0.1.
class MonitorProcess {
 public:
  /// Waits until it says where it listens. Its output goes to files in the folder.
  MonitorProcess(const std::string& folder, std::vector<std::string> arguments);
  MonitorProcess(const MonitorProcess&) = delete;
  MonitorProcess& operator=(const MonitorProcess&) = delete;
  ~MonitorProcess();

  /// 0: it did not come up.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::uint16_t web_port() const { return web_port_; }
  /// The port that it says after these words.
  [[nodiscard]] std::uint16_t port_of(const std::string& words) const;
  void kill();
  /// Ends it by SIGTERM; returns its exit status.
  int end();
  [[nodiscard]] std::string output() const;
  [[nodiscard]] std::string errors() const;

 private:
  int wait();

  std::string folder_;
  int process_ = -1;
  std::uint16_t port_ = 0, web_port_ = 0;
};

/// A client's connection; -1: nobody listens.
class LineClient {
 public:
  explicit LineClient(std::uint16_t port);
  LineClient(const LineClient&) = delete;
  LineClient& operator=(const LineClient&) = delete;
  ~LineClient();

  /// False: the other end is gone.
  bool send(const std::string& text) const;
  /// The next line; empty: none came in time, or the other end is gone.
  [[nodiscard]] std::string line(int milliseconds);
  [[nodiscard]] bool is_connected() const { return socket_ >= 0 && !is_gone_; }
  /// Says that nothing follows.
  void finish() const;

 private:
  int socket_ = -1;
  bool is_gone_ = false;
  std::string rest_;
};

/// The body of what a web server answers; with the status line where `whole`.
[[nodiscard]] std::string web_get(std::uint16_t port, const std::string& path,
                                  const std::string& headers = {}, bool whole = false);

}  // namespace lightcone
