// Explores an example with a seeded bug, and replays what is found.
#pragma once

#include <string>

#include "system/shell.h"

namespace lightcone {

/// A test of one example that runs on a simulated network, or with `--processes` as processes.
class ExploredExample : public Shell {
 protected:
  /// What `lightcone explore` says of all its executions.
  [[nodiscard]] nlohmann::json explore(const std::string& example,
                                       const std::string& options = {}) const;
  /// Replays a recording, and keeps the traces in `again`. Expects that they are those that were
  /// recorded; returns what the program printed, and its exit status.
  [[nodiscard]] Result replay(const std::string& recording, const std::string& example) const;
  /// What `lightcone check` says of a recording by the first of the example's properties.
  [[nodiscard]] nlohmann::json check(const std::string& recording, const std::string& name) const;
  /// Records it with other delays until it fails; what it printed.
  [[nodiscard]] Result record_failure(const std::string& example) const;
  /// Runs it several times; how often it failed.
  [[nodiscard]] int failures_of(const std::string& example, int runs) const;
  /// The properties of an example.
  [[nodiscard]] static std::string properties_of(const std::string& name);
  /// The command line that starts an example.
  [[nodiscard]] static std::string start(const std::string& example);
};

}  // namespace lightcone
