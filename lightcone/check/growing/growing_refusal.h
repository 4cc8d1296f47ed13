// What is wrong with an event that no execution has.
#pragma once

#include <lightcone/causal/layout.h>
#include <lightcone/monitor.h>

#include <string>
#include <string_view>

namespace lightcone {

/// Returns the error that a builder gives for the event, because of this message: it is sent or
/// received a second time, or the initial state comes too late.
[[nodiscard]] Error refusal(const MonitoredEvent& event, LayoutError::Why why,
                            std::string_view message, const std::string& file);

}  // namespace lightcone
