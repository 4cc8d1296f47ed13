// Who holds the others up: which process is silent, who waits, and since when.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "accept/acceptance.h"
#include "decide/decider.h"

namespace lightcone::service {

/// A process that was not heard of for long while others wait.
struct SilentProcess {
  std::string execution;
  std::string process;
  double since = 0;                 ///< seconds since 1970
  std::size_t waiting = 0;          ///< events of the execution that wait
  std::uint64_t missing_event = 0;  ///< the rank of the next one, if later ones have come
  bool has_left = false;            ///< its connection has ended
  std::vector<MonitorWait> waits = {};
};

/// A process that has waited for one message for long, which no event sends that has come.
struct LongWait {
  std::string execution;
  std::string process;
  std::string message;
  std::string sender = {};  ///< as the name of the message says: SENDER:NUMBER; empty: it does not
  double since = 0;         ///< seconds since 1970
  std::size_t events = 0;   ///< of the process, that wait
};

/// Finds silent processes and those that wait for long, and tells of each once.
class Silence {
 public:
  /// Where clients send to others, it is not known who is connected.
  Silence(std::chrono::milliseconds patience, bool knows_connections)
      : patience_(patience), knows_connections_(knows_connections) {}

  /// Those that hold others up now. `now` is that of arrivals.
  [[nodiscard]] std::vector<SilentProcess> silent(const Acceptance& acceptance,
                                                  const std::vector<WaitingExecution>& waiting,
                                                  ArrivalTime now) const;
  /// Those that wait for long, as far as `news` has seen it.
  [[nodiscard]] std::vector<LongWait> long_waits(ArrivalTime now) const;
  /// To be called from time to time. Returns sentences on what was not told of before: on silent
  /// processes, and on those that wait where no silent process can be the cause.
  [[nodiscard]] std::vector<std::string> news(const Acceptance& acceptance,
                                              const std::vector<WaitingExecution>& waiting,
                                              ArrivalTime now);

 private:
  using Name = std::pair<std::string, std::string>;  // of an execution, and of a process
  struct Wait {
    std::string message;
    ArrivalTime since;
    std::size_t events = 0;
  };
  void note_waits(const std::vector<WaitingExecution>& waiting, ArrivalTime now);

  std::chrono::milliseconds patience_;
  bool knows_connections_;
  std::map<Name, Wait> waits_;
  std::set<Name> told_;                                // silent processes
  std::set<std::pair<Name, std::string>> told_waits_;  // with the message
};

/// A time as text: `2026-01-31 12:00:05`, in UTC.
[[nodiscard]] std::string time_text(double seconds_since_1970);

}  // namespace lightcone::service
