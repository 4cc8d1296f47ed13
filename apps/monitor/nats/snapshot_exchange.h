// What monitors that share a stream tell each other, so that each can take snapshots of programs
// whose processes report to any of them.
#pragma once

#include <lightcone/error.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "nats/nats_link.h"
#include "snapshot/far_processes.h"
#include "snapshot/snapshot_intake.h"

namespace lightcone::service {

/// What a monitor knows of the partitions that it decides.
struct OwnPartitions {
  std::vector<std::uint32_t> numbers = {};
  /// Open executions, with their processes and the clients that may speak for them.
  std::map<std::string, SnapshotIntake::Owners> executions = {};
};

/// The monitor that is asked for a snapshot asks all others. Each answers which partitions it
/// decides, what it knows of the execution, and which processes of it report to it. Then the
/// questions of the snapshot go to all monitors, and from there to the processes.
///
/// All of it is JSON. What is told is not stored. A message that is lost makes a snapshot that says
/// which process is missing.
class SnapshotExchange final : public FarProcesses {
 public:
  struct Options {
    std::string monitor = {};  ///< this one's name
    std::size_t partitions = 1;
    std::function<std::size_t()> monitors = {};  ///< how many there are, with this one
    /// What this one decides; of one execution, or of all if the name is empty.
    std::function<OwnPartitions(const std::string&)> own = {};
  };
  /// Link and intake must outlive it.
  [[nodiscard]] static Expected<std::unique_ptr<SnapshotExchange>> start(NatsLink& link,
                                                                         SnapshotIntake& intake,
                                                                         Options options);
  ~SnapshotExchange() override;

  /// The processes of an execution that any monitor has heard of. An error, if nobody knows it, or
  /// if not all monitors answer.
  [[nodiscard]] Expected<SnapshotIntake::Owners> processes_of(const std::string& execution);
  /// The names of open executions, of all monitors.
  [[nodiscard]] Expected<std::vector<std::string>> open_executions();

  void ask(const std::string& execution, const Json& question) override;
  void answer(const std::string& monitor, const SnapshotAnswer& answer) override;
  void tell_begin(const std::string& execution, const std::string& process) override;

 private:
  /// What the other monitors have said to one question so far.
  struct Inquiry {
    std::string execution = {};
    std::set<std::string> monitors = {};
    std::set<std::uint64_t> partitions = {};
    bool is_open = false, is_too_large = false;
    SnapshotIntake::Owners processes = {};
    std::set<std::string> names = {};
  };

  SnapshotExchange(NatsLink& link, SnapshotIntake& intake, Options options);
  [[nodiscard]] Expected<Inquiry> inquire(const std::string& execution);
  [[nodiscard]] Json own_answer(const std::string& execution) const;
  static void add(Inquiry& inquiry, const Json& answer);
  void hear_question(const std::string& bytes);
  void hear_answer(const std::string& bytes);
  void tell(const std::string& subject, const Json& message);

  NatsLink& link_;
  SnapshotIntake& intake_;
  Options options_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::uint64_t inquiries_begun_ = 0;
  std::map<std::uint64_t, Inquiry*> inquiries_;
  std::unique_ptr<NatsListener> questions_, answers_;
};

}  // namespace lightcone::service
