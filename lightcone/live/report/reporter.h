// Sends the events of a live process to a monitor, without ever making the process wait.
#pragma once

#include <lightcone/error.h>
#include <lightcone/transport.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace lightcone {

class Json;

struct ReporterOptions {
  std::string address = {};    ///< HOST:PORT of the monitor, or `tls://HOST:PORT`
  std::string execution = {};  ///< empty: the one of the monitor
  std::string token = {};
  std::string process = {};
  std::string certificates = {};  ///< PEM file: who signs the monitor's; empty: the system's
  ConnectToMonitor connect = {};  ///< makes connections to the address; empty: over a socket
  /// How long a monitor may refuse the process for reasons that pass, before it is given up.
  std::chrono::milliseconds longest_refusal{600'000};
  /// Where lines go that do not fit into memory while the monitor is gone; empty: they are lost.
  std::string overflow_file = {};
  std::size_t most_bytes = 16 << 20;  ///< in memory
  /// Called from the thread of the reporter.
  std::function<void(const Error&)> on_error = {};
};

/// Lines are kept until the monitor has stored them. It may ask for parts of snapshots, which are
/// not kept. A connection that breaks is made again, and what was not stored is sent again; the
/// monitor knows events by their ranks.
class Reporter {
 public:
  [[nodiscard]] static Expected<std::unique_ptr<Reporter>> start(ReporterOptions options);
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  /// Waits two seconds for the monitor to store what is left, and on as long as it does.
  ~Reporter();

  /// The line of the event of this rank; 0: the initial state. Never waits for the network.
  void add(std::uint64_t rank, std::string line);
  /// What the monitor asks about snapshots.
  struct SnapshotQuestion {
    std::uint64_t reach = 0;  ///< to take part in this snapshot; 0: which was the last one
  };
  /// Who answers. Called in the thread of the reporter, before any line is added.
  void answer_by(std::function<void(const SnapshotQuestion&)> answer) {
    answer_ = std::move(answer);
  }
  /// Returns whether the monitor has asked for parts a short time ago.
  [[nodiscard]] bool wants_parts() const;
  /// A line with a part, or another answer. It is dropped if it is too long for the monitor, or if
  /// too many wait.
  void add_part(std::string line);
  /// How many events will never be sent.
  [[nodiscard]] std::uint64_t lost() const;

 private:
  struct Line {
    std::uint64_t rank = 0;
    std::string text;
  };
  explicit Reporter(ReporterOptions options) : options_(std::move(options)) {}
  void run();
  void speak(MonitorConnection& connection);
  void note_absence(MonitorConnection& connection);
  [[nodiscard]] std::string first_line();
  [[nodiscard]] std::string next_batch();
  void take_answer(std::string_view line);
  void take_stored(const Json& stored);
  void take_refusal(const Json& answer);
  void stop_for_good(const std::string& why);
  void pause_between(bool was_good);
  void take_question(const Json& question);
  void refill();
  [[nodiscard]] bool write_overflow(std::uint64_t rank, std::string_view line);
  [[nodiscard]] bool is_all_stored() const;
  [[nodiscard]] bool is_all_told() const;
  [[nodiscard]] bool has_lines() const;
  void tell(const std::string& what);

  ReporterOptions options_;
  std::string told_trouble_;              // why there is no connection; of its thread
  std::chrono::milliseconds pause_ = {};  // before the next connection; of its thread
  std::chrono::steady_clock::time_point refused_since_ = {};  // for now; of its thread
  bool is_refused_now_ = false;                               // over this connection; of its thread
  mutable std::mutex mutex_;                                  // of what follows
  std::condition_variable changed_;
  std::deque<Line> lines_;  // in memory, not stored by the monitor
  std::size_t bytes_ = 0;   // of them
  std::size_t sent_ = 0;    // so many of them were sent over this connection
  std::deque<std::pair<std::uint64_t, std::uint32_t>> overflowed_;  // rank and size, in the file
  std::uint64_t read_at_ = 0, written_at_ = 0;                      // in the file
  int overflow_ = -1;
  std::uint64_t lost_ = 0, first_lost_ = 0;
  std::uint64_t next_rank_ = 0;  // of a line that was not added yet
  std::deque<std::string> parts_;
  std::size_t part_bytes_ = 0;
  std::chrono::steady_clock::time_point parts_until_ = {};
  std::function<void(const SnapshotQuestion&)> answer_;
  bool has_told_loss_ = false;   // the monitor, over this connection
  bool has_noted_loss_ = false;  // the program
  bool stops_ = false, is_refused_ = false, is_ending_ = false;
  bool is_connected_ = false;
  std::thread thread_;
};

}  // namespace lightcone
