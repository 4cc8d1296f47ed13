// An event of a live process as a line of JSON.
#pragma once

#include <lightcone/live/process/live_trace.h>

#include <string>
#include <string_view>

namespace lightcone {

/// The line of the row, with its end, as JSON Lines traces have it.
[[nodiscard]] std::string event_line(std::string_view process, const LiveTrace::Row& row);

/// A value as JSON text.
[[nodiscard]] std::string value_text(const LiveValue& value);

}  // namespace lightcone
