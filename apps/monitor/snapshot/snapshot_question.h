// The question for a snapshot, as it comes over HTTP.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serve/web_server.h"
#include "snapshot/snapshot_intake.h"

namespace lightcone::service {

/// Answers `{"execution": "shop", "milliseconds": 5000}`; both may be missing. `executions` returns
/// those that are open.
[[nodiscard]] WebAnswer answer_question(SnapshotIntake& intake,
                                        const std::function<std::vector<std::string>()>& executions,
                                        const WebRequest& request);

}  // namespace lightcone::service
