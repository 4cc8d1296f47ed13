// Explores an example with a seeded bug, and replays what is found.
#pragma once

#include <lightcone/live/simulated_program.h>

#include <string>
#include <vector>

#include "system/shell.h"

namespace lightcone {

/// A test of one example that runs on a simulated network, or with `--processes` as processes.
class ExploredExample : public Shell {
 protected:
  /// All executions on the simulated network; those that fail are recorded.
  [[nodiscard]] ExplorationReport explore(const std::string& example) const;
  /// Replays a recording, and keeps the traces in `again`. Expects that they are those that were
  /// recorded; returns what the program printed, and its exit status.
  [[nodiscard]] Result replay(const std::string& recording, const std::string& example) const;
  /// What `lightcone check` says of a recording by the first of the example's properties.
  [[nodiscard]] nlohmann::json check(const std::string& recording, const std::string& name) const;
  /// Records it with other delays until it fails; what it printed.
  [[nodiscard]] Result record_failure(const std::string& example) const;
  /// Runs it several times; how often it failed.
  [[nodiscard]] int failures_of(const std::string& example, int runs) const;
  /// The recording of the first of the failures.
  [[nodiscard]] static std::string first(const ExplorationReport& report);
  /// The command line that starts an example.
  [[nodiscard]] static std::string start(const std::string& example);
};

}  // namespace lightcone
