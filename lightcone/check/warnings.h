// What is odd about a check that says little: nothing was asked, or nothing could be found.
#pragma once

#include <lightcone/check.h>
#include <lightcone/property/language/syntax.h>

#include <set>
#include <string>

namespace lightcone {

/// Adds to the warnings of a report: that there are no properties or no events, which properties
/// are asked nowhere, and what was said of members of the trace.
void add_warnings(const Properties& properties, const std::set<std::string>& members,
                  Report& report);

/// What is said of the unknown members of a recorded trace.
[[nodiscard]] std::set<std::string> near_members(const Computation& computation);

}  // namespace lightcone
