// Takes snapshots of running programs: asks the processes that report, and puts their parts
// together.
#pragma once

#include <lightcone/error.h>
#include <lightcone/snapshot.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accept/arrival_taker.h"
#include "snapshot/far_processes.h"
#include "snapshot/part_memory.h"
#include "snapshot/snapshot_answer.h"

namespace lightcone::service {

/// The sentence on an execution that nobody knows.
[[nodiscard]] std::string no_open_execution(const std::string& execution);

/// Stands between the clients and the monitor. It keeps answers about snapshots for itself, and
/// passes all else on.
///
/// A snapshot is taken in two steps. First each process tells the last snapshot that it has saved
/// its state for. Then all are asked for the one after the greatest of these. So every state of the
/// snapshot is saved after the question came.
///
/// Of monitors that share a stream, each has such an intake. The one that is asked takes the
/// snapshot. It asks the processes that report to it, and through the other monitors those that
/// report to them.
class SnapshotIntake final : public ArrivalTaker {
 public:
  /// Processes, each with the client that may speak for it; nobody: any client may.
  using Owners = std::map<std::string, std::string>;
  /// What is known of executions.
  struct Executions {
    /// Returns the processes of an execution, or why there are none.
    std::function<Expected<Owners>(const std::string&)> processes;
    /// Returns whether the execution is open, as far as it is known here.
    std::function<bool(const std::string&)> is_open;
  };

  SnapshotIntake(ArrivalTaker& behind, Executions executions);
  /// Before anything is offered: where the memory of parts is counted.
  void count_memory_in(std::shared_ptr<ExecutionMemory> memory) {
    memory_.count_in(std::move(memory));
  }
  /// Other monitors take part from now on; null: no more. They must outlive that.
  void share_with(FarProcesses* far);

  void offer(Arrival arrival) override;
  void settle() override { behind_.settle(); }

  /// Takes a snapshot. Returns when all states are there, or after so long.
  [[nodiscard]] Expected<TakenSnapshot> take(const std::string& execution,
                                             std::chrono::milliseconds patience);
  /// Ends all snapshots that are under way.
  void stop();

  /// Another monitor asks the processes that report here. They answer it for some seconds.
  void ask_for(const std::string& monitor, const std::string& execution, const Json& question);
  /// A process that reports to another monitor answers.
  void hear(const SnapshotAnswer& answer);
  /// A process reports to another monitor now.
  void hear_begin(const std::string& execution, const std::string& process);
  /// The processes of an execution that report here and take part in snapshots.
  [[nodiscard]] Owners speakers(const std::string& execution) const;

 private:
  using Clock = std::chrono::steady_clock;
  using Name = std::pair<std::string, std::string>;  // of an execution, and of a process
  using Questions = std::vector<std::pair<std::shared_ptr<LineSource>, std::string>>;
  /// Who answers for a process.
  struct Speaker {
    std::weak_ptr<LineSource> source;
    std::string client;
  };
  struct Request;
  /// Another monitor, which wants to know what is answered.
  struct FarRequest {
    std::string monitor, execution;
    Clock::time_point until;
  };

  void note_speaker(const Arrival& arrival, const Heading& heading);
  void hear(const LineSource& source, const Heading& heading);
  void deliver(const SnapshotAnswer& answer);
  void deliver_colour(const SnapshotAnswer& answer);
  void deliver_part(const SnapshotAnswer& answer);
  void hear_end(const Name& name, const std::shared_ptr<const LocalPart>& part);
  [[nodiscard]] std::vector<std::string> monitors_that_ask(const std::string& execution);
  void forget_old_ends();
  void forget_end(const Name& name);
  template <class Part>
  void add(Request& request, const std::string& process, const std::shared_ptr<const Part>& part);
  [[nodiscard]] std::shared_ptr<LineSource> source_of(const Name& name,
                                                      const std::string& owner) const;
  [[nodiscard]] static Json question_of(const Request& request);
  [[nodiscard]] Questions questions_of(Request& request) const;
  /// Asks again and again, until `is_done`, the deadline or the end.
  void ask_until(Request& request, Clock::time_point deadline, const std::function<bool()>& is_done,
                 std::unique_lock<std::mutex>& lock);
  void begin(Request& request);
  [[nodiscard]] TakenSnapshot taken_by(const Request& request) const;

  ArrivalTaker& behind_;
  Executions executions_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::map<Name, Speaker> speakers_;
  PartMemory memory_;                                       // of what follows, and of requests
  std::map<Name, std::shared_ptr<const LocalPart>> ended_;  // the last state of each
  std::list<Request*> requests_;
  std::list<FarRequest> far_requests_;
  FarProcesses* far_ = nullptr;  // null: there are no other monitors
  bool stops_ = false;
};

}  // namespace lightcone::service
