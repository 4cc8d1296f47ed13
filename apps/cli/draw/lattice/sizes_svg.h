// A plot of how many global states there are after each number of events.
#pragma once

#include <lightcone/lattice/eliminate/natural_number.h>

#include <string>
#include <vector>

namespace lightcone::cli {

/// Draws the number of states (upwards) for each size (to the right). Large numbers are drawn on a
/// logarithmic scale, and the axis says so.
[[nodiscard]] std::string sizes_svg(const std::vector<NaturalNumber>& sizes,
                                    const std::string& title);

}  // namespace lightcone::cli
