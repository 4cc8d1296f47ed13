// Answers about a trace as JSON documents, for commands and for other languages.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/check.h>
#include <lightcone/check/trace_summary.h>
#include <lightcone/progress.h>

#include <string>

namespace lightcone {

/// An object that starts with the version of what it says, and with what its trace lacks.
[[nodiscard]] Json json_document(const Wholeness& wholeness = {});

/// What became of one property of a report.
[[nodiscard]] Json property_json(const Report& report, const PropertyReport& property);

/// What `check` says of several executions.
[[nodiscard]] Json executions_json(const ExecutionsReport& report, const std::string& trace);

/// What `info` says.
[[nodiscard]] Json summary_json(const Reading& reading, const TraceSummary& summary);

/// What `races` says, with the pairs of messages that race if they are wanted.
[[nodiscard]] Json races_json(const Reading& reading, bool pairs, const Progress& progress = {});

}  // namespace lightcone
