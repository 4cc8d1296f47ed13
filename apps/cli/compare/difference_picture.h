// Draws both runs around the place where they part.
#pragma once

#include <lightcone/error.h>

#include <string>

#include "compare/difference_text.h"

namespace lightcone::cli {

/// Writes a picture of the surroundings of the first difference in each run, if there is one.
[[nodiscard]] Expected<void> draw_difference(const Comparison& comparison, const NamedRuns& runs,
                                             const std::string& path);

}  // namespace lightcone::cli
