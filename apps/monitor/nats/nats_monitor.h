// A monitor among others that share a stream of NATS: its partitions, and what it says about
// itself.
#pragma once

#include <lightcone/property.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "nats/nats_intake.h"
#include "nats/nats_link.h"
#include "nats/partition_share.h"
#include "nats/partition_worker.h"
#include "nats/snapshot_exchange.h"

namespace lightcone::service {

struct NatsMonitorOptions {
  std::string url = {};
  StreamNames names = StreamNames();
  std::size_t partitions = 0;  ///< 0: those that there are, or 16
  /// What must be the same for all monitors of the group: the texts of the properties.
  std::string identity = {};
  /// A monitor that was not heard of for so long is taken over.
  std::chrono::milliseconds takeover{6000};
  /// Of messages that were fetched and are not decided.
  std::size_t undecided_bytes = 32 << 20;
  /// Of all executions that this monitor decides.
  std::size_t execution_bytes = 1'000'000'000;
  WorkerOptions worker = {};
};

/// Safe to use from several threads.
class NatsMonitor {
 public:
  [[nodiscard]] static Expected<std::unique_ptr<NatsMonitor>> start(PropertyFile properties,
                                                                    NatsMonitorOptions options);
  NatsMonitor(const NatsMonitor&) = delete;
  NatsMonitor& operator=(const NatsMonitor&) = delete;
  /// Leaves its partitions to others.
  ~NatsMonitor();

  /// Lets monitors take snapshots together. What it returns must go before this and the intake do.
  [[nodiscard]] Expected<std::unique_ptr<SnapshotExchange>> share_snapshots(SnapshotIntake& intake);
  /// Returns whether this monitor decides an open execution of this name.
  [[nodiscard]] bool decides(const std::string& execution) const;
  /// Where clients of this monitor send to.
  [[nodiscard]] NatsIntake& intake() { return *intake_; }
  /// What all that is kept of open executions counts in.
  [[nodiscard]] const std::shared_ptr<ExecutionMemory>& memory() const {
    return options_.worker.partition.memory;
  }
  /// Why it cannot go on now; empty if it can.
  [[nodiscard]] std::string trouble() const;
  [[nodiscard]] std::string metrics() const;
  [[nodiscard]] std::string status() const;  ///< as JSON

 private:
  NatsMonitor(PropertyFile properties, NatsMonitorOptions options, std::unique_ptr<NatsLink> link);
  [[nodiscard]] Expected<void> agree_with_others();
  void run();
  void look();
  void change(const ShareChange& change);
  [[nodiscard]] std::vector<std::shared_ptr<const Partition>> partitions() const;
  [[nodiscard]] OwnPartitions own_partitions(const std::string& execution) const;

  PropertyFile properties_;
  NatsMonitorOptions options_;
  std::string name_;
  std::unique_ptr<NatsLink> link_;
  std::unique_ptr<PartitionShare> share_;
  std::unique_ptr<NatsIntake> intake_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool stops_ = false;
  std::map<std::uint32_t, std::unique_ptr<PartitionWorker>> workers_;
  std::atomic<std::size_t> monitors_ = 1;
  bool is_in_trouble_ = false;
  std::thread thread_;
};

}  // namespace lightcone::service
