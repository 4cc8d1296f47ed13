// Monitors that a load generator starts, and what they say about themselves.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::load {

/// A connection to a port of this machine; -1: nobody listens.
[[nodiscard]] int connected_socket(std::uint16_t port);
/// Ends this program if the other end is gone.
void send_all(int socket, std::string_view text);

/// A program with its files in a folder of its own. It is ended with this object.
class StartedProgram {
 public:
  /// `{}` in a word stands for the folder. Where a core is given, it runs on no other.
  StartedProgram(std::vector<std::string> words, const std::string& rules,
                 std::optional<int> core = std::nullopt);
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;
  ~StartedProgram();

  /// Waits until it says where it does this; 0: it does not come up.
  [[nodiscard]] std::uint16_t port_after(const std::string& words) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// How long processors have worked for it.
  [[nodiscard]] double processor_seconds() const;
  void pause() const;
  void go_on() const;

 private:
  std::string folder_;
  pid_t process_ = -1;
};

/// A monitor that serves metrics.
class StartedMonitor {
 public:
  StartedMonitor(const std::string& program, std::string_view rules, std::vector<std::string> more,
                 std::optional<int> core = std::nullopt);

  [[nodiscard]] std::uint16_t port_after(const std::string& words) const {
    return program_.port_after(words);
  }
  /// All metrics; empty if it does not answer.
  [[nodiscard]] std::string metrics() const;
  [[nodiscard]] const StartedProgram& program() const { return program_; }

 private:
  StartedProgram program_;
  std::uint16_t web_ = 0;
};

/// A server of NATS with JetStream.
class StartedNats {
 public:
  StartedNats();
  [[nodiscard]] std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] const StartedProgram& program() const { return program_; }

 private:
  std::uint16_t port_;
  StartedProgram program_;
};

using Monitors = std::vector<std::unique_ptr<StartedMonitor>>;

/// Monitors that share a stream begin when each has its part of it. False: they do not share it.
[[nodiscard]] bool have_parts(const Monitors& monitors);
/// A value of the metrics of all of them.
[[nodiscard]] double sum(const Monitors& monitors, const std::string& name);

/// A value of the metrics; the sum of those with labels; 0 if there is none.
[[nodiscard]] double metric(const std::string& text, const std::string& name);
/// Below what bound this part of the durations lies, in milliseconds.
[[nodiscard]] double quantile(const std::string& text, const std::string& name, double part);
/// Prints a row of the table. Returns whether the limit is kept; 0: there is none.
[[nodiscard]] bool print_row(const char* what, double value, const char* unit, double limit = 0);

}  // namespace lightcone::load
