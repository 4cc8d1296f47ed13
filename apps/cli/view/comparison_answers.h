// What the page is told about two runs: which events are the same, and where the runs part.
#pragma once

#include <lightcone/base/json.h>

#include <string>

#include "view/viewed_trace.h"

namespace lightcone::cli {

/// A trace, and the file or recording that it was read from.
struct ViewedRun {
  const TraceSnapshot& trace;
  const std::string& path;
};

/// The document of `lightcone diff --json`.
[[nodiscard]] Json comparison_json(const ViewedRun& a, const ViewedRun& b);

}  // namespace lightcone::cli
