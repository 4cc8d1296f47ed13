// What the page is told about two runs: which events are the same, and where the runs part.
#pragma once

#include <lightcone/base/json.h>

#include "view/viewed_trace.h"

namespace lightcone::cli {

/// The document of `lightcone diff --json`.
[[nodiscard]] Json comparison_json(const TraceSnapshot& a, const TraceSnapshot& b);

}  // namespace lightcone::cli
