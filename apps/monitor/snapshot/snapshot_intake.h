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

#include "accept/arrival_taker.h"
#include "snapshot/snapshot_answer.h"

namespace lightcone::service {

/// Stands between the clients and the monitor. It keeps answers about snapshots for itself, and
/// passes all else on.
///
/// A snapshot is taken in two steps. First each process tells the last snapshot that it has saved
/// its state for. Then all are asked for the one after the greatest of these. So every state of the
/// snapshot is saved after the question came.
class SnapshotIntake final : public ArrivalTaker {
 public:
  /// Returns the processes of an execution, each with the client that may speak for it. Nothing: it
  /// is not open.
  using Processes =
      std::function<std::optional<std::map<std::string, std::string>>(const std::string&)>;

  SnapshotIntake(ArrivalTaker& behind, Processes processes);

  void offer(Arrival arrival) override;
  void settle() override { behind_.settle(); }

  /// Takes a snapshot. Returns when all states are there, or after so long.
  [[nodiscard]] Expected<TakenSnapshot> take(const std::string& execution,
                                             std::chrono::milliseconds patience);
  /// Ends all snapshots that are under way.
  void stop();

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

  void note_speaker(const Arrival& arrival, const Heading& heading);
  void hear(const LineSource& source, const Heading& heading);
  void hear_part(const Heading& heading, const Json& part);
  void hear_end(const Name& name, const std::shared_ptr<const LocalPart>& part);
  void forget_old_ends();
  [[nodiscard]] std::shared_ptr<LineSource> source_of(const Name& name,
                                                      const std::string& owner) const;
  [[nodiscard]] Questions questions_of(Request& request) const;
  /// Asks again and again, until `is_done`, the deadline or the end.
  void ask_until(Request& request, Clock::time_point deadline, const std::function<bool()>& is_done,
                 std::unique_lock<std::mutex>& lock);
  void begin(Request& request) const;
  [[nodiscard]] TakenSnapshot taken_by(const Request& request) const;

  ArrivalTaker& behind_;
  Processes processes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Name, Speaker> speakers_;
  std::map<Name, std::shared_ptr<const LocalPart>> ended_;  // the last state of each
  std::list<Request*> requests_;
  bool stops_ = false;
};

}  // namespace lightcone::service
