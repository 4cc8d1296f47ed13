// What the page is told about the trace, its events and its cuts, as JSON.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/error.h>

#include <optional>
#include <string>
#include <vector>

#include "view/viewed_trace.h"

namespace lightcone::cli {

/// `true`, `3`, `2.5`, `"text"`: the value as JSON text, so that no number is rounded.
[[nodiscard]] std::string value_text(const Computation& computation, const Value& value);

/// The digest of contents, 16 digits.
[[nodiscard]] std::string digest_text(std::uint64_t digest);

[[nodiscard]] std::string_view axis_name(AxisKind kind);
/// The axis of this name; depth for any other.
[[nodiscard]] AxisKind axis_named(std::string_view name);

/// Names and counts of processes, the axes, and what is known to be missing.
[[nodiscard]] Json trace_json(const TraceSnapshot& trace);
/// Where an axis begins and ends.
[[nodiscard]] Json axis_json(const TraceSnapshot& trace, AxisKind kind);
/// All about one event or initial state, with its light cones.
[[nodiscard]] Json event_json(const TraceSnapshot& trace, EventPlace place, AxisKind kind);
/// A consistent cut: its ranks, where its handles stand, and the global state. Whether it is
/// inevitable takes long to find out for the first time.
[[nodiscard]] Json cut_json(const TraceSnapshot& trace, const std::vector<Rank>& cut, AxisKind kind,
                            bool ask_inevitable);
[[nodiscard]] Json races_json(const TraceSnapshot& trace);
[[nodiscard]] Json traffic_json(const TraceSnapshot& trace);
/// Places as three lists: processes, ranks, positions.
[[nodiscard]] Json places_json(const TraceSnapshot& trace, const std::vector<EventPlace>& places,
                               AxisKind kind);
/// `{"error": {"what": …, "line": …, "column": …, "hint": …}}`
[[nodiscard]] Json error_json(const Error& error);

}  // namespace lightcone::cli
