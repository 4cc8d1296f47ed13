// Witnesses for other programs.
#pragma once

#include <lightcone/base/json.h>

#include <lightcone/check/explanation.h>

namespace lightcone::cli {

/// `{"process": "p1", "event": 3}`
[[nodiscard]] Json json_of_place(const Computation& computation, Row row);

/// `{"p1": 3, "p2": 0}`
[[nodiscard]] Json json_of_cut(const Computation& computation, const std::vector<Rank>& cut);

/// What a place lacks, as a list.
[[nodiscard]] Json missing_json(const Inspection& inspection, const Explanation& explanation);

/// The member `witness` of a property, which must have one. It is never cut short, but for the
/// reasons that were not searched for.
[[nodiscard]] Json witness_json(const Inspection& inspection, const Explanation& explanation);

}  // namespace lightcone::cli
