// What a monitor hears of a live process: its events, and its parts in snapshots that the monitor
// asks for.
#pragma once

#include <lightcone/live/process/live_trace.h>
#include <lightcone/live/process/process_snapshots.h>
#include <lightcone/live/report/part_line.h>
#include <lightcone/live/report/reporter.h>
#include <lightcone/process.h>
#include <lightcone/snapshot.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace lightcone {

/// Does nothing if the process reports to no monitor. The process is locked in all calls but
/// `is_monitored`.
class MonitoredProcess {
 public:
  MonitoredProcess(const ProcessOptions& options, const ProcessCounts& counts,
                   ProcessSnapshots& snapshots)
      : options_(options), counts_(counts), snapshots_(snapshots) {}
  MonitoredProcess(const MonitoredProcess&) = delete;
  MonitoredProcess& operator=(const MonitoredProcess&) = delete;

  /// Before the start: who speaks to the monitor. Its thread asks `answer` what the monitor asks.
  void report_by(std::unique_ptr<Reporter> reporter,
                 std::function<void(const Reporter::SnapshotQuestion&)> answer);
  [[nodiscard]] bool is_monitored() const { return reporter_ != nullptr; }
  [[nodiscard]] std::uint64_t lost() const { return reporter_ ? reporter_->lost() : 0; }

  void record(const LiveTrace::Row& row);
  /// The process gives a part to a snapshot.
  void give(const SnapshotPart& part);
  /// A thread waits for a message without a limit of time, or does so no more.
  void begin_wait();
  void end_wait();
  /// The calling thread takes a message. It waits no more, though its call has not returned.
  void took() { end_wait(); }
  /// The process is where its state may be saved.
  void reach_wanted();
  /// The monitor asks.
  void answer(const Reporter::SnapshotQuestion& question);
  /// The functions of the program are not called from now on.
  void end() { has_ended_ = true; }
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] std::optional<Awaited> told() const;

  const ProcessOptions& options_;
  const ProcessCounts& counts_;
  ProcessSnapshots& snapshots_;
  LastValues values_;
  std::map<std::thread::id, bool> waits_;  // whether they do, of the threads that ever waited
  std::uint64_t wanted_ = 0;               // the last snapshot that the monitor wants
  bool has_ended_ = false;
  std::unique_ptr<Reporter> reporter_;  // its thread uses what stands above
};

}  // namespace lightcone
