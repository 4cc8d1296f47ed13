// What is odd about a check that says little: nothing was asked, or nothing could be found.
#pragma once

#include <lightcone/check.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/observer.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace lightcone {

/// Adds to the warnings of a report: that there are no properties or no events, which properties
/// are asked nowhere or not for all values, which declared labels that they read are true nowhere,
/// and what was said of members of the trace. The observer has seen all states.
void add_warnings(const Properties& properties, const Observer& observer,
                  const std::set<std::string>& members, Report& report);

/// Returns whether a property about places was asked at none.
[[nodiscard]] bool is_asked_nowhere(const PropertyReport& property);

/// Of a property with `for each`: some of its values, in words.
struct ListedValues {
  std::uint64_t count = 0;
  std::string text;  ///< the first of them: `17, 18, 19, ...`
};
[[nodiscard]] ListedValues listed_values(
    const PropertyReport& property, const std::function<bool(const PropertyReport& one)>& belongs);

/// What is said of the unknown members of a recorded trace.
[[nodiscard]] std::set<std::string> near_members(const Computation& computation);

}  // namespace lightcone
