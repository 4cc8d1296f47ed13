// Which executions can be looked at: those that are open, and failing ones that were kept.
#pragma once

#include <lightcone/base/json.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lightcone::service {

/// An execution that is open.
struct OpenExecutionSummary {
  std::string execution;
  std::string name;  ///< as in the names of its files; empty: it is not kept
  std::size_t processes = 0;
  std::uint64_t events = 0;
};

/// Those that are open and those in the folder, the newest first, with their verdicts. An empty
/// folder: nothing is kept.
[[nodiscard]] Json execution_list(const std::vector<OpenExecutionSummary>& open,
                                  const std::string& folder);

/// The name of an execution, by that of its files.
[[nodiscard]] std::string execution_named(const std::string& name);

/// Returns whether files may have this name, so that it leads out of no folder.
[[nodiscard]] bool is_kept_name(const std::string& name);

}  // namespace lightcone::service
