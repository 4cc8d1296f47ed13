// Times as logs write them.
#pragma once

#include <optional>
#include <string_view>

namespace lightcone {

/// The seconds since 1970 of a date such as `2026-11-17T18:00:00.25+01:00`. A space may stand for
/// the T and a comma for the point; without a zone it is UTC. A number is taken as it is.
[[nodiscard]] std::optional<double> log_time_in(std::string_view text);

}  // namespace lightcone
