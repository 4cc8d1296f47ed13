// The monitor: takes what arrives, stores it, decides it, and tells. Three steps, two threads.
#pragma once

#include <lightcone/error.h>
#include <lightcone/property.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "accept/acceptance.h"
#include "accept/accepted_log.h"
#include "accept/arrival_taker.h"
#include "decide/decider.h"
#include "serve/metrics.h"
#include "serve/silence.h"

namespace lightcone::service {

struct ServiceOptions {
  std::string state = {};   ///< the folder of the log; empty: nothing is stored
  std::string output = {};  ///< the file of the verdicts; empty: in the folder of the log
  /// What must be the same when the monitor starts again: the texts of the properties.
  std::string identity = {};
  AcceptanceLimits acceptance = {};
  ExecutionLimits execution = {};
  std::size_t undecided_bytes = 32 << 20;       ///< of memory, before clients have to wait
  std::size_t execution_bytes = 1'000'000'000;  ///< that all open executions may take together
  /// Of clients that are far ahead of others, one may go on after so long.
  std::chrono::milliseconds longest_hold{1000};
  std::uint64_t log_file_bytes = AcceptedLog::longest_file;
  std::string keep = {};  ///< the folder of failing executions; empty: they are not kept
  std::uint64_t keep_bytes = std::uint64_t{1} << 30;
  /// A trace of spans is decided when it has been quiet for so long.
  std::chrono::milliseconds quiet_trace{5000};
  SpanDeciderMaker span_decider = {};
  std::function<Expected<void>(SpanBatch&)> read_batch = {};
  /// Executions that have been quiet for so long end; 0: never.
  std::chrono::milliseconds quiet{0};
  /// A process that others wait for is reported after so long.
  std::chrono::milliseconds silent{5000};
  VerdictLog::Show show = {};
  std::function<void(const std::string&)> note = {};
};

/// Safe to use from several threads.
class MonitorService final : public ArrivalTaker {
 public:
  /// Decides again what the log holds, and goes on from there.
  [[nodiscard]] static Expected<std::unique_ptr<MonitorService>> start(PropertyFile properties,
                                                                       ServiceOptions options);
  MonitorService(const MonitorService&) = delete;
  MonitorService& operator=(const MonitorService&) = delete;
  ~MonitorService() override;

  void offer(Arrival arrival) override;
  /// Decides all that was offered, and ends. Executions end where `ends_all`; else a later start
  /// with the same folder goes on with them.
  [[nodiscard]] Expected<void> stop(bool ends_all);
  /// Waits until all that was offered so far is decided.
  void settle() override;
  /// From now on no client has to wait for others.
  void hold_nobody();

  /// Why it cannot go on; empty if it can.
  [[nodiscard]] std::string trouble() const;
  [[nodiscard]] std::string metrics() const;
  [[nodiscard]] std::string status() const;  ///< as JSON
  /// The executions that are open, with their processes.
  struct ProcessSummary {
    std::string owner;  ///< the client that may speak for it
    std::uint64_t events = 0;
  };
  using Processes = std::map<std::string, ProcessSummary>;
  [[nodiscard]] std::map<std::string, Processes> open_executions() const;
  /// What all that is kept of open executions counts in.
  [[nodiscard]] const std::shared_ptr<ExecutionMemory>& memory() const { return memory_; }
  /// Writes what came of an open execution to the folder of those that are kept.
  void write_open(const std::string& name) { decider_.write_open(name); }

 private:
  struct Group {
    std::vector<AcceptedItem> items;
    std::uint64_t file = 1;
  };

  MonitorService(PropertyFile properties, ServiceOptions options, VerdictLog verdicts);
  [[nodiscard]] Expected<void> take_up();
  void take_up_item(AcceptedItem item, std::uint64_t file);
  void take_up_spans(AcceptedItem item, std::uint64_t file);
  void store_and_pass_on();
  [[nodiscard]] bool store(std::deque<Arrival> arrivals, ArrivalTime now, bool is_last);
  void end_quiet(ArrivalTime now, bool is_last, const Acceptance::Take& take);
  void pass_on(Group group);
  void decide_groups();
  void decide(Group group);
  [[nodiscard]] bool flush_verdicts(std::vector<ArrivalTime>& told);
  void wait_for_room(const Arrival& arrival, std::unique_lock<std::mutex>& lock);
  void wait_for_others(const LineSource& source, std::unique_lock<std::mutex>& lock);
  void hold_clients();
  void release(std::size_t bytes);
  void save_position();
  void tick();
  [[nodiscard]] double lag() const;  // in seconds; under the lock
  void fail(const std::string& why);

  ServiceOptions options_;
  VerdictLog verdicts_;
  Decider decider_;
  std::shared_ptr<ExecutionMemory> memory_;  // of all open executions
  std::optional<AcceptedLog> log_;
  int lock_ = -1;  // of the folder
  std::uint64_t saved_file_ = 1;
  /// Executions and traces that were decided before, of which the log has only the last part.
  std::set<std::string, std::less<>> decided_before_;

  mutable std::mutex acceptance_mutex_;
  Acceptance acceptance_;
  Silence silence_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Arrival> arrivals_;
  std::deque<Group> groups_;
  std::size_t undecided_ = 0;                 // bytes of memory
  std::list<std::set<std::string>> blocked_;  // what clients that wait offer executions of
  ArrivalTime last_exception_ = {};           // when a client that is held went on
  bool holds_nobody_ = false;
  std::uint64_t offered_ = 0, stored_ = 0, passed_ = 0, decided_ = 0;
  bool stops_ = false, ends_all_ = false, is_stored_ = false;
  std::string trouble_;

  DurationCounts until_decided_, until_stored_;
  std::atomic<std::int64_t> oldest_undecided_ = 0;  // nanoseconds of the steady clock; 0: none
  std::vector<std::weak_ptr<LineSource>> held_;     // of the thread that decides
  std::thread storing_, deciding_;
};

}  // namespace lightcone::service
