// A thread that decides one partition, as long as this monitor owns it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "nats/fetch_room.h"
#include "nats/nats_link.h"
#include "nats/partition.h"

namespace lightcone::service {

struct WorkerOptions {
  PartitionOptions partition = {};
  std::string monitor = {};            ///< this one's name
  std::chrono::milliseconds quiet{0};  ///< executions that are quiet for so long end; 0: never
  std::chrono::milliseconds quiet_trace{5000};  ///< traces of spans are decided
  VerdictLog::Show show = {};
  std::shared_ptr<FetchRoom> room = {};  ///< of all partitions of this monitor
};

/// Takes a partition up where it was left, decides its messages, publishes their verdicts, and
/// stores how far it is. Whatever goes wrong, it begins again with what is stored: the stream has
/// the verdicts that were told.
class PartitionWorker {
 public:
  /// The link must outlive it.
  PartitionWorker(NatsLink& link, PropertyFile properties, WorkerOptions options);
  PartitionWorker(const PartitionWorker&) = delete;
  PartitionWorker& operator=(const PartitionWorker&) = delete;
  /// Stores how far it is.
  ~PartitionWorker();

  /// Does not wait for its end.
  void end_soon();
  /// Another monitor has taken the partition over.
  [[nodiscard]] bool is_done() const { return is_done_; }
  /// What it decides now; null: it has not begun.
  [[nodiscard]] std::shared_ptr<const Partition> partition() const;
  /// How many messages wait.
  [[nodiscard]] std::uint64_t pending() const { return pending_; }

 private:
  void run();
  [[nodiscard]] Expected<bool> is_owned();
  [[nodiscard]] Expected<void> take_up();
  [[nodiscard]] Expected<Partition::Told> told_since(std::uint64_t verdict);
  [[nodiscard]] Expected<void> work();
  [[nodiscard]] Expected<void> decide_next(NatsConsumer& consumer);
  [[nodiscard]] Expected<void> decide(const StreamMessage& message);
  [[nodiscard]] Expected<void> tell_verdicts(std::uint64_t message);
  [[nodiscard]] Expected<void> end_quiet();
  /// Returns whether it could be stored: it may be too large.
  [[nodiscard]] Expected<bool> save();
  void rest(std::chrono::milliseconds time);

  NatsLink& link_;
  PropertyFile properties_;
  WorkerOptions options_;
  std::string verdict_subject_, event_subject_, state_key_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool stops_ = false;
  std::shared_ptr<Partition> partition_;
  // Of the thread alone.
  /// All messages that came before that have been fetched. What comes later may be of executions
  /// that seem to be quiet.
  std::chrono::steady_clock::time_point caught_up_ = {};
  std::uint64_t last_verdict_ = 0, revision_ = 0, saved_next_ = 0, removed_ = 0;
  bool is_too_large_ = false;
  std::atomic<bool> is_done_ = false;
  std::atomic<std::uint64_t> pending_ = 0;
  std::thread thread_;
};

}  // namespace lightcone::service
