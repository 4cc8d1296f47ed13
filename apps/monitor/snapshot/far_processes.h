// Processes that report to other monitors, as far as snapshots are concerned.
#pragma once

#include <lightcone/base/json.h>

#include <cstdint>
#include <string>

namespace lightcone::service {

/// What a process answers to a question about snapshots, and for which client.
struct SnapshotAnswer {
  std::string execution = {}, process = {}, client = {};
  Json answer = {};
};

/// A way to the other monitors. Safe to use from several threads. Calls do not wait for answers.
class FarProcesses {
 public:
  FarProcesses() = default;
  FarProcesses(const FarProcesses&) = delete;
  FarProcesses& operator=(const FarProcesses&) = delete;
  virtual ~FarProcesses() = default;

  /// Asks all processes of an execution that report to others.
  virtual void ask(const std::string& execution, const Json& question) = 0;
  /// Tells another monitor what a process that reports here has answered.
  virtual void answer(const std::string& monitor, const SnapshotAnswer& answer) = 0;
  /// A process reports here now: what others know of its end does not hold any more.
  virtual void tell_begin(const std::string& execution, const std::string& process) = 0;
};

}  // namespace lightcone::service
