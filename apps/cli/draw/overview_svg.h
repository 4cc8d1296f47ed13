// A whole trace in one picture: when its processes were busy, and who talks to whom.
#pragma once

#include <lightcone/computation.h>

#include <string>

namespace lightcone::cli {

/// Draws a strip per process, darker where it has more events, over time or over causal depth, and
/// a matrix of how many messages went from which process to which. Of many processes, neighbours
/// share a strip.
[[nodiscard]] std::string overview_svg(const Computation& computation, const std::string& title);

}  // namespace lightcone::cli
