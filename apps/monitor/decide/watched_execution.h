// One execution that is watched: the growing check of the library, and what it could not use.
#pragma once

#include <lightcone/check/growing/growing_lines.h>
#include <lightcone/monitor.h>
#include <lightcone/states.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "decide/verdict_log.h"

namespace lightcone::service {

/// What one execution may make the monitor keep.
struct ExecutionLimits {
  std::size_t waiting = 1'000'000;   ///< events that wait for messages
  std::size_t messages = 1'000'000;  ///< messages that may still be received
  std::size_t far_ahead = 10'000;    ///< events that wait, before clients have to wait for others
  /// Of memory, for messages that all have received and that may be delivered again.
  std::size_t redelivery_bytes = 1 << 20;
  /// For each global property at the end. Not of time: decided again, it must be the same.
  Limits decision = {.states = 10'000'000, .bytes = 500'000'000};
};

/// Is told of the events of an execution in the order in which they were accepted.
class WatchedExecution {
 public:
  using Tell = std::function<void(const ToldVerdict&)>;
  /// Called with a process of which nothing more is used, and why.
  using Refuse = std::function<void(const std::string& process, const std::string& why)>;

  WatchedExecution(std::string name, const PropertyFile& properties, ExecutionLimits limits,
                   Tell tell, Refuse refuse);
  WatchedExecution(const WatchedExecution&) = delete;
  WatchedExecution& operator=(const WatchedExecution&) = delete;

  /// An event that no execution has is refused, and with it all that its process says later.
  void add(const JsonlLines& lines, const JsonlLine& line);
  void name_processes(const std::vector<std::string>& names);
  /// No more of this process is to be had, though there was more.
  void lose(const std::string& process, const std::string& why);
  /// Keeps nothing of it any more: what is not told yet is unknown.
  void give_up(const std::string& why);
  /// Tells what became of each property. No event follows.
  void end();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// False: it was given up, or has ended.
  [[nodiscard]] bool is_followed() const { return check_.has_value(); }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t ignored() const { return ignored_; }
  [[nodiscard]] std::size_t waiting() const { return check_ ? check_->waiting() : 0; }
  [[nodiscard]] std::size_t messages() const { return check_ ? check_->messages_kept() : 0; }
  /// About how much memory it takes.
  [[nodiscard]] std::size_t bytes() const;
  /// Which process waits for which message, that nobody has told of sending.
  [[nodiscard]] std::vector<MonitorWait> waits() const;

 private:
  [[nodiscard]] MonitorOptions options();
  [[nodiscard]] ToldVerdict verdict_on(std::size_t property, Verdict verdict) const;
  void tell(ToldVerdict verdict);

  std::string name_;
  PropertyFile properties_;
  ExecutionLimits limits_;
  Tell tell_;
  Refuse refuse_;
  std::optional<Monitor> check_;  // nothing: given up, or ended
  std::optional<GrowingLines> lines_;
  std::set<std::string, std::less<>> refused_;
  bool has_failed_ = false;
  std::uint64_t events_ = 0, ignored_ = 0;
};

}  // namespace lightcone::service
