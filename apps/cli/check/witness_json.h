// Witnesses for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lightcone/check/explanation.h>

namespace lightcone::cli {

/// `{"process": "p1", "event": 3}`
[[nodiscard]] nlohmann::ordered_json json_of_place(const Computation& computation, Row row);

/// `{"p1": 3, "p2": 0}`
[[nodiscard]] nlohmann::ordered_json json_of_cut(const Computation& computation,
                                                 const std::vector<Rank>& cut);

/// The member `witness` of a property, which must have one. It is never cut short, but for the
/// reasons that were not searched for.
[[nodiscard]] nlohmann::ordered_json witness_json(const Inspection& inspection,
                                                  const Explanation& explanation);

}  // namespace lightcone::cli
