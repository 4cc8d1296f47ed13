// The question for a snapshot, as it comes over HTTP.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serve/web_server.h"
#include "snapshot/snapshot_intake.h"

namespace lightcone::service {

/// Returns the executions that are open, or why that is not known.
using OpenExecutions = std::function<Expected<std::vector<std::string>>()>;

/// Answers `{"execution": "shop", "milliseconds": 5000}`; both may be missing.
[[nodiscard]] WebAnswer answer_question(SnapshotIntake& intake, const OpenExecutions& executions,
                                        const WebRequest& request);

}  // namespace lightcone::service
