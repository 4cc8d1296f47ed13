// Times as logs write them.
#pragma once

#include <optional>
#include <string_view>

namespace lightcone {

/// The seconds since 1970 of a date such as `2026-11-17T18:00:00.25+01:00`. A space may stand for
/// the T and a comma for the point; without a zone it is UTC. A number counts units of 10^-decimals
/// seconds, and the real that is nearest to it is returned.
[[nodiscard]] std::optional<double> log_time_in(std::string_view text, int decimals = 0);

}  // namespace lightcone
