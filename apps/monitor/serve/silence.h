// Who holds the others up: which process is silent, and since when.
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
  std::vector<MonitorWait> waits = {};
};

/// Finds silent processes, and tells of each once.
class Silence {
 public:
  explicit Silence(std::chrono::milliseconds patience) : patience_(patience) {}

  /// Those that hold others up now. `now` is that of arrivals.
  [[nodiscard]] std::vector<SilentProcess> silent(const Acceptance& acceptance,
                                                  const std::vector<WaitingExecution>& waiting,
                                                  ArrivalTime now) const;
  /// The sentences to tell of those that were not told of before.
  [[nodiscard]] std::vector<std::string> news(const std::vector<SilentProcess>& silent);

 private:
  std::chrono::milliseconds patience_;
  std::set<std::pair<std::string, std::string>> told_;
};

/// A time as text: `2026-01-31 12:00:05`, in UTC.
[[nodiscard]] std::string time_text(double seconds_since_1970);

}  // namespace lightcone::service
